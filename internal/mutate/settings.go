package mutate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/schema"
)

// A settingChange is an attribute that an operator changes where it is written, by ways that
// fit what it says.
type settingChange struct {
	operator, block, name string
	ways                  []func(s *site, name string) []edit
}

type ways = []func(s *site, name string) []edit

// settings are the numbers, times, flags and words that change what a program does. Those
// that need more than their own value have a function in operators.go.
var settings = sync.OnceValue(func() []settingChange { return slices.Concat(programSettings(), benchSettings()) })

func programSettings() []settingChange {
	return []settingChange{
		{"backoff", "retry", "base", ways{doubled}},
		{"backoff", "retry", "delay", ways{doubled}},
		{"backoff", "retry", "max_delay", ways{omitted, doubled}},
		{"backoff", "retry", "jitter", ways{omitted}},
		{"backoff", "retry", "retry_after_jitter", ways{omitted}},
		{"max_retry_after", "retry", "retry_after_cap", ways{omitted, doubled}},

		{"breaker", "breaker", "failure_rate", ways{omitted, doubled}},
		{"breaker", "breaker", "window", ways{doubled}},
		{"breaker", "breaker", "half_open_max", ways{oneMore}},
		{"breaker", "breaker", "success_threshold", ways{oneMore, oneFewer}},
		{"breaker", "breaker", "ignore", ways{omitted, withoutEach}},

		{"validate", "validate", "retry", ways{omitted}},
		{"validate", "validate", "mode", ways{omitted}},
		{"expect_status", "step", "reads_errors", ways{omitted}},

		{"budget", "budget", "usd", ways{doubled}},
		{"budget", "budget", "tokens", ways{doubled}},
		{"limit", "rate_limit", "requests_per_minute", ways{doubled}},
		{"limit", "rate_limit", "tokens_per_minute", ways{omitted, doubled}},
		{"limit", "rate_limit", "burst", ways{omitted, doubled}},
		{"limit", "workflow", "max_concurrent", ways{oneMore}},
		{"limit", "lock", "capacity", ways{oneMore}},
		{"limit", "lock", "max_queue", ways{oneMore}},
		{"limit", "pool", "size", ways{oneMore}},
		{"bulkhead", "bulkhead", "max_concurrent", ways{oneMore}},
		{"bulkhead", "bulkhead", "max_queue", ways{oneMore}},
		{"lock", "handler", "uses", ways{omitted}},
		{"lock", "tool", "uses", ways{omitted}},

		{"choice", "registry", "recover", ways{omitted, withoutEach}},
		{"choice", "actor", "cycles", ways{omitted}},
		{"choice", "target", "models", ways{omitted}},
		{"target_order", "target", "fallback", ways{omitted}},
		{"iterations", "consumer", "abort_after_chunks", ways{oneMore, oneFewer}},

		{"join", "fanout", "mode", ways{otherWords}},
		{"join", "step", "mode", ways{otherWords}},
		{"join", "sub", "run_if", ways{otherWords}},
		{"join", "sub", "group", ways{omitted}},
		{"join", "sub", "priority", ways{omitted}},

		{"time", "step", "for", ways{doubled}},
		{"time", "consumer", "abort_after", ways{doubled}},
		{"time", "handler", "takes", ways{doubled}},
		{"time", "tool", "takes", ways{doubled}},
		{"time", "startup", "takes", ways{doubled}},
		{"time", "registry", "ttl", ways{doubled}},
		{"time", "registry", "quarantine_after", ways{omitted, doubled}},
		{"time", "registry", "sweep_every", ways{doubled}},
		{"time", "registry", "heartbeat_every", ways{doubled}},
		{"time", "registry", "skew_tolerance", ways{doubled}},
		{"time", "actor", "clock_skew", ways{omitted, doubled}},

		{"taxonomy", "taxonomy", "extends", ways{omitted}},
		{"taxonomy", "detect", "first", ways{omitted}},
		{"taxonomy", "mode", "partial", ways{omitted}},
	}
}

// settingsOf are the edits of the settings that an operator changes.
func settingsOf(operator string, s *site) []edit {
	var list []edit
	for _, set := range settings() {
		if set.operator != operator || set.block != s.Type || s.Attr(set.name) == nil || isNull(s.Attr(set.name)) || s.Schema == nil || s.Schema.Attr(set.name) == nil {
			continue
		}
		for _, way := range set.ways {
			list = append(list, way(s, set.name)...)
		}
	}
	return list
}

// omitted takes away an attribute, unless that leaves its value as it is or doubles it.
func omitted(s *site, name string) []edit {
	usual := s.usual(name)
	if usual == s.now(name) {
		return nil
	}
	if d, ok := s.duration(name); ok {
		if of, has := schema.ParseDuration(strings.Trim(usual, `"`)); has && (of == d || d > 0 && of == 2*d) {
			return nil
		}
	}
	if n, ok := s.number(name); ok {
		if of, err := strconv.ParseFloat(usual, 64); err == nil && (of == n || n > 0 && of == 2*n) {
			return nil
		}
	}
	return s.drop(name)
}

// usual is the value that an attribute has where it is not written, "" where that is none.
func (s *site) usual(name string) string {
	known := s.Schema.Attr(name)
	switch {
	case known.Default != "":
		return known.Default
	case known.Type == schema.Bool:
		return "false"
	case s.Type == "rate_limit" && name == "burst":
		return s.now("requests_per_minute")
	case s.Type == "registry" && name == "quarantine_after":
		if ttl, ok := s.duration("ttl"); ok {
			return quotedDuration(2 * ttl)
		}
	}
	return ""
}

// doubled doubles a number or a time, as far as the schema allows it.
func doubled(s *site, name string) []edit {
	if list := s.twice(name); list != nil {
		return list
	}
	n, ok := s.number(name)
	if !ok || n == 0 {
		return nil
	}
	to := 2 * n
	if known := s.Schema.Attr(name); known.HasMax {
		to = min(to, known.Max)
	}
	if to == n {
		return nil
	}
	return s.set(name, shown(n), shown(to))
}

func oneMore(s *site, name string) []edit { return s.plus(name, 1, 0) }

func oneFewer(s *site, name string) []edit { return s.plus(name, -1, 1) }

// otherWords puts each other word in the place of one of a few.
func otherWords(s *site, name string) []edit {
	is := s.word(name)
	if is == "" {
		return nil
	}
	var list []edit
	for _, other := range s.Schema.Attr(name).OneOf {
		if other != is {
			list = append(list, s.set(name, strconv.Quote(is), strconv.Quote(other))...)
		}
	}
	return list
}

// withoutEach leaves out each entry of a list.
func withoutEach(s *site, name string) []edit {
	a := s.Attr(name)
	tuple, ok := a.Expr.(*hclsyntax.TupleConsExpr)
	if !ok {
		return nil
	}
	var list []edit
	for i, x := range tuple.Exprs {
		var others []string
		for j, y := range tuple.Exprs {
			if j != i {
				others = append(others, s.source(y.Range()))
			}
		}
		list = append(list, edit{
			keeps: name, what: fmt.Sprintf("%s without %s", name, s.brief(x.Range())), rng: a.Range,
			text: replaced(s.src, tuple.Range(), "["+strings.Join(others, ", ")+"]"),
		})
	}
	return list
}
