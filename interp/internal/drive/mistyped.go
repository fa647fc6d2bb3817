package drive

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/edits"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/catalog"
)

// What to do about a request that nobody answers depends on what is wrong. Where the file
// has almost what was asked for, something is mistyped, in the file or in the program, and
// to declare one more endpoint or provider would only hide that.

// mistyped reports whether one of two strings was probably meant to be the other: a letter
// differs, or two of a longer one. What differs in digits alone is another thing, as
// /orders/7 and /orders/8 are.
func mistyped(a, b string) bool {
	short := min(len(a), len(b))
	n := edits.Between(a, b)
	near := n == 1 && short > 3 || n == 2 && short > 5
	return near && undigited(a) != undigited(b)
}

func undigited(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return -1
		}
		return c
	}, s)
}

// remedy is what to do about a request that fits no endpoint of a provider, of which one is
// the nearest and differs so.
func remedy(near *endpoint, first *difference, c *candidate, req *request) string {
	declare := "declare one for it:\n" + proposed(c, req)
	m := &near.Step.Endpoint.Match
	if first.only(req, m) && first.repeats(c) {
		return fmt.Sprintf("write %s = %s in %s: it is below the base_url of the provider, which is %s", attribute(near, first), first.actual, called(near), shown(c.base))
	}
	if !first.alone(req, m) {
		return declare
	}
	did := fmt.Sprintf("did you mean %s = %s in %s?", attribute(near, first), first.actual, called(near))
	if first.path[0] == "model" {
		return did + " Otherwise the program asks for the wrong model"
	}
	return did + " If the request is a call of its own, " + declare
}

// unfit says of the entry of a script that a request fits best what keeps it from that, and
// what to do where that may be mistyped.
func (r *Run) unfit(sc *plan.Script, req *request) (why, hint string) {
	var near *plan.Entry
	var first *difference
	nearest := 0
	for _, entry := range sc.Entries {
		if entry.Match.Empty() {
			continue // something else keeps it from that
		}
		d := r.differs(req, &entry.Match)
		if d == nil {
			continue
		}
		if n := req.nearness(&entry.Match); near == nil || n > nearest {
			near, first, nearest = entry, d, n
		}
	}
	if near == nil {
		return "", ""
	}
	if m := &near.Match; first.alone(req, m) {
		hint = fmt.Sprintf("did you mean %s = %s at line %d?", strings.Join(first.path, "."), first.actual, m.Rng.Start.Line)
	}
	return fmt.Sprintf(": for entry %d, %s", near.N, first), hint
}

// alone reports whether a difference is all that keeps a request from a match, and may be
// a typing error.
func (d *difference) alone(req *request, m *plan.Match) bool {
	return d.only(req, m) && mistyped(strings.Trim(d.want, `"`), strings.Trim(d.actual, `"`))
}

// only reports whether a difference from a value is all that keeps a request from a match.
func (d *difference) only(req *request, m *plan.Match) bool {
	return m.Condition == nil && req.nearness(m) == len(m.Leaves)-2 && !d.pattern
}

// repeats reports whether the path that was wanted begins once more with that of the
// address of the provider.
func (d *difference) repeats(c *candidate) bool {
	if c.base == nil || d.path[0] != "path" {
		return false
	}
	above := strings.TrimRight(c.base.Path, "/")
	return above != "" && strings.Trim(d.want, `"`) == above+strings.Trim(d.actual, `"`)
}

// attribute is how an endpoint writes the field of a difference.
func attribute(e *endpoint, d *difference) string {
	name := d.path[0]
	if !e.Step.Endpoint.Declared && e.Step.Block.First("match") == nil {
		switch name {
		case "statement":
			return "query"
		case "tool":
			for _, subject := range plan.McpSubjects {
				if e.Step.Args[subject] != nil {
					return subject
				}
			}
		}
	}
	return strings.Join(d.path, ".")
}

// called is an endpoint, or a step that describes one, in words.
func called(e *endpoint) string {
	if e.Step.Endpoint.Declared {
		return fmt.Sprintf("endpoint %q", e.Name)
	}
	return fmt.Sprintf("step %q", e.Name)
}

// alike is the gate of a request that may be for several providers of one address.
func alike(list []*candidate, req *http.Request, model string) *lost {
	text := fmt.Sprintf("%s %s may be for the provider %s: they have one address", req.Method, req.URL, names(list))
	unnamed := slices.ContainsFunc(list, func(c *candidate) bool { return c.Model == "" })
	if model == "" || unnamed || list[0].Model == model {
		return &lost{plan.GateAmbiguous, text + ".\nhint: give each a base_url or a model of its own"}
	}
	var have []string
	hint := "have the program ask for the model of one, or change that"
	for _, c := range list {
		have = append(have, fmt.Sprintf("%q", c.Model))
		if mistyped(c.Model, model) {
			hint = fmt.Sprintf("did you mean model = %q in provider %q?", model, c.Name)
		}
	}
	return &lost{plan.GateAmbiguous, fmt.Sprintf("%s, and the request asks for the model %q, where they have %s.\nhint: %s", text, model, strings.Join(have, " and "), hint)}
}

// likeHost is the provider whose host is almost the one that was asked, nil for none.
func (r *Run) likeHost(host string) *provider {
	name := (&url.URL{Host: host}).Hostname()
	for _, p := range r.providers {
		if p.BaseURL != "" && p.Kind.Family != "sql" && mistyped(p.base.Hostname(), name) {
			return p
		}
	}
	return nil
}

// unclaimed is the gate of a request that is none of the API of any provider at its
// address.
func unclaimed(list []*candidate, req *http.Request) *lost {
	hint := fmt.Sprintf("if the program also calls something else there, declare it: provider \"http\" \"NAME\" { base_url = %q }", shown(list[0].base))
	if is := speaks(list, req); is != "" {
		hint = is
	}
	return &lost{plan.GateUnmatched, fmt.Sprintf("nothing answers %s %s: the API of provider %s has no such request.\nhint: %s", req.Method, req.URL, names(list), hint)}
}

// speaks says whose request it is, where that of another API is known: of the same kind of
// provider, or of another one at the address. It is "" where that is not known.
func speaks(list []*candidate, req *http.Request) string {
	for _, c := range list {
		for _, api := range slices.Sorted(maps.Keys(c.Kind.APIs)) {
			if knows(c.Kind.APIs[api], c.below) {
				return fmt.Sprintf("it is a request of api = %q: write that in provider %q", api, c.Name)
			}
		}
	}
	root := *list[0].base
	root.Path, root.RawPath = "", ""
	for _, base := range []*url.URL{list[0].base, &root} {
		below, ok := providers.Below(req, base)
		for _, k := range catalog.Kinds() {
			if ok && k.Family == "llm" && knows(k.Adapter, below) {
				return fmt.Sprintf("it is a request to %s: declare provider %q \"NAME\" { base_url = %q }, or correct the kind of provider %q", k.Name, k.Name, base, list[0].Name)
			}
		}
	}
	return ""
}

func knows(a providers.Adapter, below *http.Request) bool {
	reader, ok := a.(providers.Reader)
	return ok && reader.Claims(below)
}

// shown is a URL without what of it may be a secret: a user with a password, a query.
func shown(u *url.URL) string {
	bare := *u
	bare.User, bare.RawQuery, bare.ForceQuery, bare.Fragment = nil, "", false, ""
	return bare.String()
}

// hostHint is what to do about a host that is the address of no provider. One without an
// address is reached by its listener alone, and so by no Go code.
func (r *Run) hostHint(scheme, bare, allow string) string {
	hint := fmt.Sprintf("declare it: provider \"http\" \"NAME\" { base_url = %q }%s", scheme+"://"+bare, allow)
	if p := r.likeHost(bare); p != nil {
		meant := *p.base
		meant.Host = bare
		return fmt.Sprintf("provider %q is %s: did you mean base_url = %q? If not, %s", p.Name, shown(p.base), shown(&meant), hint)
	}
	for _, p := range r.providers {
		if p.Address() == "" {
			return fmt.Sprintf("provider %q has no address: if it is meant, give it base_url = %q. If not, %s", p.Name, scheme+"://"+bare, hint)
		}
	}
	return hint
}
