package interp

import (
	"strings"
	"testing"
)

// testWorld are the declarations that the tests of this package share.
const testWorld = `
provider "openai" "primary" { model = "gpt-4o-mini" }
provider "openai" "backup" { model = "gpt-4o-mini" }
provider "http" "api" { base_url = "http://api.test" }
retry "exponential" "std" {}
gateway "llm" {
  target "first" { provider = provider.primary }
  target "second" { provider = provider.backup }
}
`

// play compiles a file of one scenario beside the shared declarations and runs
// it.
func play(t *testing.T, src string) *Result {
	t.Helper()
	plans := mustCompile(t, testWorld+src)
	if len(plans) != 1 {
		t.Fatalf("the file has %d scenarios", len(plans))
	}
	return Run(plans[0], RunOptions{})
}

// told is everything that a result complains about, one problem a line.
func told(r *Result) string {
	var b strings.Builder
	for _, p := range r.Problems {
		b.WriteString(p.Kind + " " + p.Name + ": " + p.Message + " " + p.Diff)
		for _, o := range p.Operands {
			b.WriteString(" [" + o.Text + " = " + o.Value + "]")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// mustFail checks that a result failed with exactly one problem, of this kind
// and name, whose text has each of the phrases.
func mustFail(t *testing.T, r *Result, kind, name string, phrases ...string) {
	t.Helper()
	if r.Verdict != Fail || len(r.Problems) != 1 || r.Problems[0].Kind != kind || r.Problems[0].Name != name {
		t.Fatalf("verdict %s, want one problem %s %s; got:\n%s", r.Verdict, kind, name, told(r))
	}
	if r.Problems[0].Range.Start.Line == 0 {
		t.Error("the problem has no place in the file")
	}
	for _, phrase := range phrases {
		if !strings.Contains(told(r), phrase) {
			t.Errorf("the problem does not say %q:\n%s", phrase, told(r))
		}
	}
}

// replaced puts a text at the place of MESSAGE.
func replaced(src, text string) string { return strings.Replace(src, "MESSAGE", text, 1) }
