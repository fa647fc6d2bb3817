package source

import (
	"path"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/quoted"
	"github.com/scenario-lang/scenario/internal/mutate/source/tokens"
	wordlist "github.com/scenario-lang/scenario/internal/mutate/source/words"
)

var databases = set("sqlite3 psql mysql mariadb duckdb")

// inner changes the programs of other languages among the words of a command, and in
// what it reads from the lines below.
func (s *shellFile) inner(name string, items []item) {
	base := path.Base(name)
	language := innerPrograms()[base]
	file, option := wordlist.Interpreter(name)
	one, two := wordlist.Taking(base)
	found := false
	for n := 0; n < len(items); n++ {
		it := items[n]
		if it.document > 0 {
			s.innerDocument(s.docs[it.document-1], base, file)
		}
		if it.sign != "" {
			continue
		}
		w := s.str(it)
		before := ""
		if n > 0 {
			before = s.str(items[n-1])
		}
		switch {
		case file != "" && before == option && option != "":
			s.program(file, it)
		case language != "" && w != name && !found:
			switch {
			case one[w]:
				n++
			case two[w]:
				n += 2
			case w == "-f" || w == "--from-file" || w == "--file":
				found = true
			case base == "sed" && before == "-e":
				s.innerWord(language, it)
			case strings.HasPrefix(w, "-"):
			case s.isAssignment(it):
			default:
				found = true
				if base != "sed" || before != "-e" {
					s.innerWord(language, it)
				}
			}
		case language == "" && !it.plain:
			s.innerWord("", it)
		}
	}
}

func (s *shellFile) isAssignment(it item) bool { _, _, is := s.assignment(it); return is }

// innerWord changes a word that is a program of a language, or one that says itself of
// which it is one.
func (s *shellFile) innerWord(language string, it item) {
	if it.to-it.from < 6 || it.to-it.from > large {
		return
	}
	t := s.word(it.from, it.to)
	if t == nil {
		return
	}
	if language == "" {
		if language = inner.Language(string(t.text)); language != "sql" {
			return
		}
	}
	s.innerChanges(language, t)
}

// word is what a word says, nil where it cannot be read.
func (s *shellFile) word(from, to int) *innerText {
	t := &innerText{}
	bare := innerPart{write: func(s string) (string, bool) {
		return s, strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == ""
	}}
	for i := from; i < to; {
		switch c := s.text[i]; c {
		case '\'':
			n := strings.IndexByte(s.source[i+1:to], '\'')
			if n < 0 {
				return nil
			}
			t.parts = append(t.parts, innerPart{open: "'", close: "'", write: func(s string) (string, bool) { return s, !strings.Contains(s, "'") }})
			for k := i + 1; k < i+1+n; k++ {
				t.put(s.text[k], k, k+1)
			}
			i += n + 2
		case '"':
			t.parts = append(t.parts, innerPart{open: `"`, close: `"`, write: quoted.Expanded(`"`)})
			i = s.expandable(t, i+1, to, '"') + 1
		default:
			t.parts = append(t.parts, bare)
			end := i
			for end < to && s.text[end] != '\'' && s.text[end] != '"' {
				if s.text[end] == '\\' {
					end++
				}
				end++
			}
			i = s.expandable(t, i, min(end, to), 0)
		}
	}
	return t
}

// expandable adds a text in which the shell puts in values, up to a byte that ends it, and
// is where it ends.
func (s *shellFile) expandable(t *innerText, from, to int, end byte) int {
	for i := from; i < to; {
		c := s.text[i]
		switch {
		case c == end && end != 0:
			return i
		case c == '\\' && i+1 < to:
			switch next := s.text[i+1]; next {
			case '$', '`', '\\', '"':
				t.put(next, i, i+2)
				i += 2
			case '\n':
				i += 2
			default:
				t.put('\\', i, i+1)
				i++
			}
		case c == '$' || c == '`':
			past := tokens.Part(s.text[:to], i)
			if past <= i {
				return to
			}
			if past == i+1 { // $name
				for past < to && nameByte(s.text[past]) {
					past++
				}
			}
			t.hole(s.source, i, past)
			i = past
		default:
			t.put(c, i, i+1)
			i++
		}
	}
	return to
}

// innerDocument changes what a command reads from the lines below it.
func (s *shellFile) innerDocument(d tokens.Document, command, file string) {
	if d.To <= d.From || d.To-d.From > large {
		return
	}
	content := s.source[d.From:d.To]
	if file != "" {
		if d.Quoted || !strings.ContainsAny(content, "$`\\") {
			s.nested(file, d.From, d.To, func(text string) (string, bool) {
				return text, d.Quoted || !strings.ContainsAny(text, "$`\\")
			})
		}
		return
	}
	t := &innerText{}
	if d.Quoted {
		t.parts = append(t.parts, innerPart{write: func(s string) (string, bool) { return s, true }})
		for i := d.From; i < d.To; i++ {
			t.put(s.text[i], i, i+1)
		}
	} else {
		t.parts = append(t.parts, innerPart{write: quoted.Expanded("")})
		s.expandable(t, d.From, d.To, 0)
	}
	language := inner.Language(string(t.text))
	if databases()[command] {
		language = "sql"
	}
	if language == "sql" {
		s.innerChanges(language, t)
	}
}

// program changes a word that is a program: what stands behind python3 -c.
func (s *shellFile) program(file string, it item) {
	w := s.str(it)
	if len(w) < 4 || len(w) > large || w[0] != w[len(w)-1] {
		return
	}
	body := w[1 : len(w)-1]
	switch {
	case w[0] == '\'' && !strings.Contains(body, "'"):
		s.nested(file, it.from+1, it.to-1, func(text string) (string, bool) { return text, !strings.Contains(text, "'") })
	case w[0] == '"' && !strings.ContainsAny(body, "\"$`\\!"):
		s.nested(file, it.from+1, it.to-1, func(text string) (string, bool) { return text, !strings.ContainsAny(text, "\"$`\\!") })
	}
}

// nested adds the changes of a program that stands in a script.
func (s *shellFile) nested(name string, from, to int, write func(string) (string, bool)) {
	if s.depth > 1 {
		return
	}
	for _, m := range mutants(name, s.text[from:to], s.depth+1) {
		if text, ok := write(m.Text); ok {
			s.add(m.Operator, from+m.From, from+m.To, text, m.Change)
		}
	}
}
