package declared

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/selector"
	"github.com/scenario-lang/scenario/internal/mutate/source/tokens"
	"github.com/scenario-lang/scenario/internal/pattern"
)

var (
	// expansion is what is done with the value of a variable.
	expansion = pattern.New(`\$\{([A-Za-z_]\w*|[1-9@])(:-|:\+|:\?|-|##?|%%?|//?|,,|\^\^|:[0-9])([^{}\n]*)\}`)
	// quoted is a word that is one variable, or all arguments.
	quoted = pattern.New(`^"(\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\}|\$[1-9@*])"$`)
)

// parameters leaves out what is done with the value of a variable, or does the same at the other place.
func (s *script) parameters() {
	single := func(list []tokens.Item, i int) bool { return strings.HasPrefix(s.str(list, i), "'") }
	s.each(func(list []tokens.Item, i int) {
		if single(list, i) {
			return
		}
		from, to := list[i].From, list[i].To
		for _, m := range expansion().FindAllStringSubmatchIndex(s.Text[from:to], 4) {
			a, b, end := from+m[4], from+m[5], from+m[7]
			shown := func(with string) string {
				return inner.Instead(s.Text[from+m[0]:from+m[1]], s.Text[from+m[0]:a]+with+"}")
			}
			switch sign := s.Text[a:b]; sign {
			case "#", "##", "%", "%%", "/", "//":
				with := map[string]string{"#": "##", "##": "#", "%": "%%", "%%": "%", "/": "//", "//": "/"}[sign]
				s.Add(a, b, with, shown(with+s.Text[b:end]))
				if sign[0] == '/' {
					s.Add(a, end, "", shown(""))
				}
			default:
				s.Add(a, end, "", shown(""))
			}
		}
	})
}

// words takes more files than a pattern of names.
func (s *script) words() {
	s.each(func(list []tokens.Item, i int) {
		w := s.str(list, i)
		if !strings.Contains(w, "*.") || s.starts(list, i) {
			return
		}
		if sign := s.sign(list, i+1); sign == ")" || sign == "|" && s.sign(list, i+2) == "" && s.sign(list, i+3) == ")" {
			return // the pattern of a case
		}
		for _, c := range selector.Of(strings.Trim(w, `"'`)) {
			at := list[i].From + len(w) - len(strings.TrimLeft(w, `"'`))
			s.put(at+c.From, at+c.To, c.Text, list[i].From, list[i].To)
		}
	})
}

// quotes leaves out those around a variable, so that a value with spaces is several words.
func (s *script) quotes() {
	s.each(func(list []tokens.Item, i int) {
		w := s.str(list, i)
		if !quoted().MatchString(w) || s.starts(list, i) {
			return
		}
		for k := i - 1; k >= 0 && k > i-8 && s.sign(list, k) == ""; k-- {
			if v := s.str(list, k); v == "[[" || v == "[" || v == "test" || v == "case" {
				return
			}
		}
		s.Add(list[i].From, list[i].To, w[1:len(w)-1], inner.Instead(w, w[1:len(w)-1]))
	})
}
