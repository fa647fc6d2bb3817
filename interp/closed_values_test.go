package interp

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/dotted"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// What a run comes to is never refused: for every string of every event, span and
// series of the scenarios, a filter that asks for it is valid in the scenario
// that it comes from. So no closed set lacks a member, and no list of attributes
// one of them.
func TestWhatOccursMayBeAskedFor(t *testing.T) {
	asked := 0
	for _, path := range suiteFiles(t) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		byLine := map[int]map[string]bool{}
		for _, h := range compileFile(t, path) {
			p := plan.Inside(h)
			if p.Skip != "" {
				continue
			}
			if byLine[p.Line] == nil {
				byLine[p.Line] = map[string]bool{}
			}
			_, events := played(t, p)
			filtersOf(p, events, byLine[p.Line])
		}
		_, diags := tryCompile(path, string(withAsserts(t, path, src, byLine)))
		for _, d := range diags {
			if d.Severity == hcl.DiagError {
				t.Errorf("%s: %s: %s", path, d.Summary, d.Detail)
			}
		}
		for _, list := range byLine {
			asked += len(list)
		}
	}
	if asked < 20000 {
		t.Errorf("only %d filters were tried", asked)
	}
}

// filtersOf are queries about everything that a run told.
func filtersOf(p *plan.Plan, events []trace.Event, add map[string]bool) {
	text := func(s string) string { return string(hclwrite.TokensForValue(cty.StringVal(s)).Bytes()) }
	for i := range events {
		e := &events[i]
		for key, v := range e.Object() {
			if e.Type == trace.Registry && key == "cause" && strings.HasSuffix(p.Name, "]") {
				continue // instances may have events of their own
			}
			if s, ok := v.(string); ok && !slices.Contains([]string{"content", "body", "statement", "message"}, key) {
				add[fmt.Sprintf("events({ type = %q, %s = %s })", e.Type, key, text(s))] = true
			}
		}
	}
	for _, s := range telemetry.Spans(p.Header(), events) {
		if !strings.HasPrefix(s.Name, "scenario ") { // each instance of a block has its own
			add[fmt.Sprintf("spans({ name = %s, status = %q })", text(s.Name), s.Status)] = true
		}
		for _, a := range s.Attributes {
			if v, ok := a.Value.(string); ok && a.Key != "scenario.name" {
				add[fmt.Sprintf("spans({ attributes = { %q = %s } })", a.Key, text(v))] = true
			}
		}
	}
	for _, s := range telemetry.Metrics(events, "scenario") {
		for _, l := range s.Labels {
			add[fmt.Sprintf("[metric(%q, { %q = %s })]", s.Name, l.Key, text(l.Value))] = true
		}
	}
}

// withAsserts is a file whose scenarios have one assertion for each query.
func withAsserts(t *testing.T, path string, src []byte, byLine map[int]map[string]bool) []byte {
	parsed, diags := dotted.ParseConfig(src, path, hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	blocks := slices.Clone(parsed.Body.(*hclsyntax.Body).Blocks)
	slices.SortFunc(blocks, func(a, b *hclsyntax.Block) int { return a.CloseBraceRange.Start.Byte - b.CloseBraceRange.Start.Byte })
	var out strings.Builder
	at := 0
	for _, b := range blocks {
		list := byLine[b.DefRange().Start.Line]
		if b.Type != "scenario" || len(list) == 0 {
			continue
		}
		out.Write(src[at:b.CloseBraceRange.Start.Byte])
		at = b.CloseBraceRange.Start.Byte
		for i, query := range slices.Sorted(maps.Keys(list)) {
			fmt.Fprintf(&out, "\n  assert \"what occurs %d\" {\n    condition = %s == []\n  }\n", i, query)
		}
	}
	out.Write(src[at:])
	return []byte(out.String())
}
