package declared

import (
	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/group"
)

// modifiers leaves out those that say what tasks that run at one time see of each other, and what is written.
func (f *finder) modifiers() {
	for i := 0; i+1 < f.Len() && !f.full(); i++ {
		if (f.word(i, "synchronized") || f.word(i, "volatile") || f.word(i, "transient")) && f.Word(i+1) {
			from, _ := f.Bytes(i, i+1)
			to, _ := f.Bytes(i+1, i+2)
			f.leave(from, to, f.At(i))
		}
	}
}

// resources are not closed.
func (f *finder) resources() {
	for i := 0; i+1 < f.Len() && !f.full(); i++ {
		open := i + 1
		if !f.word(i, "try") || f.At(open) != "(" || f.Mate(open) < open+2 || f.At(f.Mate(open)+1) != "{" || f.sign(open+1, f.Mate(open)) == f.Mate(open) {
			continue
		}
		body := f.Mate(open) + 1
		given := f.Slice(open+1, f.Mate(open))
		if given[len(given)-1] != ';' {
			given += ";"
		}
		from, to := f.Bytes(i, body+1)
		with := "{ " + given
		if after := f.Mate(body) + 1; f.word(after, "catch") || f.word(after, "finally") {
			with = "try " + with
		}
		f.AtOnce([]group.Place{{From: from, To: to, Text: with}}, "`"+inner.Short(f.Slice(open+1, f.Mate(open)), 50)+"` is not closed")
	}
}

// guards leaves out those behind a pattern.
func (f *finder) guards() {
	for i := 1; i < f.Len() && !f.full(); i++ {
		if !f.word(i, "when") || !f.Word(i-1) && f.At(i-1) != ")" {
			continue
		}
		end := i + 1
		for end < f.Len() && end < i+mostTokens && f.At(end) != "->" && f.At(end) != ":" && f.At(end) != ";" {
			if m := f.Mate(end); m > end {
				end = m
			}
			end++
		}
		if f.At(end) != "->" || end == i+1 {
			continue
		}
		_, from := f.Bytes(i-1, i)
		_, to := f.Bytes(end-1, end)
		f.leave(from, to, f.Slice(i, end))
	}
}
