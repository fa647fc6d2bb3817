package otel

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// built are the command and the program in Go, built once.
var built = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "otel"); err != nil {
		return "", err
	}
	for _, b := range []struct{ in, out, of string }{{"../..", "scenario", "./cmd/scenario"}, {".", "program", "./program"}} {
		cmd := exec.Command("go", "build", "-o", filepath.Join(dir, b.out), b.of)
		cmd.Dir, cmd.Stderr = b.in, os.Stderr
		if err := cmd.Run(); err != nil {
			return dir, err
		}
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, _ := built(); dir != "" {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// scenario asks for everything that the programs tell. Until is what the run waits
// for, "" for the end of the program.
func scenario(until string) string {
	if until != "" {
		until = "until = " + until
	}
	return `
provider "http" "data" { base_url = "https://data.example" }

scenario "a service that fails" {
  sut {
    env     = { DATA = provider.data.url }
    timeout = "50s"
    ` + until + `
  }
  on "data" {
    fault "http_error" { status_code = 503 }
  }

  assert "gauge" {
    condition = sut.metric("breaker.state", { target = "data" }) == 1
  }
  assert "counter" {
    condition = sut.metric("shop.requests") == 3 && sut.metric("shop.requests", { outcome = "failure" }) == 2
  }
  assert "histogram" {
    condition = sut.metric("shop.duration") == 2 && [for s in sut.metrics("shop.duration") : [s.kind, s.unit, s.sum]] == [["histogram", "s", 2]]
  }
  assert "its scope" {
    condition = distinct([for s in sut.metrics("shop.requests") : "${s.scope} ${s.kind}"]) == ["shop.stock counter"]
  }
  assert "span of the attempt" {
    condition = [for s in sut.spans({ name = "ask", trace_id = endpoint.data.attempts[0].trace_id }) : [s.status, s.message, s.parent_id]] == [["error", "no answer", null]]
  }
  assert "span within" {
    condition = [for s in sut.spans({ name = "fallback", attributes = { retries = 0, cached = true } }) : [s.parent_id, s.events[0].name]] == [[sut.spans({ name = "ask" })[0].span_id, "served"]]
  }
  assert "times" {
    condition = alltrue([for s in sut.spans() : s.start_ms >= 0 && s.start_ms <= s.end_ms && s.end_ms <= sut.elapsed_ms + 1000])
  }
}
`
}

// ends runs the command over a program in each way in which it can end.
func ends(t *testing.T, dir string, program func(end string) []string) {
	home, err := built()
	if err != nil {
		t.Fatal(err)
	}
	const asked = `endpoint.data.status == "failed"`
	for _, c := range []struct {
		end, until string
		// wrong is how the run fails, "" where it passes.
		wrong []string
	}{
		{"shutdown", "", nil},
		{"signal", asked, nil},
		// What a program that goes on has said by itself, half a second after.
		{"runs", asked, nil},
		{"runs", `sut.metric("shop.requests") == 3 && length(sut.spans({ name = "ask" })) == 1`, nil},
		{"forgets", "", []string{
			`the program has sent no metric "breaker.state", and no metric at all`, `the program has sent no span "ask", and no span at all`,
			"it ended before it did (few flush when they are told to end)",
		}},
	} {
		t.Run(c.end+" "+c.until, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "otel.scenario.hcl")
			if err := os.WriteFile(file, []byte(scenario(c.until)), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(filepath.Join(home, "scenario"), append([]string{"exec", file, "--"}, program(c.end)...)...)
			// What is set for another receiver must not lead there.
			cmd.Env = append(os.Environ(), "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://127.0.0.1:1", "OTEL_SDK_DISABLED=true", "OTEL_METRIC_EXPORT_INTERVAL=60000", "CI=")
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if (err == nil) != (c.wrong == nil) {
				t.Fatalf("%v:\n%s", err, out)
			}
			for _, text := range c.wrong {
				if !strings.Contains(string(out), text) {
					t.Errorf("it does not say %q:\n%s", text, out)
				}
			}
		})
	}
}

// Shows that a program with OpenTelemetry's SDK for Go is understood, set up by the
// environment alone, however it ends.
func TestGo(t *testing.T) {
	home, err := built()
	if err != nil {
		t.Fatal(err)
	}
	ends(t, ".", func(end string) []string { return []string{filepath.Join(home, "program"), end} })
}

// Shows the same for Node, whose packages are installed for it where npm is there.
func TestNode(t *testing.T) {
	dir := installed(t, "node", "program.mjs")
	ends(t, dir, func(end string) []string { return []string{"node", "program.mjs", end} })
}

// Shows that a trace which OpenTelemetry's own instrumentations make now of a program
// that fails becomes a scenario that fails as it did. That of an earlier day is kept
// in internal/incident/testdata.
func TestIncident(t *testing.T) {
	home, err := built()
	if err != nil {
		t.Fatal(err)
	}
	dir := installed(t, "incident", "incident.cjs")
	run := func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("node", "incident.cjs", "trace.jsonl"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := run(filepath.Join(home, "scenario"), "import", "trace.jsonl", "-o", "draft.scenario.hcl"); err != nil || !strings.Contains(out, "1 scenario with 4 calls") {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := run(filepath.Join(home, "scenario"), "test", "draft.scenario.hcl")
	if err == nil || !strings.Contains(out, `step "chat_gpt_4o_mini_3": the connection was reset`) {
		t.Errorf("%v\n%s", err, out)
	}
}

// installed is a folder with a program for Node and the packages that it needs.
func installed(t *testing.T, folder, program string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("packages are installed")
	}
	for _, name := range []string{"node", "npm"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("there is no " + name + ", so OpenTelemetry's SDK for Node cannot be installed")
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"package.json", program} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	install := exec.Command("npm", "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("OpenTelemetry's SDK for Node cannot be installed: %v\n%s", err, out)
	}
	return dir
}
