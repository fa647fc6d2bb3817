package lsp

import "bytes"

// focused is a document as far as it matters at an offset: scenarios that the place
// is not in are blank, because nothing can name what is in them. What is known at a
// place outside of scenarios, as in an invariant, may come from what they run; so
// there one scenario is left for each thing that is run. Offsets stay as they are.
func (d *document) focused(offset int) *document {
	whole := scenariosOf(d.text.src)
	inside := false
	for _, s := range whole {
		inside = inside || s.from <= offset && offset <= s.to
	}
	src, runs := bytes.Clone(d.text.src), map[string]bool{}
	for _, s := range whole {
		if s.from <= offset && offset <= s.to {
			continue
		}
		if !inside && !runs[s.runs] {
			runs[s.runs] = true
			continue
		}
		blank(src[s.from:s.to])
	}
	f := *d
	f.text = &text{src: src, lines: d.text.lines}
	return &f
}

// A stretch is where a scenario stands in a text, and the line that says what it
// runs.
type stretch struct {
	from, to int
	runs     string
}

// scenariosOf finds the scenarios of a text that can be told from the rest by their
// lines: one that begins and ends without indentation, and in which neither a
// here-document nor anything else does.
func scenariosOf(src []byte) (found []stretch) {
	at, begun := 0, false
	var s stretch
	for line := range bytes.Lines(src) {
		from := at
		at += len(line)
		switch text := bytes.TrimRight(line, " \t\r\n"); {
		case bytes.HasPrefix(text, []byte("scenario ")) && bytes.HasSuffix(text, []byte("{")):
			s, begun = stretch{from: from}, true
		case bytes.Contains(text, []byte("<<")), bytes.Contains(text, []byte("/*")), bytes.Contains(text, []byte("*/")):
			begun = false
		case !begun || len(text) == 0:
		case string(text) == "}":
			s.to = from + 1
			found, begun = append(found, s), false
		case text[0] != ' ' && text[0] != '\t' && text[0] != '#':
			begun = false
		case s.runs == "" && bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte("run ")):
			s.runs = string(text)
		}
	}
	return found
}

// blank takes away what is written and leaves the lines.
func blank(src []byte) {
	for i, c := range src {
		if c != '\n' && c != '\r' {
			src[i] = ' '
		}
	}
}
