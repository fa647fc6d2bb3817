package source

import (
	"github.com/scenario-lang/scenario/internal/mutate/source/commands"
	"github.com/scenario-lang/scenario/internal/mutate/source/part"
)

// byName changes what stands for a command by its name, and notes it.
func (s *shellFile) byName(name string, items []item) {
	c := &commands.Command{Source: s.source, Name: name, Add: func(from, to int, with, change string) { s.add("related", from, to, with, change) }}
	call := part.Call{Name: name, From: items[0].from, To: items[len(items)-1].to, NameFrom: -1}
	for _, it := range items {
		w := s.str(it)
		c.Words = append(c.Words, commands.Word{Text: w, Sign: it.sign, From: it.from, To: it.to, Plain: it.plain})
		switch {
		case it.sign != "":
		case call.NameFrom >= 0:
			call.Args = append(call.Args, part.Argument{From: it.from, To: it.to, Literal: true})
		case w == name:
			call.NameFrom, call.NameTo = it.from, it.to
		}
	}
	c.Options()
	c.Plain()
	if call.NameFrom >= 0 && !commands.Known(name) && !s.functions[name] {
		s.called = append(s.called, call)
	}
}
