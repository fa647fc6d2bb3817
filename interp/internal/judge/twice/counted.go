package twice

import (
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/observe"
)

// A moment is a value of an answer, or one that was sent. An answer stands right behind its request: it may be noted
// only when a program has sent the next one.
type moment struct {
	sent           bool
	by, name, text string
	turn           int
}

// A count is a value that an answer gave, as a number behind some text, and when that was.
type count struct {
	at     int
	value  string
	before string
	number int
}

// counted are members of which each answer has one more than the one before, and which the program sends on, such as a
// version, a cursor or an offset: one that counts by itself passes as well as one that takes what it is given.
func (r *record) counted(room int) (list []observe.RequestPart) {
	type key struct{ by, name string }
	of := map[key][]count{}
	var order []key
	for i, m := range r.moments {
		if m.sent || strings.Contains(m.name, "[]") {
			continue
		}
		at := key{name: m.name}
		if r.program {
			at.by = m.by
		}
		value := bare(m.text)
		digits := value[len(strings.TrimRight(value, "0123456789")):]
		n, err := strconv.Atoi(digits)
		if err != nil || len(digits) > 15 || strconv.Itoa(n) != digits {
			n = -1
		}
		if of[at] == nil {
			order = append(order, at)
		}
		of[at] = append(of[at], count{i, value, strings.TrimSuffix(value, digits), n})
	}
	for _, at := range order {
		all := of[at]
		if len(list) >= room || len(all) < 2 || !steady(all) {
			continue
		}
		if where := r.sentOn(all); where != "" {
			by := r.moments[all[0].at].by
			list = append(list, observe.RequestPart{Of: by, Name: lastOf(at.name) + ", which is " + all[0].value + ", then " + all[1].value + ", and is sent on as " + where + ": what counts by itself passes as well"})
		}
	}
	return list
}

// bare is a value without what an entity tag has around it.
func bare(value string) string { return strings.Trim(strings.TrimPrefix(value, "W/"), `"`) }

// steady reports whether numbers grow by one, or by the same three times or as much as the first is.
func steady(all []count) bool {
	by := all[1].number - all[0].number
	if by < 1 || by > 1 && len(all) < 3 && by != all[0].number {
		return false
	}
	for i, c := range all {
		if c.number < 0 || c.before != all[0].before || i > 0 && c.number-all[i-1].number != by {
			return false
		}
	}
	return true
}

// sentOn is the name under which two of some values or more were sent between the answer that gave them and the next
// one, "" for none, and for a name under which they were sent before, which answers repeat.
func (r *record) sentOn(all []count) string {
	times, repeated := map[string]int{}, map[string]bool{}
	var names []string
	for i, c := range all {
		before, end := 0, len(r.moments)
		if i > 0 {
			before = all[i-1].at
		}
		if i+1 < len(all) {
			end = all[i+1].at
		}
		seen := map[string]bool{}
		for at := before; at < end; at++ {
			m := r.moments[at]
			if !m.sent || bare(m.text) != c.value {
				continue
			}
			name := m.name
			if r.program {
				name = m.by + "\x00" + name
			}
			switch {
			case at < c.at:
				repeated[name] = true
			case !seen[name]:
				seen[name] = true
				if times[name]++; times[name] == 1 {
					names = append(names, name)
				}
			}
		}
	}
	for _, name := range names {
		if times[name] > 1 && !repeated[name] {
			return name[strings.IndexByte(name, 0)+1:]
		}
	}
	return ""
}
