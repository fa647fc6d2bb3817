package source

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/source/group"
)

// inPlace reports whether a command gives the lines of its files, or of what it is given, in another order or number.
func inPlace(name string) bool {
	return name == "sort" || name == "uniq" || name == "rev" || name == "tac"
}

// takes reports whether a word is an option of theirs that has a value behind it.
func takes(w string) bool { return len(w) == 2 && w[0] == '-' && strings.IndexByte("ktoST", w[1]) >= 0 }

// leaveCommand notes a command that can be left out.
func (s *shellFile) leaveCommand(name string, from, to int, with string) {
	s.places = append(s.places, group.Place{Key: name, Shown: name, From: from, To: to, Text: with, Statement: s.line(from)})
}

// unfiltered notes a command whose lines can stay as they are: sort "$1" is cat "$1", and $(basename "$x") is "$x".
func (s *shellFile) unfiltered(items []item, piped bool) {
	if items[0].sign != "" || slices.ContainsFunc(items, func(it item) bool { return it.document > 0 || it.sign != "" && it.sign != "<" }) {
		return
	}
	name := s.str(items[0])
	var words, files []string
	for n, it := range items[1:] {
		w := s.str(it)
		if words = append(words, w); strings.HasPrefix(w, "-") && it.sign == "" || takes(s.str(items[n])) {
			continue
		}
		files = append(files, w)
	}
	from, to := items[0].from, items[len(items)-1].to
	switch {
	case inPlace(name) && (!piped || len(files) > 0):
		s.leaveCommand(name, from, to, strings.TrimSpace("cat "+strings.Join(files, " ")))
	case piped && len(items) == 1 && s.functions[name]:
		s.leaveCommand(name, from, to, "cat")
	case s.inside && len(words) == 1 && len(files) == 1 && (s.functions[name] || name == "basename" || name == "dirname" || name == "realpath"):
		s.leaveCommand(name, from, to, `printf '%s\n' `+files[0])
	}
}

// written writes a file itself where a temporary one is written and takes its place.
func (s *shellFile) written(items []item) {
	var words []item
	for _, it := range items {
		switch name, value, is := s.assignment(it); {
		case is && len(words) == 0:
			if strings.Contains(s.source[it.from+value:it.to], "$(mktemp") {
				s.temps[name] = [2]int{it.from + value, it.to}
			}
		case it.sign != "":
			return
		case len(words) == 0 || !strings.HasPrefix(s.str(it), "-"):
			words = append(words, it)
		}
	}
	if len(words) != 3 || s.str(words[0]) != "mv" {
		return
	}
	old, name := s.str(words[1]), s.str(words[2])
	from, to := words[0].from, words[2].to
	left := group.Place{From: from, To: to, Text: ":"}
	shown := "`" + short(s.source[from:to], 36) + "` left out, `" + short(name, 20) + "` itself is written"
	if made, is := s.temps[strings.Trim(old, "\"${}")]; is && made[1] <= from {
		s.finder().AtOnce([]group.Place{{From: made[0], To: made[1], Text: name}, left}, shown)
		return
	}
	all, start := []group.Place{left}, max(from-span+400, 0)
	for len(old) > 2 && len(all) < 20 {
		i := strings.Index(s.source[start:from], old)
		if i < 0 {
			break
		}
		all, start = append(all, group.Place{From: start + i, To: start + i + len(old), Text: name}), start+i+len(old)
	}
	if len(all) > 1 {
		s.finder().AtOnce(all, shown)
	}
}

// oneLine takes the first or the last line of what is not sorted, where a command takes one of what the one before it sorts.
func (s *shellFile) oneLine(sorts, items []item, piped bool) {
	var words [2][]string
	for n, list := range [2][]item{sorts, items} {
		for _, it := range list {
			words[n] = append(words[n], s.str(it))
		}
	}
	if with, change := group.OneLine(words[0], words[1], piped); with != "" {
		s.add("together", sorts[0].from, items[len(items)-1].to, with, change)
	}
}
