package pages

import (
	"fmt"
	"strings"
)

// Patch applies a diff block to a text: the lines that begin with a space or
// a minus must stand in it once, together; they become those that begin with
// a space or a plus. An empty line stands for a space.
func Patch(text, diff string) (string, error) {
	var before, after strings.Builder
	for _, line := range strings.SplitAfter(strings.TrimRight(diff, "\n")+"\n", "\n") {
		if line == "" {
			continue
		}
		mark, rest := line[0], line[1:]
		if line == "\n" {
			mark, rest = ' ', line
		}
		switch mark {
		case ' ':
			before.WriteString(rest)
			after.WriteString(rest)
		case '-':
			before.WriteString(rest)
		case '+':
			after.WriteString(rest)
		default:
			return "", fmt.Errorf("a line of a diff begins with a space, a plus or a minus: %q", line)
		}
	}
	if n := strings.Count(text, before.String()); n != 1 {
		return "", fmt.Errorf("the lines to change stand %d times in the file:\n%s", n, before.String())
	}
	return strings.Replace(text, before.String(), after.String(), 1), nil
}
