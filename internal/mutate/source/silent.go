package source

import (
	"github.com/scenario-lang/scenario/internal/mutate/source/beside"
	"github.com/scenario-lang/scenario/internal/mutate/source/part"
)

// Changes are the mutants of a file that is given some answers, nil for unknown ones, and silent names the calls of functions
// and commands that no change is about, with their lines, such as "urljoin() in line 12": none replaces one, leaves it out,
// or changes one of its arguments alone. What every program and the file itself has is not told.
func Changes(name string, text []byte, given *beside.Facts) (all []Mutant, silent string) {
	f := mutated(name, text, 0)
	if f == nil {
		return nil, ""
	}
	calls, sign := f.called, ""
	if !f.lang.shell {
		beside.Find(f.finder(), given, f.add)
		calls, sign = f.parts().Calls(), "()"
	}
	edits := make([]part.Edit, len(f.mutants))
	for i, m := range f.mutants {
		edits[i] = part.Edit{From: m.From, To: m.To, Text: m.Text, Statement: m.Operator == "statement" || m.Operator == "order" || m.Operator == "shape", Every: m.Operator == "together"}
	}
	return f.mutants, part.Shown(part.Silent(f.source, calls, edits), sign, f.line)
}

// parts finds the parts of calls, and their plain forms.
func (f *file) parts() *part.Finder {
	made := map[part.Edit]bool{}
	for _, m := range f.mutants {
		made[part.Least(f.source, m.From, m.To, m.Text)] = true
	}
	return &part.Finder{
		Finder: f.finder(), Typed: f.lang.name == "typescript", Mentions: f.mentions,
		Put: func(from, to int, with, change string) bool {
			least := part.Least(f.source, from, to, with)
			if made[least] || to-from > span {
				return false
			}
			made[least] = true
			f.add("part", from, to, with, change)
			return true
		},
		Related: func(from, to int, with, change string) {
			made[part.Least(f.source, from, to, with)] = true
			f.add("related", from, to, with, change)
		},
	}
}
