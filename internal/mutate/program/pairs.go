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

// shape is the operator of what changes how statements stand to each other: more than the line that is named.
const shape = "shape"

// opposites are parts of names of what undoes each other.
var opposites = [][2]string{
	{"mkdir", "rmdir"},
	{"create", "delete"},
	{"create", "remove"},
	{"create", "unlink"},
	{"open", "close"},
	{"open", "unlink"},
	{"touch", "rm"},
	{"mkdir", "rm"},
	{"lock", "unlock"},
	{"acquire", "release"},
	{"push", "pop"},
	{"push", "shift"},
	{"append", "pop"},
	{"begin", "commit"},
	{"begin", "rollback"},
	{"subscribe", "unsubscribe"},
	{"addeventlistener", "removeeventlistener"},
	{"add", "remove"},
	{"add", "delete"},
	{"add", "discard"},
	{"set", "delete"},
	{"set", "clear"},
	{"set", "unset"},
	{"start", "stop"},
	{"enter", "exit"},
	{"encode", "decode"},
	{"encrypt", "decrypt"},
	{"sign", "verify"},
	{"dump", "load"},
	{"write", "unlink"},
	{"write", "rm"},
	{"mount", "umount"},
	{"seek", "tell"},
	{"increment", "decrement"},
	{"inc", "dec"},
	{"+=", "-="},
	{"++", "--"},
	{"link", "unlink"},
	{"on(", "off("},
	{"enable", "disable"},
	{"connect", "disconnect"},
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
	sides [2]uint64
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
func (s *suite) pairs() []*Mutant {
	return s.several(mostPairs, fewestPairs, func(f *Source, list []*Mutant, add func(*Mutant) bool) {
		for _, c := range couples(f, list) {
			if !add(c.both()) {
				return
			}
		}
	})
}

// several are changes of several places at once that were not tried: of each file those that find adds, given the
// changes of it that leave something out and are noticed. There is one for some single changes, at least the fewest and
// at most the most of a file; add says whether there is room for another one.
func (s *suite) several(most, fewest int, find func(f *Source, list []*Mutant, add func(*Mutant) bool)) (list []*Mutant) {
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
		if made[m.made()] = true; m.Parts != nil {
			continue
		}
		if tried[m.Of]++; tried[m.Of] == 1 {
			files = append(files, m.Of)
		}
		if m.leaves() && len(of[m.Of]) < mostSingles {
			of[m.Of] = append(of[m.Of], m)
		}
	}
	slices.SortStableFunc(files, func(a, b *Source) int { return cmp.Compare(a.Path, b.Path) })
	for _, f := range files {
		room := min(most, max(fewest, tried[f]/singlesFor))
		find(f, of[f], func(m *Mutant) bool {
			if as := m.made(); !made[as] && room > 0 {
				made[as] = true
				list = append(list, m)
				room--
			}
			return room > 0
		})
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
		l := &leaving{Mutant: m, names: map[string]bool{}, sides: sides(m.leftOut())}
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
		all = append(all, couple{a, b, undo(a, b), n, b.Line - a.Line})
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

// sides are the opposites of which a part of a program has the first and the second word, a bit for each.
func sides(code string) (of [2]uint64) {
	for i, o := range opposites {
		for n, word := range o {
			if does(code, word) {
				of[n] |= 1 << i
			}
		}
	}
	return of
}

// undo reports whether what is called in one of two parts of a program undoes what is called in the other one.
func undo(a, b *leaving) bool { return a.sides[0]&b.sides[1]|b.sides[0]&a.sides[1] != 0 }

// does reports whether a part of a program has a word, as a name of its own or at the begin or the end of one:
// mkdirSync has mkdir, and since has no inc.
func does(code, word string) bool {
	for from := 0; ; {
		i := indexFold(code[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		begins := !isLetter(word[0]) || i == 0 || !isLetter(code[i-1]) || !isLower(code[i]) && (isLower(code[i-1]) || i+1 < len(code) && isLower(code[i+1]))
		ends := !isLetter(word[len(word)-1]) || end == len(code) || !isLower(code[end])
		if begins && ends {
			return true
		}
		from = i + 1
	}
}

// indexFold is where a word in small letters begins, whatever the letters of the text are, -1 for nowhere.
func indexFold(text, word string) int {
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i]|' ' == word[0]|' ' && strings.EqualFold(text[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}

func isLower(c byte) bool  { return c >= 'a' && c <= 'z' }
func isLetter(c byte) bool { return isLower(c) || c >= 'A' && c <= 'Z' }

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
