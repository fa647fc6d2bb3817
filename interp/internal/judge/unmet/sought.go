package unmet

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// searching are the functions of which a condition says with ! that a text is not there.
var searching = []string{"strcontains", "contains", "word"}

// isSearch reports whether an expression says that a text which is written out is not there, and which.
func isSearch(e hclsyntax.Expression) (text string, is bool) {
	not, is := e.(*hclsyntax.UnaryOpExpr)
	if !is || not.Op != hclsyntax.OpLogicalNot {
		return "", false
	}
	f, is := dsl.Bare(not.Val).(*hclsyntax.FunctionCallExpr)
	if !is || len(f.Args) != 2 || !slices.Contains(searching, f.Name) {
		return "", false
	}
	v, written := dsl.Literal(dsl.Bare(f.Args[1]))
	if !written || v.IsNull() || v.Type() != cty.String {
		return "", false
	}
	return v.AsString(), isOfRun(f.Args[0])
}

// otherwise says of a condition that rules out a text that what the run was given has it in another writing
// alone: an account without its spaces, a date in another order, an address in capital letters. A program that
// sends it on as it is passes. "" where the run has it as it is written, or not at all.
func (l *look) otherwise(e hclsyntax.Expression) (why string) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		text, is := isSearch(e)
		if !is || why != "" || !isData(text) {
			return
		}
		said, as := l.given().said, newWriting(text)
		known := func(text string) bool {
			return slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, text) })
		}
		if slices.ContainsFunc(l.ruledOut(), func(other string) bool { return as.in(other) != "" && known(other) }) {
			return
		}
		for _, s := range said {
			if found := as.in(s); found != "" {
				why = fmt.Sprintf("it rules out %q, and the run was given that as %q alone: a program that sends it on as it is passes.\nhint: rule it out as it was given; or give it as the check has it", text, found)
				return
			}
		}
	})
	return why
}

// ruledOut are the texts that the checks of the scenario rule out.
func (l *look) ruledOut() (list []string) {
	for _, a := range l.o.Plan.Asserts {
		dsl.EachExpr(a.Condition, func(e hclsyntax.Expression) {
			if text, is := isSearch(e); is {
				list = append(list, text)
			}
		})
	}
	return list
}

// isData reports whether a text is a value of somebody, and no word: one with four digits or an address.
func isData(text string) bool {
	digits := 0
	for _, c := range text {
		if unicode.IsDigit(c) {
			digits++
		}
	}
	return len(text) <= dataMax && (digits >= 4 || strings.Contains(text, "@"))
}

// dataMax is how long a value of somebody is at most, and shortest how many letters and digits it has at least where
// it is found among others.
const (
	dataMax  = 200
	shortest = 6
)

// A writing is what a text says, however it is written.
type writing struct {
	signs  string // its letters and digits, in small letters
	groups []string
	amount *big.Rat
}

var dates = pattern.New(`\b\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b`)

func newWriting(text string) writing {
	w := writing{signs: signsOf(text)}
	if date := dates().FindString(text); date == text && date != "" {
		w.groups = groupsOf(text)
	}
	if n, is := new(big.Rat).SetString(text); is {
		w.amount = n
	}
	return w
}

// in is where a text says the same in another writing, "" for nowhere.
func (w writing) in(text string) string {
	if w.amount != nil {
		if n, is := new(big.Rat).SetString(text); is && len(text) <= dataMax && n.Cmp(w.amount) == 0 {
			return text
		}
	}
	if w.groups != nil {
		for _, date := range dates().FindAllString(text, -1) {
			if slices.Equal(groupsOf(date), w.groups) {
				return date
			}
		}
	}
	if len(w.signs) < shortest {
		return ""
	}
	signs := signsOf(text)
	at := strings.Index(signs, w.signs)
	if at < 0 {
		return ""
	}
	return between(text, at, at+len(w.signs))
}

func signsOf(text string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, text)
}

// between is the part of a text of which the signs are those from one place to another.
func between(text string, from, to int) string {
	start, n := -1, 0
	for i, c := range text {
		size := len(signsOf(string(c)))
		if size == 0 {
			continue
		}
		if n == from {
			start = i
		}
		if n += size; n >= to && start >= 0 {
			return text[start : i+len(string(c))]
		}
	}
	return ""
}

// groupsOf are the numbers of a date without zeros before them, in an order that does not depend on how it is
// written.
func groupsOf(date string) []string {
	list := strings.FieldsFunc(date, func(c rune) bool { return !unicode.IsDigit(c) })
	for i, g := range list {
		list[i] = strings.TrimLeft(g, "0")
	}
	slices.Sort(list)
	return list
}
