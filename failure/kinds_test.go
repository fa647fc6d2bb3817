package failure

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// specKinds is the list of the language, §6, with what was added to it.
const specKinds = `timeout connection rate_limit overloaded http_status malformed_response
stream_interrupted stream_incomplete circuit_open cancelled contract budget_exceeded
tool_error tool_not_found protocol_error session_expired target_unavailable quarantined
queue_full lock_timeout pool_timeout db_error db_timeout routing_cycle validation
permission exec_failed max_tool_iterations exception`

// Kinds lists the kinds of the language in its order.
func TestKindsAreTheList(t *testing.T) {
	var got []string
	for _, k := range Kinds() {
		got = append(got, string(k))
	}
	if diff := cmp.Diff(strings.Fields(specKinds), got); diff != "" {
		t.Error(diff)
	}
}

// Every constant of type Kind is in the list, so that a new one cannot be
// forgotten there.
func TestEveryKindConstantIsListed(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "failure.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != "Kind" {
			return true
		}
		value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil || !slices.Contains(Kinds(), Kind(value)) {
			t.Errorf("the constant %s = %q is not in Kinds (%v)", spec.Names[0], value, err)
		}
		found++
		return true
	})
	if found != len(Kinds()) {
		t.Errorf("found %d constants, Kinds has %d", found, len(Kinds()))
	}
}

// 429 and 529 have kinds of their own, as the fault table of §3 says.
func TestStatusKind(t *testing.T) {
	for code, want := range map[int]Kind{429: RateLimit, 529: Overloaded, 500: HTTPStatus, 404: HTTPStatus, 200: HTTPStatus} {
		if got := StatusKind(code); got != want {
			t.Errorf("StatusKind(%d) = %s, want %s", code, got, want)
		}
	}
}
