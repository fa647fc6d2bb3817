package interp

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// tools answers as an MCP server does whose tool says a text, as an error or not.
func tools(says string, isError bool) func(*server, http.ResponseWriter, *http.Request) error {
	return func(_ *server, w http.ResponseWriter, req *http.Request) error {
		var m struct {
			ID     any    `json:"id"`
			Method string `json:"method"`
		}
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return err
		}
		if json.Unmarshal(body, &m) != nil || m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return nil
		}
		result := map[string]any{"content": []any{map[string]any{"type": "text", "text": says}}, "isError": isError}
		if m.Method == "initialize" {
			result = map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]any{"name": "f", "version": "1"}}
		}
		w.Header().Set("Content-Type", "application/json")
		return json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
	}
}

// Shows that a scenario which passes although a tool of its server failed is warned of with what the
// server said, unless a check reads that, or the tool did not fail.
func TestFailuresOfATool(t *testing.T) {
	const source = `provider "mcp" "files" { base_url = "http://127.0.0.1:1/mcp" }
workflow "read" {
  step "mcp" "etc" {
    provider  = provider.files
    tool      = "read"
    arguments = { path = "../../etc/passwd" }
  }
}
scenario "s" {
  run = workflow.read
  sut { serves = provider.files }
  %s
}
`
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }" }
	const failed, kind = `expect "run" { status = "failed" }`, `expect "etc" { error = { kind = "tool_error" } }`
	for _, c := range []struct {
		check  string
		fails  bool
		warned bool
	}{
		{failed, true, true},
		{failed + "\n  " + kind, true, true},
		{failed + "\n  " + `expect "etc" { status = "failed" }`, true, true},
		{failed + "\n  " + assert(`step.etc.error.kind == "tool_error"`), true, true},
		{failed + "\n  " + assert(`step.etc.error != null`), true, true},
		{failed + "\n  " + assert(`strcontains(step.etc.error.message, "outside")`), true, false},
		{failed + "\n  " + kind + "\n  " + assert(`!strcontains(step.etc.error.message, "Traceback")`), true, false},
		{failed + "\n  " + assert(`step.etc.attempts[0].outcome == "failure"`), true, false},
		{`expect "run" { status = "success" }`, false, false},
	} {
		var r *Result
		said := ""
		synctest.Test(t, func(t *testing.T) {
			p := compileAt(t, "served.scenario.hcl", fmt.Sprintf(source, c.check))[0]
			run := NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec})
			run.Started(1)
			time.Sleep(time.Second) // of fake time
			run.Ready()
			run.Drive(DriveOptions{BaseURL: "http://127.0.0.1:1", Transport: &server{run: run, answer: tools("it is outside of the root", c.fails)}})
			time.Sleep(time.Second) // until it has stopped
			r, _ = run.Finish("")
			said = run.Misused()
		})
		if warned := strings.Contains(said, `the tool of step "etc" failed, and no check reads what the server said, "it is outside of the root"`); warned != c.warned || r.Verdict != Pass {
			t.Errorf("%s: warned %v: %q; %s %s", c.check, warned, said, r.Verdict, told(r))
		}
	}
}
