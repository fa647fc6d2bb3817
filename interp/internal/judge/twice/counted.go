package twice

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/observe"
)

// A moment is a value of an answer, or one that was sent. An answer stands right behind its request: it may be noted
// only when a program has sent the next one.
type moment struct {
	sent           bool
	by, name, text string
	turn           int
	// place tells values of one name in one request apart, such as the numbers of a statement.
	place int
}

// address is the name under which the path and the query of a request were sent.
const address = "its address"

// A count is a value that an answer gave, cut into its numbers and what stands around them, and when that was.
type count struct {
	at, turn int
	value    string
	around   []string
	numbers  []int // -1 for one that is not written as numbers are
}

// alone reports whether a value is a number and nothing else.
func (c count) alone() bool { return len(c.numbers) == 1 && strings.Join(c.around, "") == "" }

// counted are members of which each answer has one more than the one before, and which the program sends on, such as a
// version, a cursor, an offset or the link to the next page, and the numbers 1, 2, 3 as keys: one that counts by itself
// passes as well as one that takes what it is given.
func (r *record) counted(room int) (list []observe.RequestPart) {
	type key struct{ by, name string }
	of := map[key][]count{}
	var order []key
	for i, m := range r.moments {
		if m.sent {
			continue
		}
		at := key{name: m.name}
		if r.program {
			at.by = m.by
		}
		if of[at] == nil {
			order = append(order, at)
		}
		of[at] = append(of[at], countOf(i, m))
	}
	for _, at := range order {
		all := of[at]
		if len(list) >= room || len(all) < 2 {
			continue
		}
		where := ""
		if steady(all) && !listed(at.name, all) {
			where = r.sentOn(all, nil)
		}
		if where == "" && keys(all) {
			where = r.sentOn(all, func(name string) bool {
				last := lastOf(name)
				return name == "the path" || name == inStatement || isID(last) || last == lastOf(at.name) || last == "args"
			})
		}
		if where == "" {
			continue
		}
		by := r.moments[all[0].at].by
		list = append(list, observe.RequestPart{Of: by, Name: lastOf(at.name) + ", which is " + all[0].value + ", then " + all[1].value + ", and is sent on as " + where + ": what counts by itself passes as well"})
	}
	return list
}

// countOf cuts a value into its numbers and what stands around them.
func countOf(at int, m moment) count {
	value := bare(m.text)
	c := count{at: at, turn: m.turn, value: value}
	begin := 0
	for _, place := range digits().FindAllStringIndex(value, -1) {
		written := value[place[0]:place[1]]
		n, err := strconv.Atoi(written)
		if err != nil || len(written) > 15 || strconv.Itoa(n) != written {
			n = -1
		}
		c.around, c.numbers = append(c.around, value[begin:place[0]]), append(c.numbers, n)
		begin = place[1]
	}
	c.around = append(c.around, value[begin:])
	return c
}

var digits = pattern.New(`[0-9]+`)

// bare is a value without what an entity tag or a link has around it.
func bare(value string) string {
	if target, _, is := strings.Cut(strings.TrimPrefix(value, "<"), ">"); is && value[0] == '<' {
		return target
	}
	return strings.Trim(strings.TrimPrefix(value, "W/"), `"`)
}

// nextOf is the part of a Link field that leads on: the one with rel="next", or else the first.
func nextOf(link string) string {
	parts := strings.Split(link, ", <")
	for i, part := range parts {
		if strings.Contains(strings.ReplaceAll(part, `"`, ""), "rel=next") {
			return "<" + strings.TrimPrefix(parts[i], "<")
		}
	}
	return parts[0]
}

// steady reports whether the numbers of values that are alike otherwise stay or grow, each by one, or by the same three
// times or as much as the first is, and one grows.
func steady(all []count) bool {
	grows := false
	for k := range all[0].numbers {
		by := 0
		for i, c := range all {
			if !slices.Equal(c.around, all[0].around) {
				return false
			}
			if c.numbers[k] < 0 && c.value != all[0].value {
				return false
			}
			switch step := c.numbers[k] - all[max(i-1, 0)].numbers[k]; {
			case i == 1:
				by = step
			case i > 1 && step != by:
				return false
			}
		}
		if by < 0 || by > 1 && len(all) < 3 && by != all[0].numbers[k] {
			return false
		}
		grows = grows || by > 0
	}
	return grows
}

// listed reports whether values are those of elements, of a list or of rows.
func listed(name string, all []count) bool {
	return strings.Contains(name, "[]") || slices.ContainsFunc(all[1:], func(c count) bool { return c.turn > 0 && c.turn == all[0].turn })
}

// keys reports whether values are numbers that count from 0 or 1, as those of rows.
func keys(all []count) bool {
	for i, c := range all {
		if !c.alone() || i == 0 && c.numbers[0] > 1 || i > 0 && c.numbers[0] != all[i-1].numbers[0]+1 {
			return false
		}
	}
	return true
}

// sentOn is the name under which two of some values or more were sent after the answer that gave them, "" for none, and
// for a name under which they were sent before, which answers repeat. Keys may be sent at any time after, under the names
// that are meant, and in steps of the same; other values before the next one was given.
func (r *record) sentOn(all []count, meant func(name string) bool) string {
	times, repeated, last := map[string]int{}, map[string]bool{}, map[string][]int{}
	var names []string
	for i, c := range all {
		before, end := 0, len(r.moments)
		if i > 0 && meant == nil {
			before = all[i-1].at
		}
		if i+1 < len(all) && meant == nil {
			end = all[i+1].at
		}
		seen := map[string]bool{}
		for at := before; at < end; at++ {
			m := r.moments[at]
			if !m.sent || !m.has(c.value) || meant != nil && !meant(m.name) {
				continue
			}
			name := m.name + "\x00" + strconv.Itoa(m.place)
			if r.program {
				name += "\x00" + m.by
			}
			switch {
			case at < c.at:
				repeated[name] = true
			case !seen[name]:
				seen[name] = true
				last[name] = append(last[name], i)
				if times[name]++; times[name] == 1 {
					names = append(names, name)
				}
			}
		}
	}
	for _, name := range names {
		if times[name] > 1 && !repeated[name] && (meant == nil || even(last[name])) {
			return name[:strings.IndexByte(name, 0)]
		}
	}
	return ""
}

// even reports whether numbers grow by one, or by as much as the first place is in a list that begins with one.
func even(places []int) bool {
	by := places[1] - places[0]
	for i, p := range places {
		if i > 0 && p-places[i-1] != by {
			return false
		}
	}
	return by == 1 || by == places[0]+1
}

// has reports whether what was sent is a value, or the address to which it leads.
func (m moment) has(value string) bool {
	if m.name != address {
		return bare(m.text) == value || strings.HasPrefix(m.name, "header ") && strings.HasSuffix(m.text, " "+value)
	}
	if _, behind, is := strings.Cut(value, "://"); is {
		value = behind[max(strings.IndexByte(behind, '/'), 0):]
	}
	return strings.ContainsAny(value, "/?") && strings.HasSuffix(m.text, value)
}
