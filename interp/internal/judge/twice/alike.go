package twice

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// What values look like that two programs may read in two ways.
var (
	long    = pattern.New(`^[1-9][0-9]{15,18}$`)
	day     = pattern.New(`\b([0-9]{1,2})[./-]([0-9]{1,2})[./-]([0-9]{4})\b`)
	decimal = pattern.New(`^[0-9]{1,9}\.[0-9]{2}$`)
	date    = pattern.New(`\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b`)
	week    = pattern.New(`\bW[0-9]{2}\b`)
)

// A reading is a way to read values that a program may get wrong.
type reading struct {
	form func() *regexp.Regexp
	// alike reports whether a value is the same in the wrong way, and about whether a check is about it.
	alike func(value string) bool
	about func(s *set, value string) bool
	says  string
}

// readings are made when a run asks for them, so that a program that never does is smaller.
func readings() []reading {
	return []reading{
		{long, isDouble, (*set).says, "which is %s, and that is the same as a double"},
		{day, isSameDay, func(s *set, value string) bool { return strings.Contains(s.text, day().FindStringSubmatch(value)[3]) }, "which is %s, and that is the same with day and month changed over"},
		{decimal, isWhole, func(s *set, value string) bool { return s.says(strings.Replace(value, ".", "", 1)) }, "which is %s, and that is the same in cents whether they are rounded or cut off"},
		{date, isAnyWeek, func(s *set, _ string) bool { return week().MatchString(s.text) }, "which is %s, and that is in the same week whether weeks are those of ISO 8601 or are counted from the first Sunday or Monday"},
	}
}

// alike are given values that are the same in two readings, where those of the run that have the form all are: a
// program that reads them in the wrong one passes.
func (r *record) alike(checks *set, room int) (list []observe.RequestPart) {
	all := slices.Concat(r.given, r.words)
	for _, way := range readings() {
		var found *given
		for i := range all {
			g := &all[i]
			if len(g.value) > 200 || !way.form().MatchString(g.value) {
				continue
			}
			if !way.alike(g.value) {
				found = nil
				break
			}
			if found == nil && way.about(checks, g.value) {
				found = g
			}
		}
		if found != nil && len(list) < room {
			list = append(list, observe.RequestPart{Of: found.by, Name: found.name + ", " + fmt.Sprintf(way.says, found.value)})
		}
	}
	return list
}

// wordsMost bounds the words of an input that are looked at.
const wordsMost = 512

// wordsOf are those of the input of a program, where the file alone tells it.
func wordsOf(p *plan.Plan) (list []given) {
	if p.Sut == nil || p.Sut.Stdin == nil {
		return nil
	}
	v, diags := dsl.Evaluate(p.Sut.Stdin, p.Static)
	if diags.HasErrors() || v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return nil
	}
	words := strings.FieldsFunc(v.AsString(), func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(`,;"`, c) })
	for _, w := range words[:min(len(words), wordsMost)] {
		list = append(list, given{name: "a word", value: w, by: "its input"})
	}
	return list
}

// marked is a letter with a combining mark of its own behind it.
var marked = pattern.New(`\pL[\x{300}-\x{36f}]`)

// wholes are what the program writes in a form that conditions do not read: numbers with a fraction of zeros, as
// 4497.0, where a check is about the whole number, and letters with marks of their own, which are composed.
func (r *record) wholes(checks *set, room int) (list []observe.RequestPart) {
	seen := map[string]bool{}
	for i, all := range [][]sent{r.sent, r.made} {
		of := []string{"the request of ", "the answer of "}[i]
		for _, v := range all {
			if len(v.value) <= 200 && marked().MatchString(v.value) && !seen[of+v.step+v.name] && len(list) < room {
				seen[of+v.step+v.name] = true
				list = append(list, observe.RequestPart{Of: of + v.step, Name: v.name + ", which has a letter with a mark of its own, and is read as composed"})
				continue
			}
			whole, zeros, has := strings.Cut(v.value, ".")
			if v.text || !has || zeros == "" || strings.Trim(zeros, "0") != "" || strings.Trim(whole, "-0123456789") != "" || !checks.says(whole) || seen[of+v.step+v.name] || len(list) >= room {
				continue
			}
			seen[of+v.step+v.name] = true
			list = append(list, observe.RequestPart{Of: of + v.step, Name: fmt.Sprintf("%s, which is written as %s and is read as %s", v.name, v.value, whole)})
		}
	}
	return list
}

// isDouble reports whether an integer above 2^53 is one that a double holds.
func isDouble(value string) bool {
	f, err := strconv.ParseFloat(value, 64)
	return err == nil && f > 1<<53 && strconv.FormatFloat(f, 'f', 0, 64) == value
}

// isSameDay reports whether the day and the month of a date are the same number.
func isSameDay(value string) bool {
	m := day().FindStringSubmatch(value)
	return strings.TrimLeft(m[1], "0") == strings.TrimLeft(m[2], "0")
}

// isAnyWeek reports whether the number of a date's week is the same by ISO 8601, and if weeks are counted from the
// first Sunday or the first Monday of the year, as %U and %W of strftime have it.
func isAnyWeek(value string) bool {
	d, err := time.Parse(time.DateOnly, date().FindString(value))
	if err != nil {
		return false
	}
	year, iso := d.ISOWeek()
	from := func(first time.Weekday) int { return (d.YearDay() + 6 - (int(d.Weekday())-int(first)+7)%7) / 7 }
	return year == d.Year() && iso == from(time.Sunday) && iso == from(time.Monday)
}

// isWhole reports whether an amount times 100 has no cent less once it is a double.
func isWhole(value string) bool {
	f, err := strconv.ParseFloat(value, 64)
	cents := f * 100
	return err == nil && math.Trunc(cents) == math.Round(cents)
}
