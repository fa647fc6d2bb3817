package wording

import (
	"slices"
	"strings"
)

// Longest is how many bytes a text has at most that a message proposes to write otherwise.
const Longest = 200

// Command writes a command line as the list of a program and its arguments, as a
// shell would split it. What only a shell can do is left to one:
//
//	Command("python3 agent.py") // ["python3", "agent.py"]
//	Command("agent | tee log")  // ["sh", "-c", "agent | tee log"]
//
// It is "" for a line longer than [Longest].
func Command(command string) string {
	if len(command) > Longest {
		return ""
	}
	words, ok := split(command)
	if !ok {
		words = []string{"sh", "-c", command}
	}
	return List(words...)
}

// List writes texts as a file has a list of them, "" where one is longer than [Longest].
func List(texts ...string) string {
	if slices.ContainsFunc(texts, func(s string) bool { return len(s) > Longest }) {
		return ""
	}
	return "[" + Quoted(texts) + "]"
}

// split is the command line as words; not ok where a sign in it means something to
// a shell, or a quote is not closed.
func split(command string) (words []string, ok bool) {
	var word strings.Builder
	quote, begun := rune(0), false
	for _, c := range command {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' || c == '$' && quote != '\'' || c == '`' && quote != '\'' || quote == 0 && strings.ContainsRune("|&;<>()*?~#\n", c):
			return nil, false
		case quote != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			quote, begun = c, true
		case c == ' ' || c == '\t':
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words, quote == 0 && len(words) > 0
}
