package diagnostics

import (
	"bytes"
	"embed"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// An Entry is one mistake.
type Entry struct {
	// Slug names the entry and stays as it is when words change.
	Slug string
	// Summary is the first line of the message.
	Summary string
	// Means says what is wrong, and Do what to do about it, in one sentence or
	// two.
	Means, Do string
	// Source is a file that makes this mistake and no other. It is nil where
	// Shown names another test, from the root of the module, that does so.
	Source []byte
	// world is where the declarations begin that every example may use, 0 where
	// there are none.
	world int
	Shown string
	// Files are those beside it, by name.
	Files map[string][]byte
	// Vars are the variables that are given.
	Vars map[string]string
}

// File is what diagnostics call the source of an entry.
const File = "example.scenario.hcl"

//go:embed catalogue/*.txtar
var archives embed.FS

// worldName is the section of declarations that every example may refer to.
const worldName = "world"

// Entries returns the catalogue by summary and slug. It panics where the
// catalogue cannot be read, which a test shows that it can.
func Entries() []Entry {
	files, err := archives.ReadDir("catalogue")
	if err != nil {
		panic(err)
	}
	var sections []txtar.File
	for _, f := range files {
		src, err := archives.ReadFile(path.Join("catalogue", f.Name()))
		if err != nil {
			panic(err)
		}
		sections = append(sections, txtar.Parse(src).Files...)
	}
	entries, err := read(sections)
	if err != nil {
		panic(err)
	}
	return entries
}

func read(sections []txtar.File) ([]Entry, error) {
	var world []byte
	for _, s := range sections {
		if s.Name == worldName {
			world = s.Data
		}
	}
	var entries []Entry
	seen := map[string]bool{}
	for _, s := range sections {
		if s.Name == worldName {
			continue
		}
		if slug, name, further := strings.Cut(s.Name, "/"); further {
			if len(entries) == 0 || entries[len(entries)-1].Slug != slug {
				return nil, fmt.Errorf("the file %s stands behind another entry", s.Name)
			}
			entries[len(entries)-1].Files[name] = s.Data
			continue
		}
		if seen[s.Name] {
			return nil, fmt.Errorf("the entry %s is there twice", s.Name)
		}
		seen[s.Name] = true
		e, err := readEntry(s, world)
		if err != nil {
			return nil, fmt.Errorf("the entry %s: %w", s.Name, err)
		}
		entries = append(entries, e)
	}
	for i := range entries {
		e := &entries[i]
		for _, list := range e.wants() {
			if e.Summary != "" {
				break
			}
			e.Summary, _, _ = strings.Cut(list[0], " | ")
		}
		if e.Summary == "" || e.Means == "" || e.Do == "" {
			return nil, fmt.Errorf("the entry %s lacks a summary, means or do", e.Slug)
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		return strings.Compare(a.Summary+"\n"+a.Slug, b.Summary+"\n"+b.Slug)
	})
	return entries, nil
}

// readEntry reads the lines that describe an entry, and its file below them.
func readEntry(s txtar.File, world []byte) (Entry, error) {
	e := Entry{Slug: s.Name, Files: map[string][]byte{}, Vars: map[string]string{}}
	alone := false
	rest := s.Data
	for {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		key, value, ok := strings.Cut(strings.TrimPrefix(string(line), "# "), ": ")
		if !ok {
			break
		}
		switch key {
		case "means":
			e.Means = value
		case "do":
			e.Do = value
		case "summary":
			e.Summary = value
		case "shown":
			e.Shown = value
		case "alone": // the world would be in the way
			alone = true
		case "var":
			name, text, _ := strings.Cut(value, "=")
			e.Vars[name] = text
		default:
			ok = false
		}
		if !ok {
			break
		}
		rest = after
	}
	if e.Shown == "" {
		e.Source = repeated(bytes.TrimSuffix(rest, []byte("\n")))
		if !alone {
			e.world = len(e.Source)
			e.Source = append(append(e.Source, '\n'), world...)
		}
	}
	return e, nil
}

// repeated writes out lines of the form `# times N: text`, in which %d is a
// number that counts from 1 and \0 a NUL byte.
func repeated(src []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(append(src, '\n')) {
		spec, ok := bytes.CutPrefix(line, []byte("# times "))
		if !ok {
			out.Write(line)
			continue
		}
		count, text, _ := strings.Cut(string(spec), ": ")
		n, _ := strconv.Atoi(count)
		for i := range n {
			out.WriteString(strings.NewReplacer("%d", strconv.Itoa(i+1), `\0`, "\x00").Replace(text))
		}
	}
	return out.Bytes()
}

// WantMark begins a comment of an example that says what must be complained
// about on its line.
const WantMark = "# want: "

// wants reads what the files of an entry expect to be said of them: by file and
// line, texts of the form `SUMMARY | PHRASE`, of which the phrase is part of the
// detail. Of the lines that are written out of one, each expects the same.
func (e *Entry) wants() map[string][]string {
	list := map[string][]string{}
	for name, src := range e.Sources() {
		n := 0
		for line := range bytes.Lines(src) {
			n++
			if _, text, ok := bytes.Cut(line, []byte(WantMark)); ok {
				at := place(name, n)
				list[at] = append(list[at], strings.Split(strings.TrimRight(string(text), "\r\n"), " && ")...)
			}
		}
	}
	return list
}

func place(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }
