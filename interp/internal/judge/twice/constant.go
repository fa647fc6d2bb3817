package twice

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/names"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A period is how long an answer says that something lasts or takes.
type period struct{ by, name, value string }

// A size is that of an answer of a model: how many tokens it says that it has, and pieces and words it is made of.
type size struct {
	by                    string
	tokens, pieces, words int
	sent                  int // how many values were sent before
}

// lasting are the words of a scenario about how long an answer says that something lasts.
func lasting() aim {
	return aim{
		words:   []string{"wait", "waits", "waited", "says", "said", "asks", "asked", "told", "expires", "expired", "expiry", "fresh", "stale", "lifetime", "ttl", "cached", "interval"},
		phrases: []string{"as long as", "retry after", "max age", "cache control"},
	}
}

// maxAge is a directive of Cache-Control with a number of seconds.
var maxAge = pattern.New(`(?:^|[ ,])(s-maxage|max-age)="?([0-9]+)`)

// periods are those of the header of an answer.
func periods(by string, headers event.Headers) (list []period) {
	for _, name := range read.SortedNames(headers) {
		switch value := headers[name]; strings.ToLower(name) {
		case "retry-after", "retry-after-ms", "x-ratelimit-reset-after", "poll-interval", "x-poll-interval":
			list = append(list, period{by, name, value})
		case "cache-control":
			for _, m := range maxAge().FindAllStringSubmatch(value, 8) {
				list = append(list, period{by, m[1] + " of " + name, m[2]})
			}
		}
	}
	return list
}

// lasts reports whether a member says how long something lasts or takes.
func lasts(name string) bool {
	words := read.WordsIn(name)
	return len(words) > 0 && slices.ContainsFunc([]string{"retry after", "expires in", "poll after", "max age", "ttl", "interval", "delay", "wait"}, func(s string) bool {
		return strings.Contains(" "+strings.Join(words, " ")+" ", " "+s+" ")
	})
}

// constant are values that are the same in every answer that gives them, of a scenario about what answers say: how long
// something lasts, and what is sent on and named in the scenario. A program that has them in its source, or keeps the
// first one, passes as well.
func (r *record) constant(titles []string, room int) (list []observe.RequestPart) {
	if !r.program {
		return nil
	}
	type key struct{ by, name string }
	of := map[key][]string{}
	var order []key
	add := func(at key, value string) {
		if of[at] == nil {
			order = append(order, at)
		}
		of[at] = append(of[at], value)
	}
	if slices.ContainsFunc(titles, lasting().of) {
		for _, p := range r.periods {
			add(key{p.by, p.name}, p.value)
		}
		for _, m := range r.moments {
			if !m.sent && !strings.Contains(m.name, "[]") && lasts(lastOf(m.name)) {
				add(key{m.by, lastOf(m.name)}, m.text)
			}
		}
	}
	for _, at := range order {
		if same(of[at]) && len(list) < room {
			list = append(list, observe.RequestPart{Of: at.by, Name: fmt.Sprintf("%s, which is %s in each of %d: what has it as a constant passes as well", at.name, of[at][0], len(of[at]))})
		}
	}
	return append(list, r.first(titles, room-len(list))...)
}

// same reports whether there are two values or more, which all are the same.
func same(values []string) bool {
	return len(values) > 1 && len(slices.Compact(slices.Clone(values))) == 1
}

// first are members that the scenario is named after, and that have one value in all answers, which is sent after the
// first of them and after the last, and not before.
func (r *record) first(titles []string, room int) (list []observe.RequestPart) {
	type key struct{ by, name string }
	of := map[key][]int{}
	var order []key
	for i, m := range r.moments {
		if at := (key{m.by, m.name}); !m.sent && !strings.Contains(m.name, "[]") && telling(m.text) && names.Mentioned(titles, lastOf(m.name)) {
			if of[at] == nil {
				order = append(order, at)
			}
			of[at] = append(of[at], i)
		}
	}
	for _, at := range order {
		all := of[at]
		value, last := r.moments[all[0]].text, all[len(all)-1]
		if len(all) < 2 || len(list) >= room || slices.ContainsFunc(all, func(i int) bool { return r.moments[i].text != value }) {
			continue
		}
		where := func(from, to int) string {
			for _, m := range r.moments[from:to] {
				if m.sent && m.has(value) {
					return m.name
				}
			}
			return ""
		}
		if name := where(last, len(r.moments)); name != "" && where(0, all[0]) == "" && where(all[0], last) != "" {
			list = append(list, observe.RequestPart{Of: at.by, Name: fmt.Sprintf("%s, which is %s in each of %d, and is sent on as %s: what keeps the first passes as well", lastOf(at.name), value, len(all), name)})
		}
	}
	return list
}

// sizeOf is the size of an answer that says how many tokens it has.
func sizeOf(by string, tokens int, content string, pieces []string, sent int) size {
	s := size{by: by, tokens: tokens, sent: sent}
	for _, piece := range pieces {
		if piece != "" {
			s.pieces++
		}
	}
	if content == "" {
		content = strings.Join(pieces, "")
	}
	s.words = len(strings.Fields(content))
	return s
}

// tallied are answers whose tokens are as many as their pieces, or their words, in each answer that has some, where the
// number is sent on or a check is about tokens and says it.
func (r *record) tallied(checks *set, room int) []observe.RequestPart {
	if !r.program || len(r.sizes) == 0 || room <= 0 {
		return nil
	}
	s := r.sizes[0]
	n := strconv.Itoa(s.tokens)
	if !isSent(r.sent[min(s.sent, len(r.sent)):], n, -1) && !(strings.Contains(checks.text, "token") && slices.Contains(digits().FindAllString(checks.text, -1), n)) {
		return nil
	}
	for _, of := range []struct {
		what  string
		count func(s size) int
	}{{"pieces", func(s size) int { return s.pieces }}, {"words", func(s size) int { return s.words }}} {
		if !slices.ContainsFunc(r.sizes, func(s size) bool { return s.tokens < 2 || of.count(s) != s.tokens }) {
			return []observe.RequestPart{{Of: s.by, Name: fmt.Sprintf("completion_tokens, which is %s, as many as it has %s: what counts them passes as well", n, of.what)}}
		}
	}
	return nil
}

// structured are answers of servers of MCP whose text is their structured content, as the script gives no other, of a
// scenario that is named after one of the two.
func (r *record) structured(titles []string, room int) (list []observe.RequestPart) {
	if !r.program || !names.Mentioned(titles, "structured") && !names.Mentioned(titles, "text") {
		return nil
	}
	for _, by := range read.SortedNames(r.plain) {
		if r.plain[by] && len(list) < room {
			list = append(list, observe.RequestPart{Of: by, Name: "its text, which is the JSON of its structured content, as the script gives no content: what reads the text passes as well"})
		}
	}
	return list
}
