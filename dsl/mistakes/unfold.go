package mistakes

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// Unfold puts the content of blocks on lines of their own. It gives up on
// anything but blocks and attributes.
func Unfold(line string) string {
	tokens, ok := scanLine(strings.TrimSpace(line))
	if !ok {
		return ""
	}
	u := unfolding{}
	for i, t := range tokens {
		u.token(t, i+1 < len(tokens) && tokens[i+1] == "=", i > 0 && tokens[i-1] == "=")
	}
	if len(u.open) > 0 || len(u.lines) < 3 {
		return ""
	}
	return "  " + strings.Join(u.lines, "\n  ")
}

// An unfolding collects lines. The brackets around a value are on the stack of
// open ones like those of blocks, marked by what they are.
type unfolding struct {
	lines   []string
	current string
	open    []bool // true for a block
}

func (u *unfolding) inValue() bool { return len(u.open) > 0 && !u.open[len(u.open)-1] }

func (u *unfolding) token(t string, beforeEquals, afterEquals bool) {
	switch {
	case (t == "{" || t == "[" || t == "(") && (afterEquals || u.inValue() || t != "{"):
		u.open = append(u.open, false)
		u.add(t)
	case t == "{":
		u.add(t)
		u.flush()
		u.open = append(u.open, true)
	case t == "}" || t == "]" || t == ")":
		u.close(t)
	case t == "," && !u.inValue():
		u.flush()
	case beforeEquals && !u.inValue():
		u.flush()
		u.add(t)
	default:
		u.add(t)
	}
}

func (u *unfolding) close(t string) {
	if len(u.open) == 0 {
		u.open = append(u.open, true) // not balanced: give up
		return
	}
	isBlock := u.open[len(u.open)-1]
	if !isBlock {
		u.open = u.open[:len(u.open)-1]
		u.add(t)
		return
	}
	u.flush()
	u.open = u.open[:len(u.open)-1]
	u.add(t)
	u.flush()
}

func (u *unfolding) add(t string) {
	tight := u.current == "" || t == "," || t == ")" || t == "]" || t == "(" || t == "." || t == "[" && !strings.HasSuffix(u.current, "=") ||
		strings.HasSuffix(u.current, "(") || strings.HasSuffix(u.current, "[") || strings.HasSuffix(u.current, ".")
	if !tight {
		u.current += " "
	}
	u.current += t
}

func (u *unfolding) flush() {
	if u.current == "" {
		return
	}
	u.lines = append(u.lines, strings.Repeat("  ", u.blocks())+u.current)
	u.current = ""
}

func (u *unfolding) blocks() int {
	n := 0
	for _, b := range u.open {
		if b {
			n++
		}
	}
	return n
}

// lineToken finds the next token of simple source: a text, a name with its dots, a
// number, or an operator or another sign.
var lineToken = pattern.New(`^(?:"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z0-9_.-]*|[0-9]+(?:\.[0-9]+)?|[=!<>]=|&&|\|\||[{}\[\]()=,:*<>!?+/%-])`)

func scanLine(line string) (tokens []string, ok bool) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		t := lineToken().FindString(line)
		if t == "" || len(tokens) > 200 {
			return nil, false
		}
		tokens = append(tokens, t)
		line = line[len(t):]
	}
	return tokens, true
}
