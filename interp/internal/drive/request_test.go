package drive

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
)

// In a pattern * is any run of characters, none too, and nothing else is special.
func TestLike(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"a", "a", true},
		{"a", "ab", false},
		{"*", "", true},
		{"*", "x/y", true},
		{"a*", "a", true},
		{"a*", "ba", false},
		{"*a", "ba", true},
		{"*a", "ab", false},
		{"a*b*c", "a1b2c", true},
		{"a*b*c", "acb", false},
		{"a*a", "a", false},
		{"a*a", "aa", true},
		{"a.c", "abc", false},
		{"[a]*", "[a]b", true},
		{"**", "x", true},
		{"ab*ba", "aba", false},
		{"*b*", "abc", true},
	} {
		if got := like(c.pattern, c.text); got != c.want {
			t.Errorf("like(%q, %q) is %v", c.pattern, c.text, got)
		}
	}
}

// A path of a match is compared without escapes, or as it was sent if the match has one.
func TestEscapedPaths(t *testing.T) {
	sent := httptest.NewRequest(http.MethodPut, "/base/files/2026%2freport%20a.txt", nil)
	r := &request{http: sent, path: "/files/2026/report a.txt"}
	for path, fits := range map[string]bool{
		"/files/2026/report a.txt":        true,
		"/files/2026%2freport%20a.txt":    true,
		"/files/2026/report%20a.txt":      false,
		"/files/2026*%20*":                true,
		"/files/100% sure":                false,
		"/base/files/2026%2freport a.txt": false,
	} {
		l := leaf("path", path, strings.Contains(path, "*"))
		if got := leafFits(&l, r.of(&l)); got != fits {
			t.Errorf("%s: %t, want %t", path, got, fits)
		}
	}
}

// The method of a request to an MCP server is that of the protocol, so that a
// match can ask for tools/list.
func TestMethodOfARequest(t *testing.T) {
	for want, in := range map[string]providers.Input{"POST": {}, "tools/list": {RPC: providers.RPC{Method: "tools/list"}}} {
		r := &request{http: httptest.NewRequest(http.MethodPost, "/", nil), in: in}
		if got := r.field("method"); got.AsString() != want {
			t.Errorf("the method is %s, want %s", got.AsString(), want)
		}
	}
}

func leaf(path, want string, pattern bool) plan.Leaf {
	return plan.Leaf{Path: []string{path}, Want: cty.StringVal(want), Pattern: pattern}
}

func node(name string, leaves ...plan.Leaf) *plan.Node {
	return &plan.Node{Name: name, Step: &plan.Step{Endpoint: &plan.Endpoint{Match: plan.Match{Leaves: leaves}}}}
}

// The endpoint is the one whose match says all that the others say and more; a
// text says all of a pattern that it fits (drive.md §3).
func TestMostSpecific(t *testing.T) {
	any := node("any")
	post := node("post", leaf("method", "POST", false))
	orders := node("orders", leaf("path", "/orders/*", true))
	seven := node("seven", leaf("path", "/orders/7", false))
	postSeven := node("post seven", leaf("method", "POST", false), leaf("path", "/orders/7", false))
	member := func(of, name, want string) plan.Leaf {
		return plan.Leaf{Path: []string{of, name}, Want: cty.StringVal(want)}
	}
	tea := node("tea", member("json", "item", "tea"))
	fewTeas := node("few teas", member("json", "item", "tea"), member("json", "n", "2"))
	paged := node("paged", member("query", "page", "2"))
	signed := node("signed", member("headers", "x-key", "k"), member("query", "page", "2"))
	for _, c := range []struct {
		fits []*plan.Node
		want *plan.Node
	}{
		{nil, nil},
		{[]*plan.Node{any}, any},
		{[]*plan.Node{any, post}, post},
		{[]*plan.Node{post, orders}, nil},
		{[]*plan.Node{orders, seven}, seven},
		{[]*plan.Node{seven, orders, any}, seven},
		{[]*plan.Node{any, post, orders, seven, postSeven}, postSeven},
		{[]*plan.Node{post, node("twin", leaf("method", "POST", false))}, nil},
		{[]*plan.Node{post, orders, seven}, nil},
		{[]*plan.Node{tea, fewTeas}, fewTeas},
		{[]*plan.Node{tea, paged}, nil},
		{[]*plan.Node{paged, signed}, signed},
		{[]*plan.Node{fewTeas, signed}, nil},
	} {
		if got := mostSpecific(c.fits); got != c.want {
			t.Errorf("%v of %d", got, len(c.fits))
		}
	}
}
