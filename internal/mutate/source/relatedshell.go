package source

import (
	"strings"

	wordlist "github.com/scenario-lang/scenario/internal/mutate/source/words"
)

// options leaves out the options of a command, one letter of a cluster at a time.
func (s *shellFile) options(name string, items []item) {
	fl := wordlist.FlagsOf(name)
	if fl.Letters == "" && len(fl.Long) == 0 {
		return
	}
	from, to := items[0].from, items[len(items)-1].to
	begun := false
	for n, it := range items {
		w := s.str(it)
		if it.sign != "" {
			continue
		}
		if !begun { // assignments before the command
			begun = w == name
			continue
		}
		if w == "--" {
			return
		}
		if n == 0 || len(w) < 2 || w[0] != '-' {
			continue
		}
		change := func(a, b int, with string) {
			s.add("related", a, b, with, s.within(from, to, a, b, with))
		}
		switch {
		case fl.Long[w]:
			if w == "--data-urlencode" {
				change(it.from, it.to, "--data")
			} else {
				s.add("related", items[n-1].to, it.to, "", "`"+short(name, side)+"` without `"+short(w, side)+"`")
			}
			continue
		case fl.Long[w+"*"]:
			if n+1 < len(items) && items[n+1].sign == "" {
				s.add("related", items[n-1].to, items[n+1].to, "", "`"+short(name, side)+"` without `"+short(w, side)+"`")
			}
			continue
		case w[1] == '-':
			continue
		case strings.HasPrefix(w, "-F") && len(w) > 2 && fl.Long["-F*"]:
			s.add("related", items[n-1].to, it.to, "", "`"+short(name, side)+"` without `"+short(w, side)+"`")
			continue
		}
		if name == "sort" && (strings.HasPrefix(w, "-k") || n > 0 && s.str(items[n-1]) == "-k") {
			s.keyOption(it, change)
			continue
		}
		for i := 1; i < len(w) && i < 8 && it.plain; i++ {
			if strings.IndexByte(fl.Values, w[i]) >= 0 {
				break
			}
			if strings.IndexByte(fl.Letters, w[i]) < 0 {
				continue
			}
			if len(w) == 2 {
				s.add("related", items[n-1].to, it.to, "", "`"+short(name, side)+"` without `"+w+"`")
			} else {
				change(it.from+i, it.from+i+1, "")
			}
		}
	}
}

// keyOption leaves out the letters behind a key of sort: -k2,2n.
func (s *shellFile) keyOption(it item, change func(a, b int, with string)) {
	w := s.str(it)
	for i := len(w) - 1; i > 2 && strings.IndexByte("nrVhgfbM", w[i]) >= 0; i-- {
		change(it.from+i, it.from+i+1, "")
	}
}
