package shell

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Shown file is one that a command line writes to its standard output after a program.
type Shown struct {
	// File is its name as the command has it, or below the folder that the shell changes to.
	File string
	// Whole says that all of it is written as it is: by cat, and through no filter.
	Whole bool
}

// shows are commands that write files to their standard output, or what they make of them.
var shows = []string{"cat", "head", "tail", "jq", "sort", "uniq", "cut"}

// filters are those through which what a file has may pass: none of them is the program that is tested.
var filters = append(slices.Clone(shows), "grep", "tr", "sed", "awk", "column", "fmt", "tee", "rev", "tac", "nl", "base64")

// Shows are the files that the text of a shell writes to its standard output behind a program, as in
// "agent && cat report.json". None where the command is no shell with a text, and where the text is more than a
// list of commands.
func Shows(command []string) (list []Shown) {
	text, _, is := textOf(command)
	if !is || beyond(text) {
		return nil
	}
	ran, dir := false, ""
	for _, item := range listOf(text) {
		for _, pipeline := range item {
			first := nameOf(pipeline[0])
			switch {
			case first == "cd":
				words, plain := wordsOf(pipeline[0])
				if !plain || len(words) != 2 {
					return list // somewhere
				}
				dir = join(dir, words[1])
			case ran && slices.Contains(shows, first) && !slices.ContainsFunc(pipeline[1:], func(c string) bool { return !slices.Contains(filters, nameOf(c)) }):
				words, _ := wordsOf(pipeline[0])
				for _, name := range filesOf(words) {
					list = append(list, Shown{join(dir, name), first == "cat" && len(pipeline) == 1})
				}
			case len(pipeline) > 1 || !slices.Contains(ofShell, first) && !slices.Contains([]string{"rm", "cp", "mv", "touch"}, first):
				ran = true
			}
		}
	}
	return list
}

// join is a name below a folder.
func join(dir, name string) string {
	if dir == "" || path.IsAbs(name) {
		return name
	}
	return path.Join(dir, name)
}

// filesOf are the files among the words of a command that shows some, none where its output goes elsewhere.
func filesOf(words []string) (list []string) {
	skip := len(words) > 0 && words[0] == "jq" // its filter
	for i, w := range words {
		_, err := strconv.Atoi(strings.TrimLeft(w, "+"))
		switch {
		case strings.HasPrefix(w, ">") || strings.HasPrefix(w, "1>"):
			return nil
		case i == 0 || strings.HasPrefix(w, "-") || err == nil:
		case strings.ContainsAny(w, "<>"):
			return list // of standard error, or another input
		case strings.ContainsAny(w, "$*?`["):
			if skip {
				skip = false
			}
		case skip:
			skip = false
		default:
			list = append(list, w)
		}
	}
	return list
}

// wordsOf are the words of a command without their quotes; plain says that none has a part that the shell works
// out.
func wordsOf(command string) (words []string, plain bool) {
	plain = true
	var word strings.Builder
	begun, quote := false, rune(0)
	end := func() {
		if begun {
			words = append(words, word.String())
		}
		word.Reset()
		begun = false
	}
	for _, c := range command {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			plain = plain && (quote == '\'' || c != '$' && c != '`')
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, begun = c, true
		case c == ' ' || c == '\t':
			end()
		default:
			plain = plain && !strings.ContainsRune("$`*?~", c)
			begun = true
			word.WriteRune(c)
		}
	}
	end()
	return words, plain
}
