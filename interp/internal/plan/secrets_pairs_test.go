package plan

import (
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// Shows that a value is hidden by the name that another member of its object has, and the
// strings of a list by the name of the list, in events and in values of the language; and
// that what is no secret beside them stays.
func TestPairsAndLists(t *testing.T) {
	var s Secrets
	tree := s.tree(map[string]any{
		"env":          []any{map[string]any{"name": "DB_PASSWORD", "value": "Mike_November88"}, map[string]any{"name": "CITY", "value": "Bern2024"}},
		"backup_codes": []any{"8a2k-9x1n", "one", 7.0},
	}).(map[string]any)
	text := func(v any) string { got, _ := v.(string); return got }
	env := tree["env"].([]any)
	if got := text(env[0].(map[string]any)["value"]); !strings.HasPrefix(got, "<REDACTED:") {
		t.Errorf("the value of a pair is shown as %q", got)
	}
	if got := text(env[1].(map[string]any)["value"]); got != "Bern2024" {
		t.Errorf("a harmless value is shown as %q", got)
	}
	codes := tree["backup_codes"].([]any)
	if got := text(codes[0]); !strings.HasPrefix(got, "<REDACTED:") || codes[1] != "one" || codes[2] != 7.0 {
		t.Errorf("the list is shown as %v", codes)
	}

	pair := s.Value(cty.ObjectVal(map[string]cty.Value{"key": cty.StringVal("api_key"), "value": cty.StringVal("Oscar_Papa99")}))
	if got := pair.GetAttr("value").AsString(); !strings.HasPrefix(got, "<REDACTED:") {
		t.Errorf("the value of a pair is shown as %q", got)
	}
	list := s.Value(cty.ObjectVal(map[string]cty.Value{"backup_codes": cty.TupleVal([]cty.Value{cty.StringVal("8a2k-9x1n"), cty.StringVal("one")})})).GetAttr("backup_codes").AsValueSlice()
	if got := list[0].AsString(); !strings.HasPrefix(got, "<REDACTED:") || list[1].AsString() != "one" {
		t.Errorf("the list is shown as %q, %q", got, list[1].AsString())
	}
}

// Shows that the arguments of a statement are hidden by the names that it gives them, in
// events and in values of the language, and no others.
func TestArgumentsOfStatements(t *testing.T) {
	const statement = "INSERT INTO users (name, password) VALUES ($1, $2)"
	var s Secrets
	args := s.tree(map[string]any{"query": statement, "args": []any{"order-1234ab", "Mike_November88", "more1234ab"}}).(map[string]any)["args"].([]any)
	if shown, _ := args[1].(string); !strings.HasPrefix(shown, "<REDACTED:") || args[0] != "order-1234ab" || args[2] != "more1234ab" {
		t.Errorf("the arguments are shown as %v", args)
	}
	list := s.Value(cty.ObjectVal(map[string]cty.Value{
		"statement": cty.StringVal(statement), "params": cty.TupleVal([]cty.Value{cty.StringVal("order-1234ab"), cty.NumberIntVal(4711)}),
	})).GetAttr("params").AsValueSlice()
	if got := list[1]; got.Type() != cty.String || !strings.HasPrefix(got.AsString(), "<REDACTED:") || list[0].AsString() != "order-1234ab" {
		t.Errorf("the arguments are shown as %#v", list)
	}
	other := s.tree(map[string]any{"query": "which password = $1 is best?", "list": []any{"order-1234ab"}}).(map[string]any)["list"].([]any)
	if other[0] != "order-1234ab" {
		t.Errorf("what is no argument is shown as %v", other)
	}
}
