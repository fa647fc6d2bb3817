package declared

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/selector"
	"github.com/scenario-lang/scenario/internal/mutate/source/tokens"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// A script is one that was read: its words and signs, and those of what it computes.
type script struct {
	*finder
	lists [][]tokens.Item
	docs  []tokens.Document
}

// script reads a script of a shell, and gives what finds changes in it.
func (f *finder) script() []func() {
	read, ok := tokens.OfShell([]byte(f.Text))
	if !ok {
		return nil
	}
	s := &script{f, append([][]tokens.Item{read.Items}, read.Subs...), read.Docs}
	return []func(){
		s.firstLine, s.options, s.names, s.before, s.cases, s.listed, s.background, s.signals, s.scopes, s.tests, s.redirections, s.documents, s.parameters, s.words, s.quotes,
	}
}

// each calls a function with each list and each word in it.
func (s *script) each(look func(list []tokens.Item, i int)) {
	for _, list := range s.lists {
		for i := range list {
			if s.full() {
				return
			}
			if list[i].Sign == "" {
				look(list, i)
			}
		}
	}
}

func (s *script) str(list []tokens.Item, i int) string {
	if i < 0 || i >= len(list) || list[i].Sign != "" {
		return ""
	}
	return s.Text[list[i].From:list[i].To]
}

func (s *script) sign(list []tokens.Item, i int) string {
	if i < 0 || i >= len(list) {
		return "\n"
	}
	return list[i].Sign
}

// starts reports whether a command begins with a word, behind at most a few variables that are set for it.
func (s *script) starts(list []tokens.Item, i int) bool {
	for range 8 {
		if i == 0 {
			return true
		}
		if sign := s.sign(list, i-1); sign != "" {
			return sign != "<"
		}
		switch w := s.str(list, i-1); w {
		case "then", "do", "else", "elif", "if", "while", "until", "{", "!", "time":
			return true
		default:
			if !assigns().MatchString(w) {
				return false
			}
		}
		i--
	}
	return false
}

// arguments is the end of the words behind one.
func (s *script) arguments(list []tokens.Item, i int) int {
	for i++; i < len(list) && list[i].Sign == ""; i++ {
	}
	return i
}

var (
	shebang = pattern.New(`^#![^\n]*?(?:sh)((?: +-[A-Za-z]+)+)[ \t\r]*(?:\n|$)`)
	assigns = pattern.New(`^[A-Za-z_]\w*\+?=`)
	plain   = pattern.New(`^[A-Za-z_]\w*$`)
)

// firstLine leaves out each flag of the shell that the first line names.
func (s *script) firstLine() {
	m := shebang().FindStringSubmatchIndex(s.Text)
	if m == nil {
		return
	}
	line, _, _ := strings.Cut(s.Text, "\n")
	for i := m[2]; i < m[3]; i++ {
		if c := s.Text[i]; c != ' ' && c != '-' && c != 'o' {
			from, to := i, i+1
			if s.Text[i-1] == '-' && (to == m[3] || s.Text[to] == ' ') {
				for from--; s.Text[from-1] == ' '; from-- {
				}
			}
			s.Add(from, to, "", "`"+inner.Short(line, 50)+"` without `-"+string(c)+"`")
		}
	}
}

// options leaves out those that set -o and shopt switch on.
func (s *script) options() {
	s.each(func(list []tokens.Item, i int) {
		if s.str(list, i) != "set" || !s.starts(list, i) {
			return
		}
		for k := i + 1; k < s.arguments(list, i); k++ {
			w := s.str(list, k)
			if !strings.HasPrefix(w, "-") || !strings.HasSuffix(w, "o") || s.str(list, k+1) == "" {
				continue
			}
			from, to := list[k].To-1, list[k+1].To
			if w == "-o" {
				from = list[k-1].To
			}
			s.Add(from, to, "", inner.Within(s.Text, list[i].From, to, from, to, ""))
		}
	})
}

// names leaves out the last one of those that read fills, which then has what was its.
func (s *script) names() {
	s.each(func(list []tokens.Item, i int) {
		if s.str(list, i) != "read" || !s.starts(list, i) {
			return
		}
		last := s.arguments(list, i) - 1
		if !plain().MatchString(s.str(list, last)) || !plain().MatchString(s.str(list, last-1)) || last-1 <= i || strings.HasPrefix(s.str(list, last-2), "-") && strings.ContainsAny(s.str(list, last-2)[1:], "dnptua") {
			return
		}
		s.leave(list[last-1].To, list[last].To, s.str(list, last))
	})
}

// before leaves out a variable that is set for one command: IFS=, read, LC_ALL=C sort.
func (s *script) before() {
	s.each(func(list []tokens.Item, i int) {
		if !assigns().MatchString(s.str(list, i)) || !s.starts(list, i) || s.sign(list, i+1) != "" || i+1 >= len(list) {
			return
		}
		s.leave(list[i].From, list[i+1].From, s.str(list, i))
	})
}

// cases leaves out those of a case, and each of several patterns of one.
func (s *script) cases() {
	s.each(func(list []tokens.Item, i int) {
		if s.str(list, i) != "case" || !s.starts(list, i) {
			return
		}
		k := i + 1
		for ; k < min(len(list), i+mostTokens) && s.str(list, k) != "in"; k++ {
		}
		depth, first, open, clauses := 0, -1, -1, 0
		type one struct{ first, open, last int }
		var found []one
		for k++; k < min(len(list), i+mostTokens) && clauses < mostOfKind; k++ {
			w, sign := s.str(list, k), s.sign(list, k)
			if w == "case" && s.starts(list, k) && first >= 0 {
				depth++
			}
			if w == "esac" {
				if depth--; depth < 0 {
					break
				}
			}
			switch {
			case depth > 0:
			case first < 0 && sign == "":
				first = k
			case sign == ")" && open < 0 && first >= 0:
				open = k
			case strings.HasPrefix(sign, ";;") && open >= 0:
				found = append(found, one{first, open, k})
				first, open = -1, -1
				clauses++
			}
		}
		for _, c := range found {
			for n := c.first; n < c.open; n++ {
				if s.sign(list, n) == "|" {
					s.leave(list[n].From, list[n+1].To, s.str(list, n+1))
					if n == c.first+1 {
						s.leave(list[c.first].From, list[n].To, s.str(list, c.first))
					}
				}
				for _, x := range selector.Loose(s.str(list, n)) {
					s.put(list[n].From+x.From, list[n].From+x.To, x.Text, list[n].From, list[n].To)
				}
			}
			if len(found) > 1 {
				from, to := list[c.first].From, list[c.last].To
				s.Add(from, to, "", "`"+inner.Short(s.Text[from:list[c.open].To], 60)+"` left out")
			}
		}
	})
}

// listed leaves out the last of the words that a for goes through.
func (s *script) listed() {
	s.each(func(list []tokens.Item, i int) {
		if s.str(list, i) != "for" || !s.starts(list, i) || s.str(list, i+2) != "in" {
			return
		}
		last := s.arguments(list, i+2) - 1
		if last < i+4 || !list[last].Plain || strings.ContainsAny(s.str(list, last), "*?[{") {
			return
		}
		s.leave(list[last-1].To, list[last].To, s.str(list, last))
	})
}

// background waits for what is begun.
func (s *script) background() {
	for _, list := range s.lists {
		for i := 1; i < len(list) && !s.full(); i++ {
			if list[i].Sign != "&" {
				continue
			}
			with := ";"
			if s.sign(list, i+1) == "\n" || i+1 == len(list) {
				with = ""
			}
			from := strings.LastIndexByte(s.Text[:list[i].From], '\n') + 1
			s.Add(list[i].From, list[i].To, with, "`"+inner.Short(strings.TrimSpace(s.Text[from:list[i].To]), 50)+"` is waited for")
		}
	}
}

// signals leaves out each of those that a trap is for.
func (s *script) signals() {
	s.each(func(list []tokens.Item, i int) {
		if s.str(list, i) != "trap" || !s.starts(list, i) {
			return
		}
		end := s.arguments(list, i)
		for k := i + 2; k < end && end > i+3; k++ {
			s.put(list[k-1].To, list[k].To, "", list[i].From, list[end-1].To)
		}
	})
}

// scopes sets what is of a function, or of what it starts, for all, or for nobody else.
func (s *script) scopes() {
	s.each(func(list []tokens.Item, i int) {
		w := s.str(list, i)
		if w != "local" && w != "export" && w != "declare" && w != "typeset" || !s.starts(list, i) || s.arguments(list, i) != i+2 || !assigns().MatchString(s.str(list, i+1)) {
			return
		}
		s.leave(list[i].From, list[i+1].From, w+" "+s.str(list, i+1)[:strings.IndexByte(s.str(list, i+1), '=')])
	})
}

// tests asks whether a file is there, and not whether it is one, can be read or has something in it.
func (s *script) tests() {
	s.each(func(list []tokens.Item, i int) {
		if w := s.str(list, i); w != "-f" && w != "-s" && w != "-d" && w != "-r" && w != "-w" && w != "-x" {
			return
		}
		before := i - 1
		if s.str(list, before) == "!" {
			before--
		}
		if w := s.str(list, before); w == "[" || w == "[[" || w == "test" {
			s.put(list[i].From, list[i].To, "-e", list[before].From, list[min(i+1, len(list)-1)].To)
		}
	})
	s.each(func(list []tokens.Item, i int) { // [[ $a == b* ]]
		if w := s.str(list, i-1); w != "==" && w != "=" && w != "!=" && w != "=~" {
			return
		}
		k := i - 1
		for k > 0 && k > i-6 && s.str(list, k) != "[[" {
			k--
		}
		if s.str(list, k) != "[[" {
			return
		}
		loose := selector.Loose
		if s.str(list, i-1) == "=~" {
			loose = selector.Anchored
		}
		for _, x := range loose(s.str(list, i)) {
			s.put(list[i].From+x.From, list[i].From+x.To, x.Text, list[i].From, list[i].To)
		}
	})
}

var redirects = pattern.New(`^(\d*|&)(>>?)(\|?)([^&>(|]|$)`)

// redirections writes behind what is there and over it, and leaves out what joins what is written.
func (s *script) redirections() {
	for _, list := range s.lists {
		for i := 0; i < len(list) && !s.full(); i++ {
			if list[i].Sign != "<" {
				continue
			}
			from, to := list[i].From, list[i].To
			shown := s.Text[from:to]
			if strings.HasPrefix(shown, "2>&1") {
				if i > 0 {
					from = list[i-1].To
				}
				s.leave(from, to, shown)
				continue
			}
			m := redirects().FindStringSubmatchIndex(shown)
			if m == nil || strings.Contains(shown, "/dev/") || m[3]-m[2] > 0 && shown[:m[3]] != "1" {
				continue
			}
			with := map[string]string{">": ">>", ">>": ">"}[shown[m[4]:m[5]]]
			s.Add(from+m[4], from+m[5], with, inner.Instead(shown, with+shown[m[5]:]))
		}
	}
}

// documents computes what stands in a document as it is.
func (s *script) documents() {
	for _, list := range s.lists {
		for i := 0; i < len(list) && !s.full(); i++ {
			n := list[i].Document
			if n < 1 || n > len(s.docs) || !s.docs[n-1].Quoted || !strings.ContainsAny(s.Text[s.docs[n-1].From:s.docs[n-1].To], "$`\\") {
				continue
			}
			shown := s.Text[list[i].From:list[i].To]
			at := strings.IndexAny(shown, `'"\`)
			if at < 0 {
				continue
			}
			s.Add(list[i].From+at, list[i].To, s.docs[n-1].End, inner.Instead(shown, shown[:at]+s.docs[n-1].End))
		}
	}
}
