package interp

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl/dotted"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/telemetry"
)

// closedWords are the words that a condition of a file may mean something by:
// those of the language's catalogues, and the names that the file declares.
func closedWords(t *testing.T, path string) map[string]bool {
	words := map[string]bool{}
	add := func(list ...string) {
		for _, w := range list {
			words[w] = true
		}
	}
	add("success", "failed", "timeout", "skipped", "cancelled", "aborted", "partial", "failure", "closed", "open", "half_open", "circuit_open", "rate_limit", "bulkhead", "script", "cassette")
	add("exhausted", "not_retryable", "not_idempotent", "wait_too_long", "terminal", "retry_all", "retry_failed", "when is false", "fallback not needed", "tool not called", "priority", "least_busy")
	add("active", "stale", "quarantined", "dead", "running", "draining", "unreachable", "cascade_failed", "dependency", "startup", "initialize", "route", "aggregate", "low", "medium", "high", "critical")
	for _, k := range failure.Kinds() {
		add(string(k))
	}
	for _, k := range faults.Kinds() {
		add(k.Name)
	}
	for _, typ := range event.Types() {
		add(string(typ.Type))
	}
	for _, m := range telemetry.Names("") {
		add(m.Name)
	}
	add(failure.Cuga().Codes()...)
	add(failure.Routing().Codes()...)
	for _, h := range compileFile(t, path) {
		p := plan.Inside(h)
		plan.EachNode(p.Nodes(), func(n *plan.Node) {
			add(n.Name, n.Step.Name)
			if n.Step.Gateway != nil {
				for _, target := range n.Step.Gateway.Targets {
					add(target.Name)
				}
			}
		})
		for _, d := range p.Actions {
			add(d.Name)
		}
	}
	delete(words, "")
	return words
}

// A slot is a word in a text of a file, and where the condition or expectation
// is that it stands in.
type slot struct {
	from, to int // of the word
	block    hcl.Range
	within   string // the source of the smallest comparison, call or attribute around it
}

// slots finds every closed word that is written out in a condition or an
// expectation of a file.
func slots(t *testing.T, path string, src []byte, words map[string]bool) []slot {
	parsed, diags := dotted.ParseConfig(src, path, hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var list []slot
	var blocks func(body *hclsyntax.Body)
	blocks = func(body *hclsyntax.Body) {
		for _, b := range body.Blocks {
			for name, a := range b.Body.Attributes {
				switch {
				case b.Type == "assert" && name == "condition", b.Type == "invariant" && name == "condition", b.Type == "expect":
					list = append(list, textsIn(a.Expr, src, b.Range(), words, a.SrcRange)...)
				}
			}
			blocks(b.Body)
		}
	}
	blocks(parsed.Body.(*hclsyntax.Body))
	slices.SortFunc(list, func(a, b slot) int { return a.from - b.from })
	return list
}

func textsIn(e hclsyntax.Expression, src []byte, block hcl.Range, words map[string]bool, around hcl.Range) []slot {
	var list []slot
	w := &textWalker{around: []hcl.Range{around}, found: func(t *hclsyntax.TemplateExpr, around hcl.Range) {
		v, diags := t.Value(nil)
		if diags.HasErrors() || !words[v.AsString()] {
			return
		}
		list = append(list, slot{t.SrcRange.Start.Byte + 1, t.SrcRange.End.Byte - 1, hcl.Range{Start: around.Start, End: around.End}, string(around.SliceBytes(src))})
	}}
	_ = hclsyntax.Walk(e, w)
	for i := range list {
		list[i].block = block
	}
	return list
}

// textWalker finds texts with what is around each: a comparison, a call, an item
// of an object.
type textWalker struct {
	around []hcl.Range
	found  func(t *hclsyntax.TemplateExpr, around hcl.Range)
}

func (w *textWalker) Enter(n hclsyntax.Node) hcl.Diagnostics {
	switch x := n.(type) {
	case *hclsyntax.TemplateExpr:
		if x.IsStringLiteral() {
			w.found(x, w.around[len(w.around)-1])
		}
	case *hclsyntax.BinaryOpExpr:
		if x.Op != hclsyntax.OpLogicalAnd && x.Op != hclsyntax.OpLogicalOr {
			w.around = append(w.around, x.SrcRange)
		}
	case *hclsyntax.FunctionCallExpr:
		w.around = append(w.around, x.Range())
	}
	return nil
}

func (w *textWalker) Exit(n hclsyntax.Node) hcl.Diagnostics {
	switch x := n.(type) {
	case *hclsyntax.BinaryOpExpr:
		if x.Op != hclsyntax.OpLogicalAnd && x.Op != hclsyntax.OpLogicalOr {
			w.around = w.around[:len(w.around)-1]
		}
	case *hclsyntax.FunctionCallExpr:
		w.around = w.around[:len(w.around)-1]
	}
	return nil
}

// openWords are what a word may be compared with that is of no closed set: what
// stands around it names one of these. A word of a catalogue is there by
// accident.
var openWords = map[string]string{
	"content": "a model's answer", "finish_reason": "each vendor has its own", "output": "what a step makes of it", "message": "a text for people", "request": "what was sent, in the vendor's words",
	"tool_calls": "a model may ask for any tool", "value": "what a handler returns, or a file expands to", "sut.spans": "the names are the program's", "rationale": "a text of the file",
}

// Every closed word that a condition, an expectation or a filter of the scenarios
// writes out is refused when it is misspelt. One word of a block at a time is
// misspelt, in all blocks at once: each has to be complained about.
func TestMisspeltWordsAreRefused(t *testing.T) {
	tried, kept := 0, map[string]int{}
	for _, path := range suiteFiles(t) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		left := slots(t, path, src, closedWords(t, path))
		for len(left) > 0 {
			var now, later []slot
			used := map[int]bool{}
			for _, s := range left {
				if used[s.block.Start.Line] {
					later = append(later, s)
					continue
				}
				used[s.block.Start.Line] = true
				now = append(now, s)
			}
			left = later
			tried += len(now)
			for _, s := range misspelt(path, src, now) {
				why := ""
				for _, attr := range slices.Sorted(maps.Keys(openWords)) {
					if strings.Contains(s.within, attr) {
						why = attr
					}
				}
				if kept[why]++; why == "" {
					line := strings.Count(string(src[:s.from]), "\n") + 1
					t.Errorf("%s:%d: %q misspelt is accepted in: %s", path, line, src[s.from:s.to], s.within)
				}
			}
		}
	}
	for attr := range openWords {
		if kept[attr] == 0 {
			t.Errorf("no word is compared with %q any more: take it out of the list", attr)
		}
	}
	t.Logf("%d words misspelt, %v accepted", tried, kept)
	if tried < 1000 {
		t.Errorf("only %d words were misspelt", tried)
	}
}

// misspelt are the words whose misspelling nobody complains about.
func misspelt(path string, src []byte, now []slot) []slot {
	var wrong strings.Builder
	at := 0
	for _, s := range now {
		// As long as before, so that every place stays where it is.
		word := []byte(string(src[s.from:s.to]))
		word[len(word)-1] = 'Q'
		wrong.Write(src[at:s.from])
		wrong.Write(word)
		at = s.to
	}
	wrong.Write(src[at:])
	_, diags := tryCompile(path, wrong.String())
	told := map[int]bool{}
	for _, d := range diags {
		if d.Subject == nil || d.Severity != hcl.DiagError {
			continue
		}
		for _, s := range now {
			if d.Subject.Start.Byte >= s.block.Start.Byte && d.Subject.Start.Byte < s.block.End.Byte+1 || d.Subject.Start.Line >= s.block.Start.Line && d.Subject.Start.Line <= s.block.End.Line {
				told[s.from] = true
			}
		}
	}
	var accepted []slot
	for _, s := range now {
		if !told[s.from] {
			accepted = append(accepted, s)
		}
	}
	return accepted
}
