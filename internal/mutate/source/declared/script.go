package declared

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
)

// flags leaves out each of a regular expression.
func (f *finder) flags() {
	for i := 0; i < f.Len() && !f.full(); i++ {
		s := f.At(i)
		at := strings.LastIndexByte(s, '/')
		if len(s) < 3 || s[0] != '/' || at < 2 || f.Quiet(i) {
			continue
		}
		from, to := f.Bytes(i, i+1)
		for n := at + 1; n < len(s); n++ {
			if strings.IndexByte("gims", s[n]) >= 0 {
				f.put(from+n, from+n+1, "", from, to)
			}
		}
	}
}

// loose are assertions of Node with those that convert.
var loose = map[string]string{"strictEqual": "equal", "deepStrictEqual": "deepEqual", "notStrictEqual": "notEqual", "notDeepStrictEqual": "notDeepEqual"}

// assertions takes those that convert for those that do not, where both are not the same.
func (f *finder) assertions() {
	if strings.Contains(f.Text, "assert/strict") || strings.Contains(f.Text, "assert.strict") || strings.Contains(f.Text, "strict as") || strings.Contains(f.Text, ").strict") {
		return
	}
	for i := 2; i < f.Len() && !f.full(); i++ {
		if with := loose[f.At(i)]; with != "" && f.Word(i) && f.At(i+1) == "(" && f.At(i-2) == "assert" {
			f.swap(i, i+1, with)
		}
	}
}

// nothing takes what is false for what is not there: a ?? b is a || b.
func (f *finder) nothing() {
	for i := 1; i+1 < f.Len() && !f.full(); i++ {
		s := f.At(i)
		if s != "??" && s != "??=" || f.Quiet(i) || f.mixed(i) {
			continue
		}
		n := f.Around(i)
		if n < 0 {
			continue
		}
		first := f.Chain(i - 1)
		if strings.Contains(f.Slice(first, i), ".env.") {
			continue // hardly anything is set, and empty
		}
		from, to := f.Bytes(i, i+1)
		begin, _ := f.Bytes(first, first+1)
		_, end := f.Bytes(i+1, i+2)
		f.put(from, to, strings.Replace(s, "??", "||", 1), begin, end)
	}
}

// mixed reports whether && or || stand beside a token, which cannot stand beside ?? without brackets.
func (f *finder) mixed(i int) bool {
	n, open := f.Around(i), f.around(i)
	if n < 0 {
		return true
	}
	s := f.Statement(n)
	for k := max(s.First, open+1, i-mostTokens); k < min(s.Last, i+mostTokens); k++ {
		if m := f.Mate(k); m > k {
			k = m
		} else if w := f.At(k); m >= 0 && m < k {
			return false
		} else if k != i && (w == "&&" || w == "||" || w == "??") {
			return true
		}
	}
	return false
}

// optional asks for a member of what may not be there.
func (f *finder) optional() {
	for i := 1; i+1 < f.Len() && !f.full(); i++ {
		if f.At(i) != "?." || f.Quiet(i) {
			continue
		}
		with := ""
		if f.Word(i + 1) {
			with = "."
		}
		first := f.Chain(i - 1)
		begin, _ := f.Bytes(first, first+1)
		from, to := f.Bytes(i, i+1)
		_, end := f.Bytes(i+1, i+2)
		f.put(from, to, with, begin, end)
	}
}

// tagged leaves out what a template is given to: html`…` is a text.
func (f *finder) tagged() {
	for i := 0; i+1 < f.Len() && !f.full(); i++ {
		if !f.Word(i) || !strings.HasPrefix(f.At(i+1), "`") || !f.joined(i+1) || f.Quiet(i) {
			continue
		}
		from, to := f.Bytes(f.Chain(i), i+1)
		f.Add(from, to, "", "`"+inner.Short(f.Text[from:to], 40)+"` before a template left out")
	}
}
