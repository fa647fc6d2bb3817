package simpler

import (
	"fmt"

	"github.com/scenario-lang/scenario/internal/mutate/source/group"
)

// A state is what a program counts with, or keeps, over all that it does.
type state struct {
	name string
	// declared is where it is declared, in languages that ask for that.
	declared []group.Place
	typed    bool // a function takes what it stands for, and gives something of its type
}

// numbers are the types of Go of which a remainder is taken.
const numbers = "int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | uintptr"

// state is one for what stands at a token, with counts saying that it counts, nil where there is no place for it.
func (f *finder) state(i int, counts bool) *state {
	s := &state{name: fmt.Sprintf("turn%d", f.turns+1)}
	at := -1
	switch {
	case f.Bare:
		if at = f.function(i); at < 0 {
			return nil
		}
		text := fmt.Sprintf("\n\nvar %s any\n\nfunc %sOf[K any](k K) K {\n\tif %s == nil {\n\t\t%s = k\n\t}\n\treturn %s.(K)\n}", s.name, s.name, s.name, s.name, s.name)
		if counts {
			text = fmt.Sprintf("\n\nvar %s = -1\n\nfunc %sOf[N %s](N) N {\n\t%s++\n\treturn N(%s)\n}", s.name, s.name, numbers, s.name, s.name)
		}
		s.declared, s.typed = []group.Place{place(at, at, text)}, true
	case f.Ended:
		if at = f.function(i); at < 0 {
			return nil
		}
		text := fmt.Sprintf("\nstatic Object %s; @SuppressWarnings(\"unchecked\") static <K> K %sOf(K k) { if (%s == null) %s = k; return (K) %s; }", s.name, s.name, s.name, s.name, s.name)
		if counts {
			text = fmt.Sprintf("\nstatic int %s = -1;", s.name)
		}
		s.declared, s.typed = []group.Place{place(at, at, text)}, !counts
	}
	f.turns++
	return s
}

// function is the byte behind the function around a token, -1 for none: of Go the outermost one, of Java a method.
func (f *finder) function(i int) int {
	body := -1
	for n, up := 0, f.ups[i]; up > 0 && n < 40; n, up = n+1, f.ups[up] {
		if f.At(up) != "{" {
			continue
		}
		head := f.Around(up - 1)
		if f.Ended && head >= 0 {
			s := f.Statement(head)
			if f.names(s.First, s.Last, "class", "record", "enum", "interface") {
				break
			}
		}
		body = up
	}
	if body < 0 {
		return -1
	}
	head := f.Around(body - 1)
	if head < 0 {
		return -1
	}
	s := f.Statement(head)
	if f.Bare && f.At(s.First) != "func" || f.Ended && f.At(s.Last-1) != ")" && !f.names(s.First, s.Last, "throws") {
		return -1
	}
	_, to := f.Bytes(body, f.Mate(body)+1)
	return to
}

// count counts 0, 1, 2 where a value stands.
func (f *finder) count(s *state, value string) string {
	switch {
	case f.Indented:
		return `next(vars(__import__("builtins")).setdefault("` + s.name + `", __import__("itertools").count()))`
	case f.Script:
		return "(globalThis." + s.name + " = (globalThis." + s.name + " ?? -1) + 1)"
	case f.Worded:
		return "($" + s.name + " = ($" + s.name + " || -1) + 1)"
	case s.typed:
		return s.name + "Of(" + value + ")"
	}
	return "(++" + s.name + ")"
}

// first is the first of all values that stood somewhere.
func (f *finder) first(s *state, value string) string {
	switch {
	case f.Indented:
		return `vars(__import__("builtins")).setdefault("` + s.name + `", ` + value + `)`
	case f.Script:
		return "(globalThis." + s.name + " ??= " + value + ")"
	case f.Worded:
		return "($" + s.name + " ||= " + value + ")"
	}
	return s.name + "Of(" + value + ")"
}
