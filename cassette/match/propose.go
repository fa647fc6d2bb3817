package match

import (
	"slices"
	"strconv"
	"strings"
)

// Propose returns places for [Match.Ignore] by which the requests of each pair are
// equal, as far as there are such places: what a model is told is none of them, and
// neither are method and path. A place that differs in several items of a list is
// that of all of them, and of a list that is longer in one request it is the list.
func (m Match) Propose(pairs [][2]Request) []string {
	var found []fieldPath
	for _, pair := range pairs {
		for _, d := range m.Diff(pair[0], pair[1]) {
			if p, ok := m.place(pair, d); ok && !slices.ContainsFunc(found, func(q fieldPath) bool { return slices.Equal(p, q) }) {
				found = append(found, p)
			}
		}
	}
	var places []string
	for _, p := range covering(merged(found)) {
		if text := p.String(); !slices.Contains(m.Ignore, text) {
			places = append(places, text)
		}
	}
	return m.needed(places, pairs)
}

// place is where a difference can be ignored.
func (m Match) place(pair [2]Request, d FieldDiff) (fieldPath, bool) {
	p, err := parsePath(d.Path)
	if err != nil || IsTold(pair[0], d.Path) || IsTold(pair[1], d.Path) {
		return nil, false
	}
	if n := len(p) - 1; n > 0 && p[n].list && (d.Recorded == Absent || d.Actual == Absent) {
		p = p[:n]
	}
	if n := len(p) - 1; p[0].member == "query" && p[n].list {
		p = p[:n] // most parameters have one value
	}
	return p, true
}

// merged are paths in which what differs in the items alone is one for all items.
func merged(paths []fieldPath) []fieldPath {
	var out []fieldPath
	for i, p := range paths {
		p = slices.Clone(p)
		for at := range p {
			if !p[at].list {
				continue
			}
			for k, q := range paths {
				if k != i && len(q) == len(p) && q[at].list && q[at].item != p[at].item && sameBut(paths[i], q) {
					p[at].item = -1
				}
			}
		}
		if !slices.ContainsFunc(out, func(q fieldPath) bool { return slices.Equal(p, q) }) {
			out = append(out, p)
		}
	}
	return out
}

// sameBut reports whether two paths are the same but for the numbers of items.
func sameBut(p, q fieldPath) bool {
	return slices.EqualFunc(p, q, func(a, b pathStep) bool { return a.list == b.list && a.member == b.member })
}

// covering are the paths without those that lie in another.
func covering(paths []fieldPath) []fieldPath {
	return slices.DeleteFunc(slices.Clone(paths), func(p fieldPath) bool {
		return slices.ContainsFunc(paths, func(q fieldPath) bool { return !slices.Equal(p, q) && q.covers(p) })
	})
}

// covers reports whether a path is this one, or lies in it.
func (p fieldPath) covers(q fieldPath) bool {
	return len(p) <= len(q) && slices.EqualFunc(p, q[:len(p)], func(a, b pathStep) bool {
		return a == b || a.list && b.list && a.item < 0
	})
}

// Covers reports whether a path is that of a place, or lies in it.
func Covers(place, path string) bool {
	p, err := parsePath(place)
	q, wrong := parsePath(path)
	return err == nil && wrong == nil && p.covers(q)
}

// needed are the places without which a pair would differ that is equal with all
// of them.
func (m Match) needed(places []string, pairs [][2]Request) []string {
	m.Ignore = append(slices.Clip(m.Ignore), places...)
	own := len(m.Ignore) - len(places)
	equal := func() (n int) {
		for _, pair := range pairs {
			if len(m.Diff(pair[0], pair[1])) == 0 {
				n++
			}
		}
		return n
	}
	all := equal()
	for i := len(m.Ignore) - 1; i >= own; i-- {
		with := m.Ignore
		m.Ignore = slices.Delete(slices.Clone(with), i, i+1)
		if equal() < all {
			m.Ignore = with
		}
	}
	return m.Ignore[own:]
}

// String is the path as [CheckPath] reads it.
func (p fieldPath) String() string {
	var b strings.Builder
	for i, s := range p {
		switch {
		case i == 0:
			b.WriteString(s.member)
		case s.list && s.item < 0:
			b.WriteString("[*]")
		case s.list:
			b.WriteString("[" + strconv.Itoa(s.item) + "]")
		default:
			b.WriteString(step(s.member))
		}
	}
	return b.String()
}
