package beside

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/group"
	"github.com/scenario-lang/scenario/internal/mutate/source/words"
)

// Bounds of the changes of a file, of those of one place, and of how far is looked around one.
const (
	mostOfFile  = 24
	mostOfPlace = 3
	reach       = 200
)

// operator is that of the changes.
const operator = "related"

// sorting are the functions that order a list, or choose of it, by what stands in their brackets.
var sorting = words.Set("sort sorted sort_by sort! sort_by! sortBy orderBy order_by toSorted min max min_by max_by minBy maxBy nsmallest nlargest")

// getters are functions that read the member whose name they are given.
var getters = words.Set("itemgetter attrgetter")

// A read is where a member is read: the tokens from first to end, of which at is its name.
type read struct {
	first, at, end int
	name           string
}

type finder struct {
	*group.Finder
	facts *Facts
	add   func(operator string, from, to int, with, change string)
	ups   []int
	made  int
}

// Find makes the changes of a file for what the answers have. Add of the finder is not called, but add is.
func Find(g *group.Finder, facts *Facts, add func(operator string, from, to int, with, change string)) {
	if facts == nil || len(facts.kinds) == 0 || g.Len() == 0 {
		return
	}
	f := &finder{Finder: g, facts: facts, ups: make([]int, g.Len())}
	f.add = func(operator string, from, to int, with, change string) {
		if f.made < mostOfFile && from >= 0 && to-from <= g.Span {
			f.made++
			add(operator, from, to, with, inner.Short(change, 80))
		}
	}
	g.Add = func(from, to int, with, change string) { f.add(operator, from, to, with, change) }
	up := -1
	for i := range f.ups {
		if m := f.Mate(i); m >= 0 && m < i && up >= 0 {
			up = f.ups[up]
		}
		if f.ups[i] = up; f.Mate(i) > i {
			up = i
		}
	}
	sorted := map[string]bool{}
	for i := range f.Len() {
		r, is := f.read(i)
		if !is || f.made >= mostOfFile {
			continue
		}
		if open := f.sorting(i); open >= 0 {
			if key := strconv.Itoa(open) + " " + r.name; !sorted[key] {
				sorted[key] = true
				f.order(open, r)
			}
			continue
		}
		f.decides(r)
	}
}

// text is what a token in quotes says, "" for any other.
func text(s string) string {
	if n := len(s) - 1; n > 1 && (s[0] == '"' || s[0] == '\'') && s[n] == s[0] {
		return s[1:n]
	}
	return ""
}

// read is the member that is read at a token.
func (f *finder) read(i int) (r read, is bool) {
	switch {
	case f.Quiet(i):
	case f.Word(i) && f.Member(i) && i >= 2 && f.At(i+1) != "(":
		r = read{first: f.Chain(i), at: i, end: i + 1, name: f.At(i)}
	case f.At(i-1) == "[" && f.Mate(i-1) == i+1 && text(f.At(i)) != "" && i >= 2 && f.joined(i-1):
		r = read{first: f.Chain(i + 1), at: i, end: i + 2, name: text(f.At(i))}
	case f.At(i-1) == "(" && f.Mate(i-1) == i+1 && text(f.At(i)) != "" && f.At(i-2) == "get" && f.Member(i-2):
		r = read{first: f.Chain(i - 2), at: i, end: i + 2, name: text(f.At(i))}
	case f.At(i-1) == "(" && f.Mate(i-1) == i+1 && text(f.At(i)) != "" && getters()[f.At(i-2)]:
		r = read{first: f.Chain(i - 2), at: i, end: i + 2, name: text(f.At(i))}
	}
	if r.name == "" || r.first < 0 || r.first >= r.at {
		return r, false
	}
	switch f.At(r.end) {
	case "=", ":=", "+=", "-=", "*=", "||=", "??=", "++", "--":
		return r, false
	}
	return r, true
}

// joined reports whether nothing stands before a token.
func (f *finder) joined(i int) bool {
	_, before := f.Bytes(i-1, i)
	from, _ := f.Bytes(i, i+1)
	return before == from
}

// other is another member in the place of one that is read, of which only the name is another one.
func (r read) other(f *finder, name string) string {
	said := f.At(r.at)
	if text(said) != "" {
		return said[:1] + name + said[:1]
	}
	return name
}

// whole is what reads another member, and begins and ends as what reads the one does.
func (f *finder) whole(r read, name string) string {
	from, to := f.Bytes(r.first, r.end)
	a, b := f.Bytes(r.at, r.at+1)
	return f.Text[from:a] + r.other(f, name) + f.Text[b:to]
}

// sorting is the bracket of what orders or chooses around a token, -1 for none.
func (f *finder) sorting(i int) int {
	for n, up := 0, f.ups[i]; up > 0 && n < 8; n, up = n+1, f.ups[up] {
		name := up - 1
		if f.At(name) == "!" {
			name--
		}
		if f.Word(name) && sorting()[strings.TrimSuffix(f.At(name), "!")] && !f.Declares(name) {
			return up
		}
	}
	return -1
}

// order takes another member of what is ordered, at all places at which it is read there.
func (f *finder) order(open int, r read) {
	for _, some := range f.facts.having(r.name) {
		for n, name := range asOrdered(some, r.name) {
			if n == mostOfPlace {
				break
			}
			var places []group.Place
			for i := open + 1; i < min(f.Mate(open), open+reach); i++ {
				if at, is := f.read(i); is && at.name == r.name {
					from, to := f.Bytes(i, i+1)
					places = append(places, group.Place{From: from, To: to, Text: at.other(f, name)})
				}
			}
			if len(places) > 0 {
				f.AtOnce(places, "ordered by `"+name+"` in place of `"+r.name+"`")
			}
		}
	}
}

// signs are comparisons, and what each is called in tests.
var signs = words.Pairs("== == === == != != !== != < < > > <= <= >= >=")

// holds reports whether a value stands to another one as a sign says.
func holds(v any, sign string, to any) bool {
	switch sign {
	case "==":
		return v == to
	case "!=":
		return v != to
	}
	n, ok := compare(v, to)
	return ok && (sign == "<" && n < 0 || sign == ">" && n > 0 || sign == "<=" && n <= 0 || sign == ">=" && n >= 0)
}

// turned is a sign with its sides changed over.
func turned(sign string) string {
	return strings.NewReplacer("<", ">", ">", "<").Replace(sign)
}

// decides asks for something else where a member decides: one that is true or false, or is compared.
func (f *finder) decides(r read) {
	before, behind := signs()[f.At(r.first-1)], signs()[f.At(r.end)]
	for _, some := range f.facts.having(r.name) {
		from, to := f.Bytes(r.first, r.end)
		switch {
		case behind != "" && f.literal(r.end+1):
			value := f.value(r.end + 1)
			_, to = f.Bytes(r.end, r.end+2)
			f.asks(r, from, to, tests(some, r.name, func(v any) bool { return holds(v, behind, value) }))
		case before != "" && f.literal(r.first-2):
			value := f.value(r.first - 2)
			from, _ = f.Bytes(r.first-2, r.first)
			f.asks(r, from, to, tests(some, r.name, func(v any) bool { return holds(v, turned(before), value) }))
		case before == "==" || before == "!=":
			first := f.Chain(r.first - 2)
			if first < 0 || first >= r.first-1 || f.ends(first-1) || f.continues(r.end) {
				continue
			}
			from, _ = f.Bytes(first, r.first)
			f.stands(r, from, to, truths(some, r.name))
		case behind == "==" || behind == "!=":
			last := f.end(r.end + 1)
			if last <= r.end+1 || f.ends(r.first-1) || f.continues(last) {
				continue
			}
			_, to = f.Bytes(r.first, last)
			f.stands(r, from, to, truths(some, r.name))
		case before == "" && behind == "" && !slices.ContainsFunc(some, func(o object) bool { _, truth := o.members[r.name].(bool); return !truth }):
			f.asks(r, from, to, tests(some, r.name, func(v any) bool { return v == true }))
		}
	}
}

// ends and continues report whether a token makes an operand behind it, or before it, longer.
func (f *finder) ends(i int) bool {
	switch f.At(i) {
	case "+", "-", "*", "/", "%", ".", "?.", "&.", "**":
		return true
	}
	return false
}

func (f *finder) continues(i int) bool {
	return f.ends(i) || (f.At(i) == "[" || f.At(i) == "(") && f.joined(i)
}

// end is the token behind names, members, and what is called or looked up, that begin with one.
func (f *finder) end(i int) int {
	if !f.Word(i) {
		return i
	}
	for i++; i < f.Len(); {
		switch {
		case f.At(i) == "." || f.At(i) == "?." || f.At(i) == "&.":
			i += 2
		case (f.At(i) == "(" || f.At(i) == "[") && f.Mate(i) > i && f.joined(i):
			i = f.Mate(i) + 1
		default:
			return i
		}
	}
	return i
}

// literal reports whether a token is a text or a number, and no part of more.
func (f *finder) literal(i int) bool {
	return f.value(i) != nil && !f.ends(i-1) && !f.continues(i+1)
}

// value is that of a text, a number or a truth, nil for any other token.
func (f *finder) value(i int) any {
	s := f.At(i)
	if inside := text(s); inside != "" {
		return inside
	}
	switch s {
	case "true", "True":
		return true
	case "false", "False":
		return false
	}
	var v any
	if s == "" || s[0] < '0' || s[0] > '9' || json.Unmarshal([]byte(strings.ReplaceAll(s, "_", "")), &v) != nil {
		return nil
	}
	return v
}

// asks puts tests of other members, and of the status of the answer, in the place of what is asked.
func (f *finder) asks(r read, from, to int, all []test) {
	for _, t := range all {
		what := f.whole(r, t.member)
		if t.member == "" {
			if what = f.status(r.first); what == "" {
				continue
			}
		}
		switch {
		case t.sign == "":
		case t.sign == "!":
			what = f.not(what)
		default:
			sign := t.sign
			if f.Script && len(sign) == 2 && sign[1] == '=' && (sign[0] == '=' || sign[0] == '!') {
				sign += "="
			}
			value := ""
			switch v := t.value.(type) {
			case string:
				quote := `"`
				if said := f.At(r.at); text(said) != "" && !f.Ended && !f.Bare {
					quote = said[:1]
				}
				value = quote + v + quote
			case float64:
				value = strconv.FormatFloat(v, 'f', -1, 64)
			}
			what = "(" + what + " " + sign + " " + value + ")"
		}
		f.add(operator, from, to, what, f.instead(from, to, what))
	}
}

// stands puts whether another member is true, and whether it is not, in the place of a comparison.
func (f *finder) stands(r read, from, to int, names []string) {
	for _, name := range names[:min(len(names), 1)] {
		what := f.whole(r, name)
		if f.Script {
			what = "!!" + what
		}
		f.add(operator, from, to, what, f.instead(from, to, what))
		what = f.not(f.whole(r, name))
		f.add(operator, from, to, what, f.instead(from, to, what))
	}
}

func (f *finder) not(what string) string {
	if f.Indented {
		return "(not " + what + ")"
	}
	return "!" + what
}

// status is what reads the status of an answer near a token, "" for nothing.
func (f *finder) status(at int) string {
	is := func(i int) string {
		if i < 2 || i >= f.Len() || !f.Word(i) || !f.Member(i) || f.At(i+1) == "(" && !f.Ended {
			return ""
		}
		base := f.Slice(f.Chain(i), i)
		switch name := f.At(i); {
		case f.Script && (name == "ok" || name == "status"):
			return base + "status"
		case f.Indented && (name == "status_code" || name == "code" || name == "status"), f.Bare && name == "StatusCode":
			return base + name
		case f.Ended && name == "statusCode":
			return base + name + "()"
		}
		return ""
	}
	for n := 1; n < reach; n++ {
		if what := is(at - n); what != "" {
			return what
		}
	}
	for n := 1; n < reach; n++ {
		if what := is(at + n); what != "" {
			return what
		}
	}
	return ""
}

// instead says what is asked in the place of what.
func (f *finder) instead(from, to int, with string) string {
	return inner.Instead(f.Text[from:min(to, from+1000)], with)
}
