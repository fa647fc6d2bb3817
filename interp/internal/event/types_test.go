package event

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/trace"
)

// specTypes is the list of the specification.
const specTypes = `run_start step_start attempt_start fault attempt_end rejection retry_wait
fallback breaker timeout failure lock_wait lock unlock pool session_start session_end route
registry step_end gate run_end`

// ownTypes are those that are there besides, each behind which.
var ownTypes = map[string]string{"message": "attempt_end", "sut_start": "step_end", "sut_ready": "sut_start", "sut_host": "sut_ready", "sut_end": "sut_host", "case_start": "sut_end", "case_end": "case_start", "defect": "gate"}

// The list has the types of §13 in their order.
func TestTypesInOrder(t *testing.T) {
	var got []string
	for i, info := range Types() {
		if after, own := ownTypes[string(info.Type)]; own && string(Types()[i-1].Type) == after {
			continue
		}
		got = append(got, string(info.Type))
	}
	if diff := cmp.Diff(strings.Fields(specTypes), got); diff != "" {
		t.Error(diff)
	}
}

// Every type of event that package trace names has a payload here, and no other
// has: the constants are read from its source.
func TestEveryTypeHasAPayload(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../../trace/event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			if of, ok := spec.Type.(*ast.Ident); ok && of.Name == "Type" {
				name, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				declared = append(declared, name)
			}
		}
		return true
	})
	var known []string
	for _, info := range Types() {
		known = append(known, string(info.Type))
		if p := Empty(info.Type); p == nil || p.EventType() != info.Type || Describe(info.Type).Type != info.Type {
			t.Errorf("%s has the payload %T", info.Type, p)
		}
	}
	slices.Sort(declared)
	slices.Sort(known)
	if diff := cmp.Diff(declared, known); diff != "" {
		t.Errorf("declared in package trace, listed here:\n%s", diff)
	}
	if Empty("nonsense") != nil || Describe("nonsense") != nil {
		t.Error("a type that nobody declared has a payload")
	}
	if err := Check(trace.Event{Type: "nonsense"}); err == nil || !strings.Contains(err.Error(), `unknown type "nonsense"`) {
		t.Error(err)
	}
}

// Every attribute has a sentence and a known type, stands once, and takes no
// key of the event's own fields.
func TestAttributesAreDescribed(t *testing.T) {
	types := []string{"string", "bool", "int", "number", "duration", "list", "object", "any"}
	fixed := []string{"seq", "at_ns", "type", "step", "call", "actor", "attempt", "round", "turn", "iteration", "target"}
	for _, info := range Types() {
		if info.Doc == "" {
			t.Errorf("%s has no description", info.Type)
		}
		for i, a := range info.Attrs {
			switch {
			case a.Doc == "" || !slices.Contains(types, a.Type):
				t.Errorf("%s.%s: type %q, doc %q", info.Type, a.Name, a.Type, a.Doc)
			case slices.Contains(fixed, a.Name):
				t.Errorf("%s.%s is a field of the event", info.Type, a.Name)
			case i > 0 && info.Attrs[i-1].Name >= a.Name:
				t.Errorf("%s.%s is double or out of order", info.Type, a.Name)
			case (a.Type == "duration") != strings.HasSuffix(a.Name, "_ns") && a.Type != "list":
				t.Errorf("%s.%s: a duration, and nothing else, ends in _ns", info.Type, a.Name)
			}
		}
	}
}

// marker hides by saying that it was asked.
type marker struct{ asked map[string]bool }

func (m marker) Show(key string, v any) any {
	m.asked[key] = true
	return v
}

// Shows that every attribute which can carry what was not written by the engine
// is from outside: all objects, lists and values of any type but those that the
// engine counts, and messages, contents and the like; and that its own words
// are not.
func TestFromOutside(t *testing.T) {
	counted := map[string]bool{"usage": true, "circle": true, "chunk_at_ns": true, "depends_on": true, "candidates": true, "met": true, "nulls": true, "range": true}
	texts := map[string]bool{
		"aggregate": true, "body": true, "content": true, "doing": true, "encoded": true, "error_type": true, "finish_reason": true, "message": true, "model": true,
		"host": true, "stderr": true, "stdout": true, "trouble": true, "trace_id": true, "idempotency_key": true, "lane": true, "sqlstate": true, "stack": true, "statement": true, "tool": true, "url": true, "warning": true,
		"method": true, "protocol_version": true, "server": true, "message.session": true,
	}
	for _, info := range Types() {
		for _, a := range info.Attrs {
			want := texts[a.Name] || texts[string(info.Type)+"."+a.Name] || (a.Type == "any" || a.Type == "object" || a.Type == "list") && !counted[a.Name]
			m := marker{map[string]bool{}}
			e := trace.Event{Type: info.Type, Payload: full(info.Type)}
			e.Hide(m)
			e.Attrs()
			if m.asked[a.Name] != want {
				t.Errorf("%s.%s: from outside is %v, want %v", info.Type, a.Name, m.asked[a.Name], want)
			}
		}
	}
}
