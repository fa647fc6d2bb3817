package mutate

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// kinds puts something else of the same kind in the place of what a block says about failures: another policy of
// retries that waits as long before the first two, another strategy of a gateway, another deadline with the same limit.
func kinds(s *site) []edit {
	switch {
	case s.Type == "retry":
		return s.otherRetry()
	case s.Type == "gateway":
		return s.otherStrategy()
	}
	return s.otherDeadline()
}

// otherStrategy gives a gateway each other strategy but the default, which the operator "choice" gives it.
func (s *site) otherStrategy() []edit {
	known, is := s.Schema.Attr("strategy"), s.word("strategy")
	if known == nil || s.Attr("strategy") == nil || is == "" || len(s.All("target")) < 2 {
		return nil
	}
	var list []edit
	for _, other := range known.OneOf {
		if to := strconv.Quote(other); other != is && to != known.Default {
			list = append(list, s.set("strategy", strconv.Quote(is), to)...)
		}
	}
	return list
}

// alternatives are the deadlines that are easily taken for one, the nearest first.
func alternatives(name string) []string {
	switch name {
	case "idle_timeout", "first_byte_timeout":
		return []string{"attempt_timeout", "timeout"}
	case "attempt_timeout":
		return []string{"timeout"}
	case "timeout":
		return []string{"attempt_timeout"}
	}
	return nil
}

// otherDeadline gives a limit to another deadline. That of one attempt and that of all are the same where nothing is
// tried again.
func (s *site) otherDeadline() []edit {
	retries := s.Attr("retry") != nil && s.source(s.Attr("retry").Expr.Range()) != "retry.none"
	var list []edit
	for _, name := range deadlines {
		a := s.Attr(name)
		if a == nil || isNull(a) || s.word(name) == "none" || (name == "timeout" || name == "attempt_timeout") && !retries {
			continue
		}
		others := alternatives(name)
		i := slices.IndexFunc(others, func(other string) bool {
			known := s.Schema.Attr(other)
			return known != nil && !known.Refused && s.Attr(other) == nil
		})
		if i < 0 {
			continue
		}
		other := others[i]
		list = append(list, edit{
			keeps: name, what: fmt.Sprintf("%s %s → %s", name, s.brief(a.Expr.Range()), other), rng: a.Range,
			text: spliced(s.src, a.NameRange.Start.Byte, a.NameRange.End.Byte, other),
		})
	}
	return list
}

// seenRetries is how many retries show that waits grow in another way: the first two waits are the same.
const seenRetries = 3

// otherRetry makes a policy whose waits are multiplied one whose waits grow by the same each time, or the other way
// round. The first two waits stay as they are, so that none is made of a policy that has no third.
func (s *site) otherRetry() []edit {
	if n, ok := s.number("max_retries"); ok && n < seenRetries {
		return nil
	}
	var names, values map[string]string
	to := ""
	switch s.Kind() {
	case "exponential":
		first, ok := s.duration("base")
		factor, written := s.number("multiplier")
		jitter, even := s.number("jitter")
		if !ok || !written || factor <= 1 || !even || jitter != 0 {
			return nil
		}
		to, names = "linear", map[string]string{"base": "delay", "multiplier": "increment"}
		values = map[string]string{"delay": s.now("base"), "increment": quotedDuration(time.Duration(float64(first) * (factor - 1)))}
	case "linear":
		first, ok := s.duration("delay")
		step, written := s.duration("increment")
		if !ok || !written || first <= 0 || step <= 0 {
			return nil
		}
		to, names = "exponential", map[string]string{"delay": "base", "increment": "multiplier"}
		values = map[string]string{"base": s.now("delay"), "multiplier": shown(float64(first+step) / float64(first))}
	default:
		return nil
	}
	return s.ofKind(to, names, values)
}

func quotedDuration(d time.Duration) string { return strconv.Quote(d.String()) }

// ofKind is the block with another first label. Attributes get the names and the values that stand for them in the
// other kind, and those that it does not have are left out.
func (s *site) ofKind(to string, names, values map[string]string) []edit {
	if s.Parent == nil || s.Parent.Schema == nil || len(s.LabelRanges) == 0 {
		return nil
	}
	family := s.Parent.Schema.Block(s.Type)
	if family == nil || family.ForKind(to) == nil {
		return nil
	}
	other := family.ForKind(to)
	label := s.LabelRanges[0]
	head := strconv.Quote(to)
	head += strings.Repeat(" ", max(0, label.End.Byte-label.Start.Byte-len(head))) // so that the body is not before its place
	changes := []change{{from: label.Start.Byte, to: label.End.Byte, with: head}}
	added := ""
	for _, old := range slices.Sorted(maps.Keys(names)) {
		name := names[old]
		if a := s.Attr(old); a != nil {
			changes = append(changes, change{from: a.Range.Start.Byte, to: a.Range.End.Byte, with: name + " = " + values[name]})
		} else {
			added += name + " = " + values[name] + "\n"
		}
	}
	text := s.src
	for _, a := range s.Attrs {
		if names[a.Name] == "" && other.Attr(a.Name) == nil {
			text = blanked(text, a.Range)
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return a.from - b.from })
	for _, c := range slices.Backward(changes) {
		text = spliced(text, c.from, c.to, c.with)
	}
	if added != "" {
		text = inserted(text, s.Block, added)
	}
	return []edit{{keeps: "kind", what: fmt.Sprintf("retry %q → %q", s.Kind(), to), rng: s.header(), text: text}}
}
