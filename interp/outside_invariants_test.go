package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Shows that what the invariants of a program's run take has a limit that grows with its
// events: one that goes over all pairs of them ends with an error that names it, and is
// then not evaluated for the rest of the run, nor when that is judged from its trace. One
// that goes over all events is within the limit, and so is an assert over all pairs, as it
// is evaluated once.
func TestInvariantsOfAProgramHaveALimit(t *testing.T) {
	const pairs = `length([for a in events() : a if length([for b in events() : b if b.type == "lock"]) > 5000]) == 0`
	for checks, c := range map[string]struct {
		payments int
		want     Verdict
	}{
		`invariant "i" { condition = ` + pairs + ` }`:                                                             {120, Error},
		`invariant "i" { condition = length([for a in events() : a if a.type == "lock"]) == 0 }`:                  {60, Pass},
		`invariant "i" { condition = alltrue([for a in endpoint.bank.attempts : length(a.request.body) < 500]) }`: {60, Pass},
		`assert "a" { condition = ` + pairs + ` }`:                                                                {30, Pass},
	} {
		payments := make([][2]string, c.payments)
		for i := range payments {
			payments[i] = [2]string{fmt.Sprintf(`{"amount": %d, "note": "%s"}`, i, strings.Repeat("x", 50))}
		}
		r := paid(t, Exec, fmt.Sprintf(bank, "", checks), payments...)
		if r.Verdict != c.want {
			t.Errorf("%s: %s", checks, told(r))
		}
		if c.want != Error {
			continue
		}
		if said := told(r); len(r.Problems) != 1 || !strings.Contains(said, "too much to compute: the invariants of the run") || !strings.Contains(said, "events() (line ") {
			t.Errorf("%s: %s", checks, said)
		}
		if _, err := Judge(r.Plan, r.Events); err == nil || err.Error() != r.Problems[0].Message {
			t.Errorf("%s: judged from the trace: %v", checks, err)
		}
	}
}

// Shows that a check of a program's run that takes much is evaluated once and not asked whether it shows
// anything, which evaluates it many times; nor is any after it once all of them have taken much.
func TestChecksThatTakeMuchAreAskedNothing(t *testing.T) {
	const (
		pairs = `alltrue([for a in events() : length([for b in events() : b if b.seq == a.seq]) == 1])`
		idle  = `try(endpoint.bank.attempts[900].status_code == 500, true)`
	)
	marked := func(payments int, checks ...string) (names []string) {
		t.Helper()
		all := make([][2]string, payments)
		for i := range all {
			all[i] = [2]string{fmt.Sprintf(`{"amount": %d}`, i)}
		}
		text := ""
		for i, c := range checks {
			text += fmt.Sprintf("assert \"%d\" { condition = %s }\n", i, c)
		}
		r := paid(t, Exec, fmt.Sprintf(bank, "", text), all...)
		for _, p := range append(r.Problems, r.Relaxed...) {
			if p.Kind != "assert" && p.Kind != "gate" {
				names = append(names, p.Name)
			}
		}
		if r.Verdict == Error {
			t.Error(told(r))
		}
		return names
	}
	for _, c := range []struct {
		name     string
		payments int
		checks   []string
		want     string
	}{
		{"little", 3, []string{"!" + pairs + " || " + idle, idle}, `[assert "0" assert "1"]`},
		{"much", 60, []string{"!" + pairs + " || " + idle, idle}, `[assert "1"]`},
		{"much together", 60, append(slices.Repeat([]string{pairs}, 11), idle), "[]"},
	} {
		if got := fmt.Sprint(marked(c.payments, c.checks...)); got != c.want {
			t.Errorf("%s: marked are %s, want %s", c.name, got, c.want)
		}
	}
}
