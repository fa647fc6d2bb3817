package interp

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
)

// Shows what is warned of in what steps send, and that what is meant is not.
func TestWarningsOfWhatIsSent(t *testing.T) {
	const source = `provider "http" "api" { base_url = "http://api.test" }
workflow "w" {
  provider = provider.api
  inputs   = { id = "a" }
  step "http" "d" {
    method = "POST"
    path   = "/"
    json   = SENT
  }
}
actor "general" {
  handler "trigger" { return = "done" }
}
actor "health" {
  handler "trigger" { return = "done" }
}
classifier "board" {
  fallback   = actor.general
  candidates = [CANDIDATE]
}
`
	rows := []struct{ sent, candidate, says string }{
		{`{ a = input.id }`, `"health"`, ""},
		{`"hello ${input.id}"`, `actor.general`, ""},
		{`"{not JSON"`, `"billing"`, ""},
		{`"{\"a\": 1}"`, `"health"`, "so the server gets a string without attributes. Write json = { a = 1 }"},
		{`"{\"a\": \"${input.id}\"}"`, `"health"`, "Write json = { NAME = value } without quotes around it"},
		{`"[{\"a\": \"${input.id}\"}]"`, `"health"`, "so the server gets a string without attributes"},
		{`null`, `"generals"`, `No actor "generals" is declared. Did you mean "general"?`},
	}
	for _, r := range rows {
		src := strings.NewReplacer("SENT", r.sent, "CANDIDATE", r.candidate).Replace(source)
		var said []string
		f, diags := dsl.Parse("w.scenario.hcl", []byte(src))
		if !diags.HasErrors() {
			_, diags = Compile(f, Options{})
		}
		for _, d := range diags {
			if d.Severity == hcl.DiagError {
				t.Fatal(d)
			}
			if strings.HasPrefix(d.Summary, "JSON in") || strings.HasPrefix(d.Summary, "Candidate") {
				said = append(said, d.Detail)
			}
		}
		if text := strings.Join(said, "\n"); !strings.Contains(text, r.says) || (text == "") != (r.says == "") {
			t.Errorf("json = %s, candidates = [%s]: %q, want %q", r.sent, r.candidate, text, r.says)
		}
	}
}
