package policies

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/scenario-lang/scenario/scenariotest"
)

// A client is a library with the settings that its policy describes.
type client struct {
	// policy is its name in std/clients, and version the one that was read and that
	// is installed here.
	policy, version string
	// speaks is the kind of its service, and path what its base URL has behind the
	// host.
	speaks, path string
	// module is its package for Node, python its package for Python; ask asks with
	// one in Go.
	module, python string
	ask            func(ctx context.Context, url string, m meeting, via *http.Client) string
	// endless says that it does not give up.
	endless bool
	// slow says that a fault that goes on takes it more than seconds.
	slow bool
	// patient says that it has no timeout of its own.
	patient bool
	// repeats says that it does not care for the method.
	repeats bool
	// skips are meetings that it has no answer to.
	skips []string
	// differs is where no policy can say what the client does: the reason, by meeting.
	differs map[string]string
}

// What a program is told, and where it writes what its caller got.
const (
	urlsVariable = "CONFORMANCE_URLS"
	saidVariable = "CONFORMANCE_SAID"
)

// retryable is go-retryablehttp as NewClient makes it.
func retryable(ctx context.Context, url string, m meeting, via *http.Client) string {
	own := *via
	if m.hangs {
		own.Timeout = patience * time.Millisecond
	}
	c := retryablehttp.NewClient()
	c.HTTPClient, c.Logger = &own, nil
	// Without it the last answer is an error that has no status.
	c.ErrorHandler = retryablehttp.PassthroughErrorHandler
	method := http.MethodGet
	if m.post {
		method = http.MethodPost
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return err.Error()
	}
	resp, err := c.Do(req)
	var timeout net.Error
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	case err != nil:
		return "connection"
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return "connection"
	}
	if resp.StatusCode == http.StatusOK {
		return "ok"
	}
	return fmt.Sprint(resp.StatusCode)
}

// inBubble has a client in Go meet everything in fake time.
func inBubble(t *testing.T, c client, list []meeting, times string) (got map[string]cell) {
	path := written(t, c.driven(list, times))
	synctest.Test(t, func(t *testing.T) {
		s := scenariotest.New(t, path, "meets everything")
		said := map[string]string{}
		var mu sync.Mutex
		var group sync.WaitGroup
		for _, m := range list {
			group.Go(func() {
				outcome := c.ask(t.Context(), address(m), m, s.Client())
				mu.Lock()
				defer mu.Unlock()
				said[m.name] = outcome
			})
		}
		group.Wait()
		var out bytes.Buffer
		if err := s.Result().WriteTrace(&out); err != nil {
			t.Fatal(err)
		}
		got = read(t, out.Bytes(), said)
	})
	return got
}

// onTheWire has a client meet everything as a program that the command starts.
func onTheWire(t *testing.T, c client, list []meeting, times string) map[string]cell {
	t.Helper()
	program := c.program(t)
	name, err := command()
	if err != nil {
		t.Fatal(err)
	}
	path := written(t, c.driven(list, times))
	dir := filepath.Dir(path)
	said, traced := filepath.Join(dir, "said.json"), filepath.Join(dir, "trace.jsonl")
	run := exec.Command(name, append([]string{"exec", "--trace-out", traced, path, "--"}, program...)...)
	run.Dir, run.Env = dir, append(os.Environ(), saidVariable+"="+said, "CI=")
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var told map[string]string
	text, err := os.ReadFile(said)
	if err == nil {
		err = json.Unmarshal(text, &told)
	}
	if err != nil {
		t.Fatal(err)
	}
	events, err := os.ReadFile(traced)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, events, told)
}

// written puts a file where the loader finds it, and returns its path.
func written(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "policy.scenario.hcl")
	for name, text := range map[string]string{path: text, filepath.Join(dir, "go.mod"): "module policies\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// program is the client as a program; where it cannot be had, the test skips.
func (c client) program(t *testing.T) []string {
	t.Helper()
	if c.python != "" {
		script, err := filepath.Abs("python/meet.py")
		if err != nil {
			t.Fatal(err)
		}
		// Debian's packages are those of its own interpreter.
		for _, python := range []string{"/usr/bin/python3", "python3"} {
			if out, err := exec.Command(python, script, c.python, "version").Output(); err == nil {
				t.Logf("%s %s", c.python, strings.TrimSpace(string(out)))
				return []string{python, script, c.python}
			}
		}
		t.Skipf("no Python here has %s", c.python)
	}
	if testing.Short() {
		t.Skip("packages are installed")
	}
	for _, name := range []string{"node", "npm"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("there is no %s", name)
		}
	}
	dir, err := packages()
	if err != nil {
		t.Skipf("the libraries for Node cannot be installed: %v", err)
	}
	return []string{"node", filepath.Join(dir, "meet.mjs"), c.module}
}

// packages is a directory with what the programs for Node need, installed once by
// npm.
var packages = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "policies"); err != nil {
		return "", err
	}
	made = append(made, dir)
	for _, name := range []string{"package.json", "meet.mjs"} {
		text, err := os.ReadFile(filepath.Join("node", name))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return "", err
		}
	}
	install := exec.Command("npm", "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return dir, nil
})

// command builds the command once for all tests.
var command = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "policies")
	if err != nil {
		return "", err
	}
	made = append(made, dir)
	name := filepath.Join(dir, "scenario")
	build := exec.Command("go", "build", "-o", name, "./cmd/scenario")
	build.Dir, build.Stderr = "../..", os.Stderr
	return name, build.Run()
})

// made are directories of the tests, which parallel ones make one after the other.
var made []string

func TestMain(m *testing.M) {
	code := m.Run()
	for _, dir := range made {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}
