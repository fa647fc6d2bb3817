// Package commands changes the commands of a script: it leaves out options, and puts the plain form of a command in its
// place, as somebody would have written it who did not know the command.
package commands

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/words"
)

// side is how many characters of a change are shown.
const side = 36

// A Word is one of a command, or a sign such as a redirection, with its bytes. Plain says that it has no quotes.
type Word struct {
	Text, Sign string
	From, To   int
	Plain      bool
}

// A Command is a simple one, with the text around it. Name is its first word that assigns nothing.
type Command struct {
	Source, Name string
	Words        []Word
	// Add keeps a change of the operator `related`.
	Add func(from, to int, with, change string)
}

// Options leaves out the options of a command, one letter of a cluster at a time.
func (c *Command) Options() {
	fl := words.FlagsOf(c.Name)
	if fl.Letters == "" && len(fl.Long) == 0 {
		return
	}
	from, to := c.Words[0].From, c.Words[len(c.Words)-1].To
	without := func(a, b int, option string) {
		c.Add(a, b, "", "`"+inner.Short(c.Name, side)+"` without `"+inner.Short(option, side)+"`")
	}
	begun := false
	for n, it := range c.Words {
		w := it.Text
		if it.Sign != "" {
			continue
		}
		if !begun { // assignments before the command
			begun = w == c.Name
			continue
		}
		if w == "--" {
			return
		}
		if n == 0 || len(w) < 2 || w[0] != '-' {
			continue
		}
		before := c.Words[n-1]
		change := func(a, b int, with string) {
			c.Add(a, b, with, inner.Within(c.Source, from, to, a, b, with))
		}
		switch {
		case fl.Long[w]:
			if w == "--data-urlencode" {
				change(it.From, it.To, "--data")
			} else {
				without(before.To, it.To, w)
			}
			continue
		case fl.Long[w+"*"]:
			if n+1 < len(c.Words) && c.Words[n+1].Sign == "" {
				without(before.To, c.Words[n+1].To, w)
			}
			continue
		case w[1] == '-':
			continue
		case strings.HasPrefix(w, "-F") && len(w) > 2 && fl.Long["-F*"]:
			without(before.To, it.To, w)
			continue
		}
		if c.Name == "sort" && (strings.HasPrefix(w, "-k") || before.Text == "-k") {
			keyOption(it, change)
			continue
		}
		for i := 1; i < len(w) && i < 8 && it.Plain; i++ {
			if strings.IndexByte(fl.Values, w[i]) >= 0 {
				break
			}
			if strings.IndexByte(fl.Letters, w[i]) < 0 {
				continue
			}
			if len(w) == 2 {
				c.Add(before.To, it.To, "", "`"+inner.Short(c.Name, side)+"` without `"+w+"`")
			} else {
				change(it.From+i, it.From+i+1, "")
			}
		}
	}
}

// keyOption leaves out the letters behind a key of sort: -k2,2n.
func keyOption(it Word, change func(a, b int, with string)) {
	for i := len(it.Text) - 1; i > 2 && strings.IndexByte("nrVhgfbM", it.Text[i]) >= 0; i-- {
		change(it.From+i, it.From+i+1, "")
	}
}

// given are the files of a command, its options, and its redirections. It is false where it has other signs.
func (c *Command) given() (files, options, more []string, first int, ok bool) {
	first = -1
	for n, it := range c.Words {
		switch {
		case it.Sign == "<":
			more = append(more, it.Text)
		case it.Sign != "":
			return nil, nil, nil, 0, false
		case first < 0:
			if it.Text == c.Name {
				first = n
			}
		case len(it.Text) > 1 && it.Text[0] == '-':
			options = append(options, it.Text)
		case takes(c.Name, c.Words[n-1].Text):
		default:
			files = append(files, it.Text)
		}
	}
	return files, options, more, first, first >= 0
}

// takes reports whether an option of a command has a value behind it.
func takes(name, option string) bool {
	return len(option) == 2 && option[0] == '-' && strings.IndexByte(words.FlagsOf(name).Values, option[1]) >= 0
}

// The words of a file, each once, in their order; and two files side by side, without the first word of the second.
const (
	eachOnce = `awk '{ for (i = 1; i <= NF; i++) if (!seen[$i]++) print $i }'`
	byLine   = `awk 'NR == FNR { one[FNR] = $0; next } { $1 = ""; print one[FNR] $0 }'`
)

// Plain puts what does less in the place of a command.
func (c *Command) Plain() {
	files, options, more, first, ok := c.given()
	if !ok || len(c.Words) > 40 {
		return
	}
	from, to := c.Words[first].From, c.Words[len(c.Words)-1].To
	put := func(with, shown string) {
		if len(more) > 0 {
			with += " " + strings.Join(more, " ")
		}
		c.Add(from, to, with, "`"+inner.Short(c.Source[from:min(to, from+300)], side)+"` "+shown)
	}
	reads := slices.ContainsFunc(more, func(w string) bool { return strings.HasPrefix(w, "<") })
	named := strings.Join(files, " ")
	with := func(command string) string { return strings.TrimRight(command+" "+named, " ") }
	switch c.Name {
	case "sort":
		if len(files) > 0 || reads {
			put(with("cat"), "→ `"+inner.Short(with("cat"), 30)+"`")
		}
	case "uniq", "tac", "rev", "shuf":
		if len(files) == 1 || reads {
			put(with("cat"), "→ `"+inner.Short(with("cat"), 30)+"`")
		}
	case "tsort":
		put(with(eachOnce), "→ each word in the order of the file")
	case "join":
		if len(files) == 2 && len(options) == 0 {
			put(with(byLine), "→ line by line")
		}
	case "paste":
		if len(files) > 1 && len(options) == 0 {
			put(with("cat"), "→ one file after the other")
		}
	}
}

// everyday are commands that every script has, and that no scenario is about.
var everyday = words.Set(`echo printf curl wget cat set cd read test exit return export local readonly declare typeset source true false wait sleep kill trap
	rm mkdir rmdir mktemp exec eval shift unset break continue time command env python python3 node ruby sh bash java go npm npx make
	basename dirname date tee chmod touch ls getopts ulimit umask let pwd type which nohup mv cp ln timeout flock nice setsid`)

// Known reports whether nobody wants to know that a command is not changed: every script has it, or its name is computed
// or that of a file.
func Known(name string) bool {
	return everyday()[name] || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != ""
}
