package conformance

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serves names the variable of the environment that makes this program the
// server of a pipe.
const serves = "CONFORMANCE_SERVES"

func serveStdio() {
	if err := notes(make(chan error, 9)).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Shows that every operation works with a server of the official library that
// is a process, that what was recorded of it replays without the process, and
// that one call after a call that nobody waits for is answered.
func TestOfficialServerOverAPipe(t *testing.T) {
	t.Setenv(serves, "1")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := strings.Replace(everything, "base_url         = var.url", "command          = [var.url]", 1)
	file = strings.Replace(file, "STREAMED", streamedSteps+`
  step "mcp" "hang" {
    tool            = "hang"
    attempt_timeout = "300ms"
  }
  step "mcp" "after" {
    tool      = "search"
    arguments = { query = "late" }
  }
`, 1) + streamedExpectations + `
scenario "a call that nobody waits for" {
  run = workflow.all
  cassette { path = "notes.yaml" }
  expect "run" { status = "partial" }
  expect "hang" { error = { kind = "timeout" } }
  expect "after" { structured = { hits = ["late.md"] } }
}
`
	dir := t.TempDir()
	write(t, dir, "all.scenario.hcl", file)
	vars := []string{"--var", "url=" + self, "--var", "version=2025-11-25"}
	run(t, dir, append([]string{"record", "all.scenario.hcl"}, vars...), " 0 failed")
	t.Setenv(serves, "") // what is played is never started
	run(t, dir, append([]string{"test", "-v"}, vars...), " 0 failed")
}
