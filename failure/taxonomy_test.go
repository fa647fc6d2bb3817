package failure

import (
	"strings"
	"testing"
)

// Every code in the tables of the standard taxonomies is one of their modes.
func TestStandardTablesAreClosed(t *testing.T) {
	for _, tax := range []*Taxonomy{Cuga(), Routing()} {
		if tax.rest == nil {
			t.Errorf("%s has no default mode", tax.Name())
		}
		for _, r := range tax.typed {
			if tax.Lookup(r.mode) == nil {
				t.Errorf("%s: %s gives unknown %q", tax.Name(), r.name, r.mode)
			}
		}
		for _, r := range tax.detect {
			if err := tax.checkRule(r); err != nil {
				t.Error(err)
			}
		}
		for i, m := range tax.Modes() {
			if err := checkMode(tax.Name(), m, tax.Lookup(m.Code) != tax.modes[i]); err != nil {
				t.Error(err)
			}
		}
	}
}

// A scenario's own modes and rules come first for exceptions; typed kinds
// still come before them, and the original is unchanged (CU12).
func TestCU12With(t *testing.T) {
	all := func(*Failure) bool { return true }
	own, err := Cuga().With("mine",
		[]Mode{
			{Code: "FLAKY", Category: "system", Retryable: true, Severity: "low"},
			{Code: "SYSTEM_TIMEOUT", Category: "system", Severity: "low"},
		},
		[]Rule{{Name: `detect "FLAKY"`, Mode: "FLAKY", Match: all}})
	if err != nil {
		t.Fatal(err)
	}
	if f := own.Classify(Failure{Kind: Exception, Type: "MemoryError"}); code(f) != "FLAKY" || f.Rule != `detect "FLAKY"` {
		t.Errorf("exception: %s by %q", code(f), f.Rule)
	}
	if f := own.Classify(Failure{Kind: Timeout}); code(f) != "SYSTEM_TIMEOUT" || f.Retryable {
		t.Errorf("timeout: %s, retryable %v, want the own mode of that code", code(f), f.Retryable)
	}
	if len(own.Modes()) != 26 || len(Cuga().Modes()) != 25 || !Lookup("SYSTEM_TIMEOUT").Retryable {
		t.Error("the standard taxonomy was changed, or a mode is double")
	}
	if again, err := own.With("more", nil, nil); err != nil || again.Lookup("FLAKY") == nil {
		t.Errorf("a taxonomy of a taxonomy: %v", err)
	}
}

// A rule that is marked as first is asked before the typed kinds, also where
// another taxonomy extends this one; a cancellation is asked of no rule.
func TestFirstRules(t *testing.T) {
	all := func(*Failure) bool { return true }
	own, err := Cuga().With("mine", nil, []Rule{
		{Name: "late", Mode: "AGENT_STATE", Match: all},
		{Name: "early", Mode: "SYSTEM_DISK", First: true, Match: func(f *Failure) bool { return f.StatusCode == 409 }},
	})
	if err != nil {
		t.Fatal(err)
	}
	more, err := own.With("more", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tax := range []*Taxonomy{own, more} {
		for _, tc := range []struct {
			f    Failure
			want string
		}{
			{Failure{Kind: HTTPStatus, StatusCode: 409}, "SYSTEM_DISK"},
			{Failure{Kind: HTTPStatus, StatusCode: 404}, "AGENT_VALIDATION"},
			{Failure{Kind: Exception, StatusCode: 409}, "SYSTEM_DISK"},
			{Failure{Kind: Exception}, "AGENT_STATE"},
		} {
			if got := tax.Classify(tc.f); code(got) != tc.want {
				t.Errorf("%s: %v: %s by %q, want %s", tax.Name(), tc.f, code(got), got.Rule, tc.want)
			}
		}
		if f := tax.Classify(Failure{Kind: Cancelled, StatusCode: 409}); f.Mode != nil {
			t.Errorf("a cancellation has the mode %s", code(f))
		}
	}
	if !own.Decided(Timeout) || !own.Decided(DBError) || own.Decided(HTTPStatus) || own.Decided(Exception) {
		t.Error("Decided: want those kinds that one rule without a condition names")
	}
}

// CG4: a mode may say what a failure means to a bench, in the three severities
// of codegenie eval.
func TestBenchSeveritiesAreSeverities(t *testing.T) {
	for _, severity := range []string{"info", "warn", "block"} {
		tax, err := Cuga().With("mine", []Mode{{Code: "build_failed", Severity: severity}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if m := tax.Lookup("build_failed"); m.Severity != severity {
			t.Errorf("severity %q became %q", severity, m.Severity)
		}
	}
}

// A mode or rule that cannot be meant is refused with its name and a way out.
func TestWithRefuses(t *testing.T) {
	all := func(*Failure) bool { return true }
	for _, tc := range []struct {
		modes []Mode
		rules []Rule
		want  string
	}{
		{modes: []Mode{{Severity: "low"}}, want: "no code"},
		{modes: []Mode{{Code: "A", Severity: "low"}, {Code: "A", Severity: "low"}}, want: `"A" is declared twice`},
		{modes: []Mode{{Code: "A", Severity: "critical", Terminal: true, Retryable: true}}, want: "terminal and retryable"},
		{modes: []Mode{{Code: "A", Severity: "high", Terminal: true}}, want: "a terminal mode is critical"},
		{modes: []Mode{{Code: "A", Severity: "huge"}}, want: `severity "huge"`},
		{rules: []Rule{{Name: "r", Mode: "SYSTEM_OMM", Match: all}}, want: `Did you mean "SYSTEM_OOM"?`},
		{rules: []Rule{{Name: "r", Mode: "SYSTEM_OOM"}}, want: "no condition"},
	} {
		if _, err := Cuga().With("mine", tc.modes, tc.rules); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v, want %q", err, tc.want)
		}
	}
}
