package sut

import (
	"fmt"
	"slices"

	"github.com/scenario-lang/scenario/interp"
)

// Unreachable says why the services of a scenario cannot be reached for some
// endpoints, all where those are nil, in the place of a script: "" where they can.
func Unreachable(p *interp.Plan, endpoints []string) string {
	for _, asked := range p.AskedAt(endpoints) {
		what := ""
		switch {
		case asked.Kind.Family == "sql":
			what = "a database"
		case asked.Kind.Family == "mcp" && asked.Command != nil:
			what = "a server over a pipe"
		default:
			continue
		}
		return fmt.Sprintf("provider %q is %s, and of programs only what they ask over HTTP goes on to a real service; scenario record records a workflow that asks the same", asked.Name, what)
	}
	return ""
}

// keyNames are the variables by which a program has the keys of a provider.
func keyNames(p *interp.Provider) []string {
	var names []string
	for _, v := range vendors {
		if v.kind == p.Kind.Name {
			names = slices.Clone(v.keys)
		}
	}
	if p.ApiKeyEnv != "" && !slices.Contains(names, p.ApiKeyEnv) {
		names = append(names, p.ApiKeyEnv)
	}
	return names
}

// Keys are the values of the keys that programs have of the services which some
// endpoints of a scenario reach, all where those are nil.
func Keys(p *interp.Plan, endpoints []string, lookup func(string) (string, bool)) []string {
	var values []string
	for _, asked := range p.AskedAt(endpoints) {
		for _, name := range keyNames(asked) {
			if v, ok := lookup(name); ok && v != "" {
				values = append(values, v)
			}
		}
	}
	return values
}

// Unkeyed is the first provider among those that some endpoints reach, all where those
// are nil, whose api_key_env names a variable that is not set, while the program gets no
// other key of that service; nil where there is none.
func Unkeyed(p *interp.Plan, endpoints []string, lookup func(string) (string, bool)) *interp.Provider {
	for _, asked := range p.AskedAt(endpoints) {
		if asked.ApiKeyEnv == "" || slices.ContainsFunc(keyNames(asked), func(name string) bool {
			v, ok := lookup(name)
			return ok && v != ""
		}) {
			continue
		}
		return asked
	}
	return nil
}

// passKeys leaves the program its real keys of the services that are reached.
// Without one it has the placeholder, which some services on one's own machine take.
func (r *run) passKeys() {
	if r.options.Live == nil {
		return
	}
	for _, p := range r.plan.AskedAt(r.options.Live.Steps) {
		for _, name := range keyNames(p) {
			if v, ok := r.inherited(name); ok && v != "" {
				delete(r.sets, name)
				r.passed = append(r.passed, name)
			}
		}
	}
}
