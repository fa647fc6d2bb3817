package failure

import "strings"

// A typedRule decides by the kind alone, or by the kind and a number that came
// with it. Of several rules for one kind the first that matches decides.
type typedRule struct {
	kind  Kind
	name  string
	match func(*Failure) bool
	mode  string
}

// byKind makes one rule per kind, named after it.
func byKind(mode string, kinds ...Kind) []typedRule {
	rules := make([]typedRule, len(kinds))
	for i, k := range kinds {
		rules[i] = typedRule{kind: k, name: "kind " + string(k), mode: mode}
	}
	return rules
}

// byStatus makes a rule for failures of kind HTTPStatus.
func byStatus(mode, name string, match func(code int) bool) typedRule {
	return typedRule{
		kind:  HTTPStatus,
		name:  "status " + name,
		match: func(f *Failure) bool { return match(f.meant()) },
		mode:  mode,
	}
}

// meant is the status by which a failure is classified.
func (f *Failure) meant() int {
	if f.StatusCode < 400 && f.Stands > 0 {
		return f.Stands
	}
	return f.StatusCode
}

func isCode(code int) func(int) bool   { return func(c int) bool { return c == code } }
func isClass(class int) func(int) bool { return func(c int) bool { return c/100 == class } }

// bySQLState makes a rule for database errors whose SQLSTATE (class and
// subclass, ISO 9075) begins with prefix.
func bySQLState(mode, prefix string) typedRule {
	name := "SQLSTATE " + prefix
	if len(prefix) < 5 {
		name += "…"
	}
	return typedRule{
		kind:  DBError,
		name:  name,
		match: func(f *Failure) bool { return strings.HasPrefix(f.SQLState, prefix) },
		mode:  mode,
	}
}
