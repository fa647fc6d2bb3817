package shape

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/source/group"
	"github.com/scenario-lang/scenario/internal/mutate/source/tokens"
)

// A frame is a compound command of a script. The items are those of its first word, of the do of a loop, and of the end.
type frame struct {
	word            string
	first, do, last int
	up              *frame
	function        bool
	from, to        int    // its bytes, with what is redirected
	given           string // what is redirected: `< file`
	piped           bool
	name, list      string // of a for, and of a while its names and its condition
	// sets are the items of assignments that stand in it and in no other compound command of it.
	sets []int
}

// A script is one that was read.
type script struct {
	*finder
	items []tokens.Item
	loops []*frame
	sets  []int // all assignments that are commands of their own
}

// script reads a script of a shell, and gives what finds changes in it.
func (f *finder) script() []func() {
	read, ok := tokens.OfShell([]byte(f.Text))
	if !ok || len(read.Docs) > 0 {
		return nil
	}
	s := &script{finder: f, items: read.Items}
	s.read()
	return []func(){s.filled, s.joined, s.renewed, s.swapped}
}

func (s *script) str(i int) string {
	if i < 0 || i >= len(s.items) || s.items[i].Sign != "" {
		return ""
	}
	return s.Text[s.items[i].From:s.items[i].To]
}

func (s *script) sign(i int) string {
	if i < 0 || i >= len(s.items) {
		return "\n"
	}
	return s.items[i].Sign
}

// ends reports whether a command ends before an item.
func (s *script) ends(i int) bool {
	switch s.sign(i) {
	case ";", "\n", "&", "&&", "||", "|", "(", ")", ";;":
		return true
	}
	return false
}

// read finds the compound commands.
func (s *script) read() {
	top := &frame{first: -1}
	at := top
	starts := true
	for i := 0; i < len(s.items); i++ {
		w := s.str(i)
		if !starts {
			starts = s.ends(i)
			if s.sign(i) == "(" && s.sign(i+1) == ")" {
				if s.str(i+2) == "{" || s.sign(i+2) == "\n" && s.str(i+3) == "{" {
					at = &frame{word: "f", first: i, up: at, function: true}
				}
				i++
			}
			continue
		}
		switch w {
		case "if", "while", "until", "for", "case", "{", "select":
			x := &frame{word: w, first: i, up: at, last: -1, do: -1}
			if i < len(s.items) {
				x.from = s.items[i].From
			}
			x.piped = s.sign(i-1) == "|"
			at = x
			starts = w != "for" && w != "case" && w != "select"
			if w == "case" {
				for i+1 < len(s.items) && s.str(i) != "in" {
					i++
				}
			}
		case "do":
			at.do = i
		case "then", "else", "elif", "!", "time":
		case "fi", "done", "esac", "}":
			if at.up == nil {
				return // not as it was read
			}
			at.last = i
			s.closed(at)
			at = at.up
			if at.function && at.up != nil {
				at = at.up
			}
			starts = false
		default:
			if name, _, is := strings.Cut(w, "="); is && s.plain(strings.TrimSuffix(name, "+")) && s.ends(i+1) {
				if len(s.sets) < mostSets {
					s.sets = append(s.sets, i)
					at.sets = append(at.sets, i)
				}
			}
			starts = s.ends(i) && w == ""
		}
	}
}

// closed notes a compound command whose end was read.
func (s *script) closed(x *frame) {
	x.to = s.items[x.last].To
	i := x.last + 1
	for ; s.sign(i) == "<"; i++ {
		x.to = s.items[i].To
	}
	if x.last+1 < i {
		x.given = s.Text[s.items[x.last].To:x.to]
	}
	x.piped = x.piped || s.sign(i) == "|"
	if x.word != "for" && x.word != "while" && x.word != "until" || x.do < 0 {
		return
	}
	end := x.do - 1
	for end > x.first && s.ends(end) {
		end--
	}
	if end > x.first {
		x.list = s.Text[s.items[x.first+1].From:s.items[end].To]
	}
	if x.word == "for" {
		x.name = s.str(x.first + 1)
		if s.str(x.first+2) != "in" || !s.plain(x.name) || end < x.first+3 {
			return
		}
		x.list = s.Text[s.items[x.first+3].From:s.items[end].To]
	} else if strings.Contains(x.list, "read ") {
		var names []string
		for k := end; k > x.first && s.plain(s.str(k)) && s.str(k) != "read"; k-- {
			names = append([]string{s.str(k)}, names...)
		}
		x.name = strings.Join(names, " ")
	}
	if len(s.loops) < mostLoops {
		s.loops = append(s.loops, x)
	}
}

// headTo is the last byte of the head of a loop, without the do.
func (s *script) headTo(x *frame) int {
	end := x.do - 1
	for end > x.first && s.ends(end) {
		end--
	}
	return s.items[end].To
}

func (x *frame) loop() bool { return x.word == "for" || x.word == "while" || x.word == "until" }

// follows reports whether b stands behind a, and is run as often as it.
func (s *script) follows(a, b *frame) bool {
	if a.to > b.from || a.piped || b.piped {
		return false
	}
	for x := a.up; x != nil; x = x.up {
		for y := b.up; y != nil; y = y.up {
			if x == y {
				return true
			}
			if y.loop() || y.function {
				break
			}
		}
		if x.loop() || x.function {
			break
		}
	}
	return false
}

// reads reports whether a variable is read in a text.
func reads(text, name string) bool {
	for _, before := range []string{"$" + name, "${" + name, "${#" + name, "(" + name + " ", " " + name + " "} {
		for at := 0; ; {
			i := strings.Index(text[at:], before)
			if i < 0 {
				break
			}
			at += i + len(before)
			if at == len(text) || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", rune(text[at])) || strings.HasSuffix(before, " ") {
				return true
			}
		}
	}
	return false
}

// body is what stands between do and done.
func (s *script) body(x *frame) string {
	text := strings.Trim(s.Text[s.items[x.do].To:s.items[x.last].From], " \t\n")
	return strings.TrimSuffix(text, ";")
}

// between reports whether a variable that b reads is set between a and b.
func (s *script) between(a, b *frame) bool {
	body := s.body(b)
	for _, i := range s.sets {
		if from := s.items[i].From; from >= a.to && from < b.from {
			if name, _, _ := strings.Cut(s.str(i), "="); reads(body, strings.TrimSuffix(name, "+")) {
				return true
			}
		}
	}
	return false
}

// joined makes one of two loops that go through the same.
func (s *script) joined() {
	before := map[string]*frame{}
	for _, b := range s.loops {
		key := b.list
		if b.word != "for" {
			if key = b.given; key == "" || b.name == "" {
				continue
			}
		}
		a := before[key]
		before[key] = b
		if a == nil || key == "" || a.word != b.word || !s.follows(a, b) || s.between(a, b) {
			continue
		}
		n1, n2 := strings.Fields(a.name), strings.Fields(b.name)
		if len(n1) != len(n2) {
			continue
		}
		text := ""
		for i := range n1 {
			if n1[i] != n2[i] {
				text += n2[i] + "=$" + n1[i] + "\n"
			}
		}
		done := s.items[a.last].From
		s.AtOnce([]group.Place{place(done, done, text+s.body(b)+"\n"), place(b.from, b.to, ":")},
			fmt.Sprintf("the loops over `%s` in lines %d and %d are one", short(key, 30), s.line(a.from), s.line(b.from)))
	}
}

// filled does what a loop does with each word of a list where the word is added to it.
func (s *script) filled() {
	for _, b := range s.loops {
		name := strings.Trim(b.list, `"${}`)
		if b.word != "for" || !s.plain(name) {
			continue
		}
		var places []group.Place
		for _, i := range s.sets {
			value, is := strings.CutPrefix(s.str(i), name+`="$`+name+" ")
			if !is {
				value, is = strings.CutPrefix(s.str(i), name+`+=" `)
			}
			if !is || !strings.HasSuffix(value, `"`) || len(places) == 3 {
				continue
			}
			at := s.items[i].To
			if slices.ContainsFunc(s.loops, func(a *frame) bool { return a.from < at && at < a.to && s.follows(a, b) && !s.between(a, b) }) {
				places = append(places, place(at, at, "\n"+b.name+`="`+value+"\n"+s.body(b)+"\n"))
			}
		}
		if len(places) > 0 {
			s.AtOnce(append(places, place(b.from, b.to, ":")), fmt.Sprintf("`for %s in %s` not after all, but where it is added in line %d", b.name, short(b.list, 20), s.line(places[0].From)))
		}
	}
}

// renewed sets what is counted down in a loop in each of its rounds.
func (s *script) renewed() {
	for _, x := range s.loops {
		body := s.body(x)
		near := 0
		for k := len(s.sets) - 1; k >= 0 && near < mostNear; k-- {
			it := s.items[s.sets[k]]
			if it.To > x.from {
				continue
			}
			near++
			name, value, _ := strings.Cut(s.str(s.sets[k]), "=")
			number := value != "" && strings.Trim(value, "0123456789\"") == ""
			timed := strings.Contains(value, "date ") || strings.Contains(value, "mktemp") || strings.Contains(value, "uuidgen") || strings.Contains(value, "RANDOM") || strings.Contains(value, "/uuid")
			if !number && !timed || !reads(body, name) || reads(x.list, name) || !s.outside(x, it.From) {
				continue
			}
			changed, again := false, false
			for _, j := range s.sets {
				if other := s.items[j]; other.From > s.items[x.do].To && other.To <= s.items[x.last].From {
					if rest, is := strings.CutPrefix(s.str(j), name+"="); is {
						changed = true
						again = again || !strings.Contains(rest, name)
					}
				}
			}
			if again || number && (!changed || strings.Count(body, name) < 3) {
				continue
			}
			at := s.items[x.do].To
			s.Add(at, at, " "+s.str(s.sets[k])+";", "`"+short(s.str(s.sets[k]), 36)+"` anew in each round of `"+short(s.Text[x.from:s.headTo(x)], 20)+"`")
		}
	}
}

// outside reports whether a command at a byte stands before a loop in what is around that, in the same function.
func (s *script) outside(x *frame, at int) bool {
	for u := x.up; u != nil; u = u.up {
		for _, i := range u.sets {
			if s.items[i].From == at {
				return true
			}
		}
		if u.loop() || u.function {
			return false
		}
	}
	return false
}

// swapped lets the inner one of two loops be the outer one.
func (s *script) swapped() {
	for _, in := range s.loops {
		out := in.up
		if in.word != "for" || out == nil || out.word != "for" || in.name == "" || out.name == "" || in.piped || in.given != "" || reads(in.list, out.name) {
			continue
		}
		if strings.Trim(s.Text[s.items[out.do].To:in.from]+s.Text[in.to:s.items[out.last].From], " \t\n;") != "" {
			continue
		}
		a1, a2, b1, b2 := out.from, s.headTo(out), in.from, s.headTo(in)
		s.AtOnce([]group.Place{place(a1, a2, s.Text[b1:b2]), place(b1, b2, s.Text[a1:a2])}, "`"+short(s.Text[b1:b2], 34)+"` around `"+short(s.Text[a1:a2], 34)+"`")
	}
}
