package failure

import (
	"fmt"
	"slices"
	"strings"
)

// A Taxonomy gives failures their modes: by their typed kind first,
// then by detect rules in order, then a default. It is immutable and safe for
// concurrent use.
type Taxonomy struct {
	name  string
	modes []*Mode
	// first are rules that are asked before the typed kinds.
	first  []Rule
	typed  []typedRule
	detect []Rule
	// rest is the mode of a failure that no rule knows.
	rest *Mode
}

// A Rule is one line of detection for failures whose kind says nothing.
type Rule struct {
	// Name is how explain shows the rule.
	Name string
	// Mode is the code that a match gives.
	Mode string
	// First has the rule asked before the typed kinds, so that it can name
	// failures that they would.
	First bool
	// Match reports whether the rule knows the failure. It must not change it.
	Match func(*Failure) bool
}

// Name returns the name under which a scenario refers to the taxonomy.
func (t *Taxonomy) Name() string { return t.name }

// Modes returns the modes in order of declaration, added ones first. The slice
// is the caller's.
func (t *Taxonomy) Modes() []Mode {
	out := make([]Mode, len(t.modes))
	for i, m := range t.modes {
		out[i] = *m
	}
	return out
}

// Lookup returns the mode with that code, or nil. It is shared and must not be
// changed.
func (t *Taxonomy) Lookup(code string) *Mode {
	for _, m := range t.modes {
		if m.Code == code {
			return m
		}
	}
	return nil
}

// With returns a taxonomy of that name in which the given modes are added, or
// stand in the place of those with their codes, and the given rules are asked
// before the present ones. Typed kinds still come before any rule but those
// that are marked as First. The receiver is unchanged.
func (t *Taxonomy) With(name string, modes []Mode, rules []Rule) (*Taxonomy, error) {
	n := &Taxonomy{name: name, typed: t.typed}
	for _, m := range modes {
		if err := checkMode(name, m, n.Lookup(m.Code) != nil); err != nil {
			return nil, err
		}
		n.modes = append(n.modes, &m)
	}
	for _, m := range t.modes {
		if n.Lookup(m.Code) == nil {
			n.modes = append(n.modes, m)
		}
	}
	for _, r := range rules {
		if err := n.checkRule(r); err != nil {
			return nil, err
		}
	}
	early, late := split(rules)
	n.first, n.detect = slices.Concat(early, t.first), slices.Concat(late, t.detect)
	n.rest = n.Lookup(t.rest.Code)
	return n, nil
}

func split(rules []Rule) (first, rest []Rule) {
	for _, r := range rules {
		if r.First {
			first = append(first, r)
		} else {
			rest = append(rest, r)
		}
	}
	return first, rest
}

// Codes returns the codes of the modes in order of declaration, added ones
// first. The slice is the caller's.
func (t *Taxonomy) Codes() []string {
	codes := make([]string, len(t.modes))
	for i, m := range t.modes {
		codes[i] = m.Code
	}
	return codes
}

// Decided reports whether the kind alone names every failure of that kind, so
// that no rule is asked but those that are marked as First.
func (t *Taxonomy) Decided(k Kind) bool {
	return slices.ContainsFunc(t.typed, func(r typedRule) bool { return r.kind == k && r.match == nil })
}

// checkMode holds a mode to what V99 says of every mode: a terminal one is
// critical and not retryable.
func checkMode(taxonomy string, m Mode, twice bool) error {
	where := fmt.Sprintf("taxonomy %q: mode %q", taxonomy, m.Code)
	switch {
	case m.Code == "":
		return fmt.Errorf("taxonomy %q: a mode has no code; give it one, such as \"MY_MODE\"", taxonomy)
	case twice:
		return fmt.Errorf("%s is declared twice; remove one of them", where)
	case m.Terminal && m.Retryable:
		return fmt.Errorf("%s is terminal and retryable; a terminal mode ends the run, so drop one of the two", where)
	case !slices.Contains(Severities(), m.Severity):
		return fmt.Errorf("%s has severity %q; use one of %s", where, m.Severity, strings.Join(Severities(), ", "))
	case m.Terminal && m.Severity != "critical":
		return fmt.Errorf("%s is terminal with severity %q; a terminal mode is critical", where, m.Severity)
	}
	return nil
}

func (t *Taxonomy) checkRule(r Rule) error {
	if r.Match == nil {
		return fmt.Errorf("taxonomy %q: rule %q of mode %q has no condition; give it one", t.name, r.Name, r.Mode)
	}
	if t.Lookup(r.Mode) == nil {
		return fmt.Errorf("taxonomy %q: rule %q gives the unknown mode %q%s", t.name, r.Name, r.Mode, didYouMean(r.Mode, t.Codes()))
	}
	return nil
}
