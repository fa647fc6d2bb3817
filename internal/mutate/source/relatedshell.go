package source

import "strings"

// flags are the options of a command that decide what it does: the letters that may be
// left out, those that take a value, and long options, where * takes the word behind.
type flags struct {
	letters, values string
	long            map[string]bool
}

func flagsOf(command string) flags {
	switch command {
	case "sort":
		return flags{"nruVhgfsbMR", "kotST", set("--numeric-sort --reverse --unique --version-sort --stable --ignore-case")()}
	case "awk", "gawk", "mawk":
		return flags{"", "Fvf", set("-F* --csv")()}
	case "sed":
		return flags{"nEr", "efi", nil}
	case "uniq":
		return flags{"cdui", "fsw", set("--count --repeated --unique --ignore-case")()}
	case "grep", "egrep", "fgrep":
		return flags{"Fxwivc", "ABCDdefm", set("--fixed-strings --line-regexp --word-regexp --ignore-case --invert-match")()}
	case "curl":
		return flags{"fLG", "AbcCdDeEFhHKmoPQrtTuUwxXyYz", set("--fail --fail-with-body --location --get --retry* --max-time* -m* --data-urlencode --retry-all-errors --retry-connrefused")()}
	case "wget":
		return flags{"", "", set("--tries* --timeout* -t* -T*")()}
	case "jq":
		return flags{"res", "L", set("--raw-output --exit-status --slurp")()}
	case "set":
		return flags{"eu", "", nil}
	case "read":
		return flags{"r", "dnptu", nil}
	case "cp", "mv":
		return flags{"n", "tS", set("--no-clobber")()}
	case "date":
		return flags{"u", "dfrs", set("--utc")()}
	case "cut":
		return flags{"s", "bcdf", nil}
	case "tr":
		return flags{"cs", "", nil}
	case "diff":
		return flags{"wbi", "U", nil}
	case "xargs":
		return flags{"r", "aEILnPsd", nil}
	}
	return flags{}
}

// options leaves out the options of a command, one letter of a cluster at a time.
func (s *shellFile) options(name string, items []item) {
	fl := flagsOf(name)
	if fl.letters == "" && len(fl.long) == 0 {
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
		case fl.long[w]:
			if w == "--data-urlencode" {
				change(it.from, it.to, "--data")
			} else {
				s.add("related", items[n-1].to, it.to, "", "`"+short(name, side)+"` without `"+short(w, side)+"`")
			}
			continue
		case fl.long[w+"*"]:
			if n+1 < len(items) && items[n+1].sign == "" {
				s.add("related", items[n-1].to, items[n+1].to, "", "`"+short(name, side)+"` without `"+short(w, side)+"`")
			}
			continue
		case w[1] == '-':
			continue
		case strings.HasPrefix(w, "-F") && len(w) > 2 && fl.long["-F*"]:
			s.add("related", items[n-1].to, it.to, "", "`"+short(name, side)+"` without `"+short(w, side)+"`")
			continue
		}
		if name == "sort" && (strings.HasPrefix(w, "-k") || n > 0 && s.str(items[n-1]) == "-k") {
			s.keyOption(it, change)
			continue
		}
		for i := 1; i < len(w) && i < 8 && it.plain; i++ {
			if strings.IndexByte(fl.values, w[i]) >= 0 {
				break
			}
			if strings.IndexByte(fl.letters, w[i]) < 0 {
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
