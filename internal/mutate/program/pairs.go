package program

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/internal/mutate/source"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// Bounds of what is left out in pairs: how many of them there are of a file, for how many single changes there is one
// and how many there may be in any case, how often the name may stand in the file that both have, and how many changes
// of a file are compared.
const (
	mostPairs    = 40
	singlesFor   = 4
	fewestPairs  = 4
	mostCommon   = 6
	mostSingles  = 6000
	mostPairText = 64 << 10
)

// together is the operator of changes that are made at once.
const together = "together"

// opposites are parts of names of what undoes each other.
var opposites = [][2]string{
	{"mkdir", "rmdir"}, {"create", "delete"}, {"create", "remove"}, {"create", "unlink"}, {"open", "close"}, {"open", "unlink"}, {"touch", "rm"}, {"mkdir", "rm"},
	{"lock", "unlock"}, {"acquire", "release"}, {"push", "pop"}, {"push", "shift"}, {"append", "pop"}, {"begin", "commit"}, {"begin", "rollback"}, {"subscribe", "unsubscribe"},
	{"addeventlistener", "removeeventlistener"}, {"add", "remove"}, {"add", "delete"}, {"add", "discard"}, {"set", "delete"}, {"set", "clear"}, {"set", "unset"}, {"start", "stop"},
	{"enter", "exit"}, {"encode", "decode"}, {"encrypt", "decrypt"}, {"sign", "verify"}, {"dump", "load"}, {"write", "unlink"}, {"write", "rm"}, {"mount", "umount"},
	{"seek", "tell"}, {"increment", "decrement"}, {"inc", "dec"}, {"+=", "-="}, {"++", "--"}, {"link", "unlink"}, {"on(", "off("}, {"enable", "disable"}, {"connect", "disconnect"},
}

// shared is what both of a pair may have: a text in quotes, or a name.
var shared = pattern.New(`"[^"\n]{2,80}"|'[^'\n]{2,80}'|[A-Za-z_][A-Za-z0-9_]+`)

// intoFile is a command of a script that prints into a file.
var intoFile = pattern.New(`^(?:echo|printf)\b.*>\s*[^&\s]`)

// prints reports whether a part of a program prints something, or ends what it stands in.
func prints(code string) bool {
	code = strings.TrimSpace(code)
	if intoFile().MatchString(code) {
		return false
	}
	for _, begin := range []string{"print", "puts", "echo", "console.", "fmt.Print", "System.out", "process.stdout", "sys.stdout", "return", "raise", "throw"} {
		if strings.HasPrefix(code, begin) {
			return true
		}
	}
	return false
}

// A leaving is a change that leaves something out and that some scenario notices.
type leaving struct {
	*Mutant
	names map[string]bool
	text  string
}

// A couple is two of them that belong together: how rare what both have is, whether they undo each other, and how far
// they are from each other.
type couple struct {
	a, b        *leaving
	undoes      bool
	shared, far int
}

// leaves reports whether a change leaves something out, such that doing so in two places may be no loss.
func (m *Mutant) leaves() bool {
	if m.Of.Data || m.Verdict != Killed && m.Verdict != Crashed {
		return false
	}
	switch m.Operator {
	case "statement", "argument", "call":
		return m.To > m.From && !prints(string(m.Of.Text[m.From:m.To]))
	case "condition":
		return strings.HasSuffix(m.Change, " never") || strings.HasSuffix(m.Change, " always") || strings.HasPrefix(m.Change, "without ")
	case "text":
		return m.To-m.From > 4
	}
	return false
}

// pairs are changes of two places of one file each that are noticed alone, as one fails without the other: the lock
// that is taken, and given back. They are chosen by what they say alone, and not by how long anything took.
func (s *suite) pairs() (list []*Mutant) {
	if len(s.options.Only) > 0 && !slices.Contains(s.options.Only, together) {
		return nil
	}
	of, tried := map[*Source][]*Mutant{}, map[*Source]int{}
	made := map[string]bool{} // what was tried already
	var files []*Source
	for _, m := range s.report.Mutants {
		if m.Verdict == "" {
			continue
		}
		made[m.made()] = true
		if tried[m.Of]++; tried[m.Of] == 1 {
			files = append(files, m.Of)
		}
		if m.leaves() && len(of[m.Of]) < mostSingles {
			of[m.Of] = append(of[m.Of], m)
		}
	}
	slices.SortStableFunc(files, func(a, b *Source) int { return cmp.Compare(a.Path, b.Path) })
	for _, f := range files {
		room := min(mostPairs, max(fewestPairs, tried[f]/singlesFor))
		for _, c := range couples(f, of[f]) {
			if room == 0 {
				break
			}
			if m := c.both(); !made[m.made()] {
				list = append(list, m)
				room--
			}
		}
	}
	return list
}

// couples are those of some changes of a file, the first of which most likely belong together.
func couples(of *Source, list []*Mutant) (all []couple) {
	count := map[string]int{}
	for _, name := range namesIn(string(of.Text)) {
		count[name]++
	}
	leavings, with := make([]*leaving, len(list)), map[string][]*leaving{}
	for i, m := range list {
		l := &leaving{Mutant: m, names: map[string]bool{}, text: strings.ToLower(m.leftOut())}
		for _, name := range namesIn(m.leftOut()) {
			if n := count[name]; n >= 2 && n <= mostCommon && !l.names[name] {
				l.names[name] = true
				with[name] = append(with[name], l)
			}
		}
		leavings[i] = l
	}
	known := map[[2]*leaving]int{}
	for _, l := range leavings {
		for name := range l.names {
			for _, other := range with[name] {
				if other.From < l.To || other == l {
					continue // it is seen from there
				}
				key := [2]*leaving{l, other}
				if n, is := known[key]; !is || count[name] < n {
					known[key] = count[name]
				}
			}
		}
	}
	for pair, n := range known {
		a, b := pair[0], pair[1]
		if b.To-a.From > mostPairText || a.Line == b.Line && a.Operator == "text" {
			continue
		}
		all = append(all, couple{a, b, undo(a.text, b.text), n, b.Line - a.Line})
	}
	rank := func(c couple) int {
		switch {
		case c.undoes && c.a.Operator == "statement" && c.b.Operator == "statement":
			return 0
		case c.undoes:
			return 1
		case c.a.Operator == "statement" && c.b.Operator == "statement":
			return 2
		case c.a.Operator == "text" || c.b.Operator == "text":
			return 4
		}
		return 3
	}
	slices.SortFunc(all, func(x, y couple) int {
		return cmp.Or(
			cmp.Compare(rank(x), rank(y)), cmp.Compare(x.shared, y.shared), cmp.Compare(x.far, y.far),
			cmp.Compare(x.a.From, y.a.From), cmp.Compare(x.a.To, y.a.To), cmp.Compare(x.a.Text, y.a.Text),
			cmp.Compare(x.b.From, y.b.From), cmp.Compare(x.b.To, y.b.To), cmp.Compare(x.b.Text, y.b.Text),
		)
	})
	seen := map[[2]int]bool{} // of two lines the likeliest pair is enough
	return slices.DeleteFunc(all, func(c couple) bool {
		lines := [2]int{c.a.Line, c.b.Line}
		again := seen[lines]
		seen[lines] = true
		return again
	})
}

// leftOut is what a change takes away, or the line of one that only puts something in.
func (m *Mutant) leftOut() string {
	if m.To > m.From {
		return string(m.Of.Text[m.From:m.To])
	}
	line, _, _ := bytes.Cut(m.Of.Text[m.From:], []byte("\n"))
	return string(line)
}

// namesIn are the texts and the names of a part of a program.
func namesIn(code string) (names []string) {
	for _, name := range shared().FindAllString(code, -1) {
		if names = append(names, name); name[0] == '"' || name[0] == '\'' {
			names = append(names, namesIn(name[1:len(name)-1])...) // what is within counts as well
		}
	}
	return names
}

// undo reports whether what is called in one of two parts of a program undoes what is called in the other one.
func undo(a, b string) bool {
	for _, o := range opposites {
		if strings.Contains(a, o[0]) && strings.Contains(b, o[1]) || strings.Contains(b, o[0]) && strings.Contains(a, o[1]) {
			return true
		}
	}
	return false
}

// both is the change of both places.
func (c couple) both() *Mutant { return atOnce([]*Mutant{c.a.Mutant, c.b.Mutant}) }

// atOnce makes some changes of a file, in the order of their places, none of which is within another one.
func atOnce(parts []*Mutant) *Mutant {
	first, last := parts[0], parts[len(parts)-1]
	m := &Mutant{Of: first.Of, Parts: parts}
	var made strings.Builder
	at := first.From
	for _, part := range parts {
		made.Write(m.Of.Text[at:part.From])
		made.WriteString(part.Text)
		at = part.To
	}
	m.Mutant = source.Mutant{Operator: together, Line: first.Line, From: first.From, To: last.To, Text: made.String()}
	m.Change = m.Both()
	return m
}

// mostTold is how many changes that are made at once are told one by one.
const mostTold = 4

// Both says what changes that are made at once change, by what they say: of many the first, and the lines of the others.
func (m *Mutant) Both() string {
	told := len(m.Parts)
	if told > mostTold+1 {
		told = mostTold
	}
	said := m.Parts[0].Change
	for i, part := range m.Parts[1:told] {
		said += ", and "
		if part.Line != m.Parts[i].Line {
			said += fmt.Sprintf("in line %d ", part.Line)
		}
		said += part.Change
	}
	if more := m.Parts[told:]; len(more) > 0 {
		lines := make([]string, len(more))
		for i, part := range more {
			lines[i] = fmt.Sprint(part.Line)
		}
		said += fmt.Sprintf(", and %d more", len(more))
		if lines = slices.Compact(lines); len(lines) > 1 {
			said += " in lines " + strings.Join(lines[:len(lines)-1], ", ") + " and " + lines[len(lines)-1]
		} else {
			said += " in line " + lines[0]
		}
	}
	return said
}

// made is what a change makes of its file, by the place of the first and the last byte that is another one.
func (m *Mutant) made() string {
	text := m.Of.Text[m.From:m.To]
	before := 0
	for before < min(len(text), len(m.Text)) && text[before] == m.Text[before] {
		before++
	}
	after := 0
	for after < min(len(text), len(m.Text))-before && text[len(text)-1-after] == m.Text[len(m.Text)-1-after] {
		after++
	}
	return fmt.Sprint(m.Of.Path, " ", m.From+before, " ", m.To-after, " ", m.Text[before:len(m.Text)-after])
}

// byParts reports whether an error is that of one of the places that are changed at once.
func (m *Mutant) byParts(e *ending) bool {
	more := 0 // lines than there were
	for _, part := range m.Parts {
		own := *part
		own.Line += more
		if own.crashes(e) {
			return true
		}
		more += strings.Count(own.Text, "\n") - strings.Count(string(own.Of.Text[own.From:own.To]), "\n")
	}
	return false
}

// rounds tries all mutants, after them their pairs, and after these all that says one name.
func (s *suite) rounds(workers []*worker) error {
	for _, more := range []func() []*Mutant{func() []*Mutant { return nil }, s.pairs, s.named} {
		s.report.Mutants = append(s.report.Mutants, more()...)
		errs := make([]error, len(workers))
		var group sync.WaitGroup
		for i, w := range workers {
			group.Go(func() { errs[i] = w.work() })
		}
		group.Wait()
		if err := errors.Join(errs...); err != nil || len(s.report.Broken) > 0 || s.over() || s.report.Late {
			return err
		}
	}
	return nil
}
