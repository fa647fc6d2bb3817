package mutate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/schema"
)

// An Operator is one way to weaken a declaration.
type Operator struct {
	// Name is what --only calls it, and Summary says what it does.
	Name, Summary string
	// edits are the changes that it makes in a block, none in most. It is nil for what is
	// not looked for in each block of the program by itself: what has a role, such as a schema,
	// and what a check reads, too.
	edits func(s *site) []edit
	// data says that its mutants are about data: no fault shows one, only other answers
	// and other inputs do.
	data bool
}

// Operators lists all of them, the most worth knowing first.
func Operators() []Operator { return slices.Clone(operators) }

// changes are all edits that the operator makes in a block: its own, and those of settings.
func (o *Operator) changes(s *site) []edit { return append(o.edits(s), settingsOf(o.Name, s)...) }

var operators = []Operator{
	{Name: "retry", Summary: "drop the retry policy of a step, a sub or a startup", edits: func(s *site) []edit {
		if s.Type == "validate" || s.Type == "retry" {
			return nil
		}
		return s.drop("retry")
	}},
	{Name: "retries", Summary: "halve max_retries, or add one to it", edits: retries},
	{Name: "retry_after", Summary: "ignore the wait that a server asks for", edits: func(s *site) []edit {
		if v, ok := s.literal("respect_retry_after"); s.Type != "retry" || s.Kind() == "none" || ok && v.False() {
			return nil
		}
		return s.set("respect_retry_after", s.now("respect_retry_after"), "false")
	}},
	{Name: "retry_on", Summary: "retry whatever is worth a retry and not what retry_on lists, not one of these, or one more", edits: retryOn},
	{Name: "max_retry_after", Summary: "drop the longest wait of a server that is kept or slept, or double it", edits: maxRetryAfter},
	{Name: "backoff", Summary: "wait equally long before every retry, twice as long at first, without a longest wait or one twice as long, or without jitter", edits: backoff},
	{Name: "breaker", Summary: "drop a breaker, add one to its threshold, double its reset or its window, or change another of its settings", edits: breaker},
	{Name: "fallback", Summary: "drop the fallback of a step, or a target that is not the only one", edits: fallback},
	{Name: "deadline", Summary: "drop a timeout, or double it", edits: deadline},
	{Name: "on_failure", Summary: "do something else when a step fails", edits: func(s *site) []edit {
		return s.other("on_failure", map[string]string{"fail_fast": "continue", "": "fail_fast"})
	}},
	{Name: "required", Summary: "let the run fail with a step or a sub that is not required", edits: func(s *site) []edit {
		v, ok := s.literal("required")
		if !ok || v.Type() != cty.Bool || v.True() {
			return nil
		}
		return s.drop("required")
	}},
	{Name: "idempotent", Summary: "flip idempotent", edits: func(s *site) []edit {
		v, ok := s.literal("idempotent")
		if s.Attr("idempotent") == nil || !ok || s.Type == "bench" { // of a bench it decides what is done when a worker is lost
			return nil
		}
		return s.set("idempotent", strconv.FormatBool(v.True()), strconv.FormatBool(v.False()))
	}},
	{Name: "validate", Summary: "accept any answer, or drop what makes a broken contract one that is tried again or of a mode", edits: func(s *site) []edit {
		if s.Type != "validate" {
			return nil
		}
		return s.dropBlock()
	}},
	{Name: "expect_status", Summary: "accept the statuses that any step accepts, or take the error of a tool for a failure", edits: func(s *site) []edit { return s.drop("expect_status") }},
	{Name: "budget", Summary: "spend without a limit, or twice as much", edits: budget},
	{Name: "limit", Summary: "drop a rate limit, a limit on what runs at one time, or a limit on a queue, or let it pass more", edits: limit},
	{Name: "bulkhead", Summary: "drop a bulkhead, or let one more pass or wait", edits: func(s *site) []edit {
		if s.Type != "bulkhead" {
			return nil
		}
		return s.dropBlock()
	}},
	{Name: "lock", Summary: "do not take the locks of a handler, or what it uses", edits: func(s *site) []edit {
		if s.Type != "handler" {
			return nil
		}
		return s.drop("lock")
	}},
	{Name: "depends_on", Summary: "do not wait for a step that no expression reads", edits: dependsOn},
	{Name: "choice", Summary: "drop strategy, fallback_on, quarantine_on_failures, cycles or the models of a target, or bring an entry of a registry back by other signs", edits: func(s *site) []edit {
		switch {
		case s.Type == "gateway":
			return s.drop("strategy")
		case s.Type == "registry":
			return s.drop("quarantine_on_failures")
		case s.Type == "step":
			return s.drop("fallback_on")
		}
		return nil
	}},
	{Name: "kind", Summary: "retry with waits that grow by the same, choose targets by another strategy, or give a limit to another deadline", edits: kinds},
	{Name: "target_order", Summary: "try the first target of a gateway last, or a fallback with the others", edits: targetOrder},
	{Name: "iterations", Summary: "one iteration more, or one fewer, and the same of chunks that are read", edits: func(s *site) []edit {
		var list []edit
		for _, name := range []string{"max_iterations", "max_tool_iterations", "max_hops"} {
			if s.Attr(name) != nil {
				list = slices.Concat(list, s.plus(name, 1, 1), s.plus(name, -1, 1))
			}
		}
		return list
	}},
	{Name: "when", Summary: "always run a step", edits: always},
	{Name: "join", Summary: "wait for all of a fanout, or for the first, in another order, on another condition, or without groups", edits: func(s *site) []edit {
		return s.other("join", map[string]string{"wait_for_all": "first_success", "": "wait_for_all"})
	}},
	{Name: "abort", Summary: "end a fanout on a different failure", edits: func(s *site) []edit {
		return s.other("abort", map[string]string{"continue": "on_any_failure", "": "continue"})
	}},
	{Name: "time", Summary: "double how long a wait or its own work takes, or a time of a registry", edits: func(*site) []edit { return nil }},
	{Name: ofEach, Summary: "give each step, workflow or handler a timeout, a retry, a budget or a lock of its own for that of all, or all one lock, gateway or timeout for that of each, or give one part what another has, or do one after the other for each and not for all", edits: func(*site) []edit { return nil }},
	{Name: "taxonomy", Summary: "drop a rule of a taxonomy, a mode that has none, what makes a mode terminal, retryable or partial, or what it adds to", edits: taxonomy, data: true},
	{Name: "condition", Summary: "leave out one of several conditions, a filter or the choice between two values, or move a limit by one, that of a status by a hundred", edits: conditions, data: true},
	{Name: "schema", Summary: "leave out a keyword of a JSON schema that refuses something, or move a limit of one by one", data: true},
	{Name: "jq", Summary: "leave out a condition, a stage or the like of a program of jq, or change a number or a comparison in it", data: true},
	{Name: "computation", Summary: "leave out a call such as slice, sort, try or tonumber, encode twice, swap arguments of merge, coalesce or try, change a default, or round a sum and not what is added", edits: computations, data: true},
	{Name: "arithmetic", Summary: "take - for +, * for /, leave out what is added or multiplied, or take a percentage for an amount", edits: arithmetic, data: true},
	{Name: "related", Summary: "take a text anywhere for one at the beginning, a mean for a percentile, another member of the same thing, all of a thing for some of its members, and the like", edits: related, data: true},
	{Name: "element", Summary: "take an end of a list as it comes for one of a sorted list, the first element only, always the first, or one by its place for one by its key", edits: elements, data: true},
	{Name: partial, Summary: "take a part of an expression for the whole, a list for what keeps its elements apart, or what one has without a function for it, such as split for csvdecode", edits: pieces, data: true},
	{Name: "everywhere", Summary: "leave out a function, two that undo each other, or what is put into a text or a header, in all places at once", data: true},
	{Name: "together", Summary: "leave out at once what has one name in common, and was noticed where each was left out alone", data: true},
	{Name: "format", Summary: "leave out the precision, the width, the sign or the verb of a format, or a part of a date", data: true},
	{Name: "bench", Summary: "move or drop a limit of a gate or a bench, drop a failure mode of a rubric, or compute the lower bound in another way", edits: benches, data: true},
	{Name: "data", Summary: "leave out an entry of a list, a map or a file that is looked through, add one to a list, or change a number or a flag of a local", edits: wider, data: true},
	{Name: "value", Summary: "give a local or a file that both the program and a check read another value", data: true},
}

// now is the value of an attribute as it is written, or its default.
func (s *site) now(name string) string {
	if a := s.Attr(name); a != nil {
		return s.brief(a.Expr.Range())
	}
	return s.Schema.Attr(name).Default
}

// other puts another word in the place of one that is written.
func (s *site) other(name string, words map[string]string) []edit {
	is := s.word(name)
	if s.Attr(name) == nil || is == "" {
		return nil
	}
	to, ok := words[is]
	if !ok {
		to = words[""]
	}
	return s.set(name, strconv.Quote(is), strconv.Quote(to))
}

func retries(s *site) []edit {
	if s.Type != "retry" || s.Kind() == "none" {
		return nil
	}
	var list []edit
	if n, ok := s.number("max_retries"); ok && n > 0 {
		list = s.set("max_retries", shown(n), shown(float64(int(n)/2)))
	}
	return append(list, s.plus("max_retries", 1, 0)...)
}

func maxRetryAfter(s *site) []edit {
	a := s.Attr("max_retry_after")
	if a == nil {
		return nil
	}
	list := s.twice("max_retry_after")
	usual, _ := schema.ParseDuration(strings.Trim(s.Schema.Attr("max_retry_after").Default, `"`))
	if d, ok := s.duration("max_retry_after"); !ok || d != usual {
		list = append(s.drop("max_retry_after"), list...)
	}
	return list
}

// taxonomy takes away a rule, or a mode, and what a retry asks of a mode. One for which the
// taxonomy has a rule cannot be left out.
func taxonomy(s *site) []edit {
	switch s.Type {
	case "detect":
		list := s.dropBlock()
		list[0].rng = s.whole()
		return list
	case "mode":
		ruled := slices.ContainsFunc(s.Parent.All("detect"), func(d *dsl.Block) bool { return d.Name() == s.Name() })
		var list []edit
		if !ruled {
			list = s.dropBlock()
		}
		for _, name := range []string{"terminal", "retryable"} {
			if v, ok := s.literal(name); ok && v.Type() == cty.Bool && v.True() {
				list = append(list, s.drop(name)...)
			}
		}
		return list
	}
	return nil
}

func backoff(s *site) []edit {
	switch {
	case s.Type != "retry":
	case s.Kind() == "exponential":
		if n, ok := s.number("multiplier"); ok && n != 1 {
			return s.set("multiplier", shown(n), "1")
		}
	case s.Kind() == "linear":
		if d, ok := s.duration("increment"); ok && d > 0 {
			return s.set("increment", s.now("increment"), `"0s"`)
		}
	}
	return nil
}

func breaker(s *site) []edit {
	if s.Type == "target" {
		return s.drop("breaker")
	}
	if s.Type != "breaker" {
		return nil
	}
	counts := "threshold"
	if s.Attr("window") != nil {
		counts = "min_calls"
	}
	return append(s.plus(counts, 1, 1), s.twice("reset")...)
}

func fallback(s *site) []edit {
	switch {
	case s.Type == "step" && s.Attr("fallback") != nil:
		list := s.drop("fallback")
		if on := s.Attr("fallback_on"); on != nil && len(list) > 0 { // it means nothing alone
			list[0].text = blanked(list[0].text, on.Range)
		}
		return list
	case s.Type == "target" && len(s.Parent.All("target")) > 1:
		return s.dropBlock()
	}
	return nil
}

// deadlines are the attributes that end something that takes too long.
var deadlines = []string{"timeout", "attempt_timeout", "first_byte_timeout", "idle_timeout", "acquire_timeout", "statement_timeout"}

func deadline(s *site) []edit {
	var list []edit
	for _, name := range deadlines {
		if s.Attr(name) != nil && s.word(name) != "none" {
			list = slices.Concat(list, s.drop(name), s.twice(name))
		}
	}
	return list
}

func budget(s *site) []edit {
	if s.Type != "budget" {
		return nil
	}
	if len(s.Attrs) == 1 {
		return s.dropBlock()
	}
	return append(s.drop("usd"), s.drop("tokens")...)
}

func limit(s *site) []edit {
	switch s.Type {
	case "target":
		return s.drop("rate_limit")
	case "workflow":
		return s.drop("max_concurrent")
	case "lock":
		return s.drop("max_queue")
	}
	return nil
}

func dependsOn(s *site) []edit {
	a := s.Attr("depends_on")
	if a == nil || s.Type == "sut" || s.Type == "rubric" { // the files of a program
		return nil
	}
	tuple, ok := a.Expr.(*hclsyntax.TupleConsExpr)
	if !ok || len(tuple.Exprs) == 0 {
		return s.drop("depends_on")
	}
	var list []edit
	for i, x := range tuple.Exprs {
		if s.reads(x) {
			continue
		}
		var others []string
		for j, y := range tuple.Exprs {
			if j != i {
				others = append(others, s.source(y.Range()))
			}
		}
		e := edit{keeps: "depends_on", what: fmt.Sprintf("depends_on %s dropped", s.brief(x.Range())), rng: a.Range, text: blanked(s.src, a.Range)}
		// An empty list differs from none where one is the default.
		if len(others) > 0 || s.Type == "sub" {
			e.text = replaced(s.src, tuple.Range(), "["+strings.Join(others, ", ")+"]")
		}
		list = append(list, e)
	}
	return list
}

// reads reports whether an expression of the block reads the step that another one
// names, and so waits for it anyway.
func (s *site) reads(named hclsyntax.Expression) bool {
	want := strings.TrimSpace(s.source(named.Range()))
	for _, a := range s.Attrs {
		if a.Name == "depends_on" {
			continue
		}
		for _, v := range a.Expr.Variables() {
			text := s.source(v.SourceRange())
			if text == want || strings.HasPrefix(text, want+".") || strings.HasPrefix(text, want+"[") {
				return true
			}
		}
	}
	return false
}

// always has a step run whatever its condition comes to. It still waits for what that
// reads.
func always(s *site) []edit {
	a := s.Attr("when")
	if a == nil || s.Type == "detect" { // a rule of a taxonomy is left out as a whole
		return nil
	}
	e := edit{keeps: "when", what: fmt.Sprintf("when %s → always", s.brief(a.Expr.Range())), rng: a.Range}
	e.text = replaced(s.src, a.Expr.Range(), "("+s.source(a.Expr.Range())+") || true")
	return []edit{e}
}

// targetOrder puts the target that is tried first behind all others, also behind
// those that stand in for them.
func targetOrder(s *site) []edit {
	if s.Type != "gateway" || len(s.All("target")) < 2 {
		return nil
	}
	var first *site
	least, last, spares := 0.0, 0.0, false
	for _, b := range s.All("target") {
		t := &site{Block: b, src: s.src}
		n, known := t.number("priority")
		if !known {
			return nil
		}
		last = max(last, n)
		if spare, ok := t.literal("fallback"); !ok || spare.True() {
			spares = true
		} else if first == nil || n < least {
			first, least = t, n
		}
	}
	if first == nil {
		return nil
	}
	list := first.set("priority", shown(least), shown(last+1))
	list[0].keeps, list[0].what = "order of targets", fmt.Sprintf("target %q tried last", first.Name())
	if spares {
		list[0].text = first.alsoSpare(shown(last + 1))
	}
	return list
}

// alsoSpare is the text in which a target has a priority and stands in for others.
func (s *site) alsoSpare(priority string) []byte {
	added, src := "fallback = true", s.src
	if a := s.Attr("fallback"); a != nil {
		src = blanked(src, a.Range)
	}
	if a := s.Attr("priority"); a != nil {
		src = replaced(src, a.Expr.Range(), priority)
	} else {
		added += "\npriority = " + priority
	}
	return inserted(src, s.Block, added)
}
