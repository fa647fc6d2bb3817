package constant

import "regexp/syntax"

// MatchesNothing reports whether a pattern of RE2 matches no string at all, such as
// `$9.99`, which asks for a 9 behind the end of the text.
func MatchesNothing(pattern string) bool {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return false
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return false
	}
	// A place is reached with something consumed or not, and with the end of the text
	// behind it or not. What is asked of lines and words may hold anywhere.
	type place struct {
		pc              uint32
		consumed, ended bool
	}
	seen, next := map[place]bool{}, []place{{pc: uint32(prog.Start)}}
	for len(next) > 0 {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		inst := prog.Inst[at.pc]
		on := place{inst.Out, at.consumed, at.ended}
		switch inst.Op {
		case syntax.InstMatch:
			return false
		case syntax.InstAlt, syntax.InstAltMatch:
			next = append(next, on, place{inst.Arg, at.consumed, at.ended})
		case syntax.InstEmptyWidth:
			asks := syntax.EmptyOp(inst.Arg)
			if asks&syntax.EmptyBeginText != 0 && at.consumed {
				continue
			}
			on.ended = at.ended || asks&syntax.EmptyEndText != 0
			next = append(next, on)
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if !at.ended {
				on.consumed = true
				next = append(next, on)
			}
		case syntax.InstCapture, syntax.InstNop:
			next = append(next, on)
		}
	}
	return true
}
