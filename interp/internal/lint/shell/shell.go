// Package shell finds programs whose end the text of a shell hides: the status of a pipeline is that
// of its last command, and so is that of a list.
//
//	shell.Hides([]string{"sh", "-c", "agent | tee log"}) // "|", "agent"
package shell

import (
	"path"
	"slices"
	"strings"
)

// Hides is the operator behind the first program of a command line whose end the shell does not
// tell, "|" or ";", and that program; "" where there is none, where the command is no shell with a
// text, and where the text is more than a list of commands.
func Hides(command []string) (operator, program string) {
	text, options, is := textOf(command)
	if !is || beyond(text) {
		return "", ""
	}
	list := listOf(text)
	stops, pipes := setsE(options), strings.Contains(options+" "+text, "pipefail")
	for i, item := range list {
		stops = stops || setsE(item[0][0])
		for _, pipeline := range item {
			last := len(pipeline) - 1
			for k, c := range pipeline {
				switch name := nameOf(c); {
				case slices.Contains(ofShell, name):
				case k < last && !pipes && !slices.Contains(sources, name):
					return "|", name
				case k == last && i < len(list)-1 && !stops && !ignores(item) && nameOf(list[len(list)-1][0][0]) != "exec":
					return ";", name
				}
			}
		}
	}
	return "", ""
}

// ofShell are commands before a program that prepare it, and whose own end nobody asks about.
var ofShell = []string{"", "cd", "export", "set", "unset", "umask", "ulimit", "trap", "source", ".", ":", "true", "alias", "shopt", "sleep", "echo", "printf", "exec", "mkdir", "read", "wait", "exit"}

// sources are commands that give a program something to read.
var sources = []string{"cat", "yes", "seq", "head", "tail"}

// textOf is the text that a shell is to run and the arguments before it.
func textOf(command []string) (text, options string, is bool) {
	if len(command) < 3 || !slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh", "ash"}, path.Base(command[0])) {
		return "", "", false
	}
	for i, a := range command[1 : len(command)-1] {
		if strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.Contains(a, "c") {
			return command[i+2], strings.Join(command[1:i+2], " "), true
		}
	}
	return "", "", false
}

// setsE reports whether options or a command let a shell end at the first command that fails.
func setsE(text string) bool {
	words := strings.Fields(text)
	if len(words) > 0 && !strings.HasPrefix(words[0], "-") && words[0] != "set" {
		return false
	}
	return slices.ContainsFunc(words, func(w string) bool {
		return w == "errexit" || strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "e")
	})
}

// beyond reports whether a text is more than a list of commands, or asks itself how one ended.
func beyond(text string) bool {
	for _, part := range []string{"$?", "PIPESTATUS", "pipestatus", "<<"} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n;", r) }), func(w string) bool {
		return slices.Contains([]string{"if", "for", "while", "until", "case", "function", "{", "!"}, w)
	})
}

// An item is what stands between two ; of a text: pipelines that && or || join, and the commands of
// each.
type item [][]string

// ignores reports whether an item says itself what happens where a command of it fails.
func ignores(i item) bool {
	last := i[len(i)-1]
	return len(i) > 1 && slices.Contains([]string{"true", ":"}, nameOf(last[len(last)-1]))
}

// listOf are the items of a text: what is in quotes, in parentheses or behind a # stands within a
// command. A line break ends one as a ; does.
func listOf(text string) (list []item) {
	now, from := item{{}}, 0
	command := func(at, next int) {
		last := len(now) - 1
		now[last] = append(now[last], strings.TrimSpace(text[from:at]))
		from = next
	}
	end := func(at int) {
		if command(at, at+1); len(now) > 1 || strings.Join(now[0], "") != "" {
			list = append(list, now)
		}
		now = item{{}}
	}
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == '\\' && quote != '\'' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\\':
			i++
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '#' && (i == 0 || strings.IndexByte(" \t\n;", text[i-1]) >= 0):
			rest := len(text) - i
			if line := strings.IndexByte(text[i:], '\n'); line >= 0 {
				rest = line
			}
			text = text[:i] + strings.Repeat(" ", rest) + text[i+rest:]
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth > 0:
		case strings.HasPrefix(text[i:], "&&") || strings.HasPrefix(text[i:], "||"):
			command(i, i+2)
			now = append(now, []string{})
			i++
		case c == '|':
			command(i, i+1)
		case c == ';' || c == '\n':
			end(i)
		}
	}
	end(len(text))
	return list
}

// nameOf is the program that a command begins with, "" where it only sets variables.
func nameOf(command string) string {
	for w := range strings.FieldsSeq(command) {
		if name, _, set := strings.Cut(w, "="); !set || name == "" || strings.ContainsAny(name, "/$\"'") {
			return w
		}
	}
	return ""
}
