package programs

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

// A met request is one of a run.
type met struct {
	interp.ServerAnswer
	run, nth int
	// before are the kinds of requests to the same thing that were accepted before it in its run, and many says that
	// they are not all of them.
	before []string
	many   bool
}

// A place is what was asked by one method of paths that are alike.
type place struct {
	accepted, refused []met
	// more says that more were accepted than those, or one that is not known in its parts.
	more bool
}

// What bounds the comparing: with how many accepted requests a refused one is compared at most, and how many kinds
// of requests before one are kept.
const (
	compared = 32
	kindsMax = 16
)

// A scene is what the server of a file was asked.
type scene struct {
	runs   []served
	places map[string]*place
	there  map[string]bool // paths at which or below which something was accepted
	// accepted are places with a request that was accepted, and what these stand in.
	accepted map[string]bool
}

// refusals tell of each request that the server refuses where what it is refused for is not known: no check reads
// what the server says, and no request that is accepted differs from it in that alone. One of each place is told of.
func (c *control) refusals() (list []string) {
	s := scene{runs: c.runs, places: map[string]*place{}, there: map[string]bool{}, accepted: map[string]bool{}}
	var all []met
	for run := range c.runs {
		all = append(all, s.add(run)...)
	}
	told := map[string]bool{}
	for i := range all {
		m := &all[i]
		at := placeOf(m.ServerAnswer, m.Path)
		if told[at] || !m.Refused && !m.Explained || !uncertain(m.ServerAnswer) {
			continue
		}
		if why := s.doubt(m, at); why != "" {
			told[at] = true
			list = append(list, fmt.Sprintf("%q is refused with %d (%s), ", m.Name, m.Status, http.StatusText(m.Status))+why)
		}
	}
	return list
}

// add notes a run, and gives what was refused in it.
func (s *scene) add(run int) (refused []met) {
	before := map[string][]string{}
	for nth, a := range s.runs[run].answers {
		at, thing := placeOf(a, a.Path), thingOf(a.Path)
		m := met{ServerAnswer: a, run: run, nth: nth, before: slices.Clone(before[thing]), many: len(before[thing]) >= kindsMax}
		of := s.places[at]
		if of == nil {
			of = &place{}
			s.places[at] = of
		}
		switch {
		case taken(a):
			s.accepted[at], s.accepted[parentOf(a)] = true, true
			for path := a.Path; path != ""; path = path[:max(strings.LastIndexByte(path, '/'), 0)] {
				s.there[path] = true
			}
			if len(of.accepted) < compared && a.Parts != nil {
				of.accepted = append(of.accepted, m)
			} else {
				of.more = true
			}
			if kind := a.Method + " " + a.Path[len(thing):]; thing != "" && changes(a) && !m.many && !slices.Contains(m.before, kind) {
				before[thing] = append(before[thing], kind)
			}
		case a.Refused || a.Explained:
			if len(of.refused) < compared {
				of.refused = append(of.refused, m)
			}
			refused = append(refused, m)
		}
	}
	return refused
}

func taken(a interp.ServerAnswer) bool { return a.Status > 0 && a.Status < 400 }

// changes reports whether a request may change something.
func changes(a interp.ServerAnswer) bool {
	return a.Method != http.MethodGet && a.Method != http.MethodHead && a.Method != http.MethodOptions
}

// doubt says of a refused request why it is not known what it is refused for; "" where it is.
func (s *scene) doubt(m *met, at string) string {
	of := s.places[at]
	compares := m.Parts != nil && !of.more && len(of.accepted) > 0
	if m.Explained {
		if m.Status == http.StatusNotFound && s.accepted[at] && saysAny(m.Said, notThere) {
			return s.absent(m)
		}
		if compares && !saysAny(m.Said, pieces) {
			return addresses(m, of.accepted)
		}
		return ""
	}
	if compares {
		if why := signed(m, of.accepted); why != "" {
			return why
		}
	}
	if !s.accepted[at] && (m.Status != http.StatusNotFound || !s.accepted[parentOf(m.ServerAnswer)]) {
		return fmt.Sprintf("and no scenario of the file has a %s of %s that is accepted, nor does a check read what the server says: it may be refused for something else, such as a header field or a signature that is wrong in any case.\nhint: let the same request be accepted without what it is refused for, in this scenario or another one; or check what the refusal says, such as %s.json.error",
			m.Method, m.Path, m.Read)
	}
	if m.Status == http.StatusNotFound {
		if why := s.absent(m); why != "" {
			return why
		}
	}
	if !compares {
		return ""
	}
	for _, why := range []func(*met, *place) string{s.repeated, apart, s.ended, earlier} {
		if text := why(m, of); text != "" {
			return text
		}
	}
	return ""
}

// signed tells of a refused request that differs from each accepted one in a signature, which may be wrong, and in
// something that is signed: it may be refused for either.
func signed(m *met, accepted []met) string {
	var least interp.RequestDifference
	for i, a := range accepted {
		d := interp.RequestsDiffer(m.Parts, a.Parts)
		if d.Signature == "" || len(d.Parts) == 0 {
			return ""
		}
		if i == 0 || len(d.Parts) < len(least.Parts) {
			least = d
		}
	}
	return fmt.Sprintf("and each %s of %s that is accepted differs from it in %s as well as in %s: whether that is right is not known, so it may be what is refused, and a server that looks at nothing else passes as well.\nhint: check what the refusal says, such as %s.json.error; or give the program the key of the signature in env, so that it is seen to be right",
		m.Method, m.Path, strings.Join(some(least.Parts), ", "), least.Signature, m.Read)
}

// some are the first of some names.
func some(names []string) []string {
	if len(names) > 3 {
		return append(names[:3:3], fmt.Sprintf("%d other parts", len(names)-3))
	}
	return names
}

// absent tells of a request for somebody of something of which nothing shows that it is there: nobody may get it.
func (s *scene) absent(m *met) string {
	thing := thingOf(m.Path)
	last := m.Path[strings.LastIndexByte(m.Path, '/')+1:]
	if s.there[m.Path] || thing != "" && s.there[thing] || slices.Contains(m.Known, last) || slices.Contains(m.Known, thing[strings.LastIndexByte(thing, '/')+1:]) {
		return ""
	}
	if saysAny(s.runs[m.run].scenario+" "+m.Name+" "+m.Path, missing) || last == "" || strings.Trim(last, "0") == "" || len(last) > 2 && strings.Trim(last, "9") == "" {
		return ""
	}
	return fmt.Sprintf("and no request of the file to %s is accepted: it may be that nothing is there, so that a server which does not look at who asks passes as well.\nhint: let somebody who may have it get %[1]s, in this scenario or another one; where nothing is to be there, say so in the name of the scenario or of %q, such as \"unknown\"",
		m.Path, m.Name)
}

// What says that something is not there: in the answer of a server, and in the names of scenarios.
var (
	notThere = []string{"no such", "not found", "notfound", "not_found", "not exist", "unknown", "nothing"}
	missing  = []string{"missing", "unknown", "nothing", "absent", "gone", "delete", "remove", "nope", "nonexist", "not exist", "not found", "not there", "no such", "404", "lost", "nowhere", "does-not", "invalid"}
)

func saysAny(text string, words []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// pieces are words that say which piece of an address is refused.
var pieces = []string{"http", "scheme", "tls", "host", "private", "internal", "network", "local", "loopback", "public", "port", "domain", "path"}

// addresses tell of a request that differs from each accepted one in several pieces of an address and in nothing
// else. What the server says of an address as a whole does not say which.
func addresses(m *met, accepted []met) string {
	var least interp.RequestDifference
	for i, a := range accepted {
		d := interp.RequestsDiffer(m.Parts, a.Parts)
		if d.Address == "" || len(d.Parts) < 2 {
			return ""
		}
		if i == 0 || len(d.Parts) < len(least.Parts) {
			least = d
		}
	}
	return fmt.Sprintf("and each %s of %s that is accepted differs from it in %s: it may be refused for either, and what the server says of it names none.\nhint: let both have the same, but for what it is to be refused for",
		m.Method, m.Path, and(least.Parts))
}

// and joins names.
func and(names []string) string {
	names = some(names)
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// size is in how many parts two requests differ that are no mere names.
func size(d interp.RequestDifference) int {
	if d.Signature != "" {
		return len(d.Parts) + 1
	}
	return len(d.Parts)
}

// same reports whether two requests are the same.
func same(a, b *met) bool {
	d := interp.RequestsDiffer(a.Parts, b.Parts)
	return a.Path == b.Path && d.None()
}

// itself are statuses that say of a request what came before it: nothing is left to pay with, it changed, it is locked.
var itself = []int{http.StatusPaymentRequired, http.StatusPreconditionFailed, http.StatusLocked}

// repeated tells of a request that is the same as one that was accepted before it in its run: it is refused for
// whatever that one changed. It is not, where another one that differs from it in one part alone narrows that down,
// or something else came between them.
func (s *scene) repeated(m *met, of *place) string {
	about := subjects(m)
	if !changes(m.ServerAnswer) || len(about) < 2 || slices.Contains(itself, m.Status) {
		return ""
	}
	var first *met
	for i := range of.accepted {
		if a := &of.accepted[i]; a.run == m.run && a.nth < m.nth && same(m, a) {
			if first != nil {
				return "" // it is about how often
			}
			first = a
		}
	}
	if first == nil {
		return ""
	}
	for _, a := range s.runs[m.run].answers[first.nth+1 : m.nth] {
		if taken(a) && changes(a) && placeOf(a, a.Path) != placeOf(m.ServerAnswer, m.Path) {
			return ""
		}
	}
	for _, list := range [][]met{of.accepted, of.refused} {
		for i := range list {
			o := &list[i]
			if o.run != m.run || o.Parts == nil || !taken(o.ServerAnswer) && o.Status != m.Status {
				continue
			}
			d := interp.RequestsDiffer(m.Parts, o.Parts)
			if len(d.Parts)+len(d.Names)+segments(m.Path, o.Path) == 1 {
				return ""
			}
		}
	}
	return fmt.Sprintf("and is the same as %q, which was accepted before it: it is refused for whatever that one changed, which may be about any of %s.\nhint: check what the refusal says, such as %s.json.error; or let it differ from %[1]q in all but what it is to be refused for; or let one be accepted after it that differs from it in one of these alone",
		first.Name, and(about), m.Read)
}

// subjects are the parts that say what a request is about: those of its path that name something, and those of its
// query and its body.
func subjects(m *met) (list []string) {
	if thing := thingOf(m.Path); thing != "" {
		list = append(list, thing)
	}
	for _, p := range m.Parts {
		name := p.Name
		if p.Of != "" {
			name = p.Of
		}
		if !p.Field && p.Value != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// segments is in how many parts two paths differ.
func segments(a, b string) (n int) {
	one, other := strings.Split(a, "/"), strings.Split(b, "/")
	for i := range one {
		if i >= len(other) || one[i] != other[i] {
			n++
		}
	}
	return n
}

// apart tells of a request that differs from each accepted one in several parts that are no mere names: it may be
// refused for either.
func apart(m *met, of *place) string {
	var least interp.RequestDifference
	for i, a := range of.accepted {
		d := interp.RequestsDiffer(m.Parts, a.Parts)
		if size(d) < 2 {
			return ""
		}
		if i == 0 || size(d) < size(least) {
			least = d
		}
	}
	parts := least.Parts
	if least.Signature != "" {
		parts = append(slices.Clone(parts), least.Signature)
	}
	return fmt.Sprintf("and each %s of %s that is accepted differs from it in %s: it may be refused for any of these alone.\nhint: let one be accepted that differs from it in nothing but what it is to be refused for; or check what the refusal says, such as %s.json.error",
		m.Method, m.Path, and(parts), m.Read)
}

// ends are what a path is called at which something ends.
var ends = []string{"logout", "log-out", "signout", "sign-out", "logoff", "revoke", "revocation", "invalidate", "disable", "deactivate", "terminate"}

// ended tells of a request that lacks what another one before it ends, as an empty cookie after a logout: it is
// refused for that, whether or not the server forgot the session.
func (s *scene) ended(m *met, of *place) string {
	for i := range of.accepted {
		a := &of.accepted[i]
		d := interp.RequestsDiffer(m.Parts, a.Parts)
		if a.run != m.run || a.nth > m.nth || d.Lacks == "" || a.Path != m.Path {
			continue
		}
		for j, e := range s.runs[m.run].answers[a.nth+1 : m.nth] {
			last := strings.ToLower(e.Path[strings.LastIndexByte(e.Path, '/')+1:])
			if !taken(e) || e.Method != http.MethodDelete && !saysAny(last, ends) || !shares(a.Parts, e.Parts, d.Lacks) {
				continue
			}
			if slices.ContainsFunc(of.refused, func(o met) bool { return o.run == m.run && o.nth > a.nth+1+j && o.Parts != nil && same(&o, a) }) {
				continue
			}
			return fmt.Sprintf("and lacks %s, which %q has: it is refused for that, whatever %q did before it.\nhint: let the same request as %q be refused after %[3]q, with %[1]s as it was",
				d.Lacks, a.Name, e.Name, a.Name)
		}
	}
	return ""
}

// shares reports whether two requests have the same in a part, or in what stands in it.
func shares(a, b []interp.RequestPart, name string) bool {
	found := false
	for _, p := range a {
		if p.Name == name || p.Of == name {
			if !slices.ContainsFunc(b, func(q interp.RequestPart) bool { return q.Name == p.Name && q.Value == p.Value }) {
				return false
			}
			found = true
		}
	}
	return found
}

// earlier tells of a request that differs from an accepted one in nothing but what came before it to the same thing,
// and in several kinds of requests there.
func earlier(m *met, of *place) string {
	var more, fewer []string
	found := false
	for _, a := range of.accepted {
		if d := interp.RequestsDiffer(m.Parts, a.Parts); size(d) > 0 {
			continue
		}
		if m.many || a.many {
			return ""
		}
		without := func(list, other []string) []string {
			return slices.DeleteFunc(slices.Clone(list), func(kind string) bool { return slices.Contains(other, kind) })
		}
		plus, minus := without(m.before, a.before), without(a.before, m.before)
		if len(plus)+len(minus) < 2 {
			return ""
		}
		if !found || len(plus)+len(minus) < len(more)+len(fewer) {
			more, fewer = plus, minus
		}
		found = true
	}
	if !found {
		return ""
	}
	var parts []string
	if len(more) > 0 {
		parts = append(parts, and(more)+" came before it")
	}
	if len(fewer) > 0 {
		parts = append(parts, and(fewer)+" did not")
	}
	return fmt.Sprintf("and what came before it is not what came before a %s that is accepted: %s. It may be refused for any of these alone.\nhint: let the same come before it as before one that is accepted, but for what it is to be refused for; or check what the refusal says, such as %s.json.error",
		placeOf(m.ServerAnswer, m.Path), strings.Join(parts, ", and "), m.Read)
}

// thingOf is the beginning of a path that names the thing which it is about, such as /orders/7 of /orders/7/ship;
// "" for none.
func thingOf(path string) string {
	end := 0
	for from := 0; from < len(path); {
		to := len(path)
		if i := strings.IndexByte(path[from+1:], '/'); i >= 0 {
			to = from + 1 + i
		}
		if named(path[from+1 : to]) {
			end = to
		}
		from = to
	}
	return path[:end]
}
