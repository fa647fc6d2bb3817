package pages

import (
	"fmt"
	"strings"
)

// A Command is one line that a reader types.
type Command struct {
	// Env are the assignments before the words, NAME=VALUE.
	Env   []string
	Words []string
}

// ParseCommand splits a line as a shell does, as far as examples need it:
// words, single and double quotes, assignments at the front, and a comment
// after " #".
func ParseCommand(line string) (Command, error) {
	line, _, _ = strings.Cut(line, " # ")
	words, err := split(line)
	if err != nil {
		return Command{}, fmt.Errorf("%w: %s", err, line)
	}
	var c Command
	for len(words) > 0 && isAssignment(words[0]) {
		c.Env = append(c.Env, words[0])
		words = words[1:]
	}
	c.Words = words
	return c, nil
}

func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

func split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, inside := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inside = r, true
		case r == ' ' || r == '\t':
			if inside {
				words = append(words, word.String())
			}
			word.Reset()
			inside = false
		case strings.ContainsRune("|&;<>`", r):
			return nil, fmt.Errorf("an example is one plain command, without %q", r)
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c has no end", quote)
	}
	if inside {
		words = append(words, word.String())
	}
	return words, nil
}
