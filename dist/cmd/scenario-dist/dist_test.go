package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/internal/peak"
)

// TestMain lets the test binary be the command, so that processes can be killed.
func TestMain(m *testing.M) {
	peak.Launch()
	if dir := os.Getenv("BE_QUEUE"); dir != "" {
		beQueue(dir, os.Getenv("BE_QUEUE_PORT"))
	}
	if os.Getenv("BE_SCENARIO_DIST") != "" {
		main()
	}
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

// local starts a server on loopback that ends with the test, and is its address.
func local(t *testing.T) string {
	t.Helper()
	return started(t, &server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
}

func started(t *testing.T, o *server.Options) string {
	t.Helper()
	return beginning(t, o).ClientURL()
}

// beginning starts a server that ends with the test.
func beginning(t *testing.T, o *server.Options) *server.Server {
	t.Helper()
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("the server did not begin")
	}
	return s
}

// called is one call of the command in this process.
func called(t *testing.T, env map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(""), &out, &errs, func(name string) (string, bool) {
		if v, set := env[name]; set {
			return v, true
		}
		if strings.HasPrefix(name, "SCENARIO_") {
			return "", false
		}
		return os.LookupEnv(name)
	})
	return code, out.String(), errs.String()
}

// folder is a new working directory with files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return dir
}

// process starts the command in a process of its own.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return copied(t, os.Args[0], args...)
}

// copied starts a copy of the command in a process of its own.
func copied(t *testing.T, program string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), "BE_SCENARIO_DIST=1")
	c.Stderr = &output{}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c
}

// An output is what a process has said so far. It is safe for concurrent use.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// eventually waits for something that other processes bring about.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it did not come about: %s", what)
		}
	}
}

const someScenarios = `
provider "openai" "llm" { model = "gpt-4o-mini" }
workflow "w" {
  provider = provider.llm
  step "llm" "answer" { prompt = "Why?" }
}
scenario "passes" {
  run = workflow.w
  on "answer" {
    reply { content = "So." }
  }
  expect "answer" { content = "So." }
}
scenario "fails" {
  run = workflow.w
  on "answer" {
    reply { content = "No." }
  }
  expect "answer" { content = "So." }
}
`

// someBench has a program that waits while a file is there, and counts its starts.
const someBench = `
bench "b" {
  MORE
  cases = [for n in range(6) : { id = "c${n}", input = { n = n } }]
  sut {
    command = ["sh", "./sut.sh", case.id]
  }
  rubric {
    passed   = output.n == 1
    cost_usd = 1
  }
}
`

func benchWith(more, sut string) map[string]string {
	return map[string]string{"b.scenario.hcl": strings.Replace(someBench, "MORE", more, 1), "sut.sh": sut}
}

// commandScenario is the command that the reports are compared with, built once.
func commandScenario(t *testing.T) string {
	t.Helper()
	path, err := buildScenario()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// built is where the command scenario is, "" where no test has built it.
var built string

var buildScenario = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "scenario-dist-test-*")
	if err != nil {
		return "", err
	}
	built = dir
	c := exec.Command("go", "build", "-o", dir, "github.com/scenario-lang/scenario/cmd/scenario")
	c.Dir = filepath.Dir(source)
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return filepath.Join(dir, "scenario"), nil
})

// source is where the module dist is.
var source = func() string {
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		panic(err)
	}
	return dir
}()

// Shows that the units of a killed worker are handed out again, that nothing is lost,
// and that it is said who was.
func TestKilledWorker(t *testing.T) {
	url := local(t)
	dir := folder(t, benchWith("", `echo x >>"$STARTED"; while [ -e "$HOLD" ]; do sleep 0.05; done; echo '{"n": 1}'`))
	hold, started := filepath.Join(dir, "hold"), filepath.Join(dir, "started")
	t.Setenv("HOLD", hold)
	t.Setenv("STARTED", started)
	if err := os.WriteFile(hold, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, id, errs := called(t, nil, "submit", "--detach", "--queue", url, "--ack-wait", "1s")
	if id = strings.TrimSpace(id); id == "" {
		t.Fatal(errs)
	}
	first := process(t, "worker", "--queue", url)
	eventually(t, "the first trial begins", func() bool { return len(lines(started)) == 1 })
	_ = first.Process.Kill()
	if err := os.Remove(hold); err != nil {
		t.Fatal(err)
	}
	process(t, "worker", "--queue", url, "--parallel", "2")
	code, out, errs := called(t, nil, "collect", id, "--queue", url)
	if code != 0 || !strings.Contains(out, "6 of 6 cases passed") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if !strings.Contains(errs, "1 unit handed out again") || !strings.Contains(errs, fmt.Sprintf("process %d", first.Process.Pid)) {
		t.Errorf("nobody says who was lost:\n%s", errs)
	}
	if again, _, more := called(t, nil, "collect", id, "--queue", url, "--report", "merge=again.jsonl"); again != 0 {
		t.Errorf("collected again: exit code %d\n%s", again, more)
	}
}

// submitted puts the files of the working directory into a queue and is the run.
func submitted(t *testing.T, url string, args ...string) (*queue.Queue, *job.Run) {
	t.Helper()
	code, id, errs := called(t, nil, append([]string{"submit", "--detach", "--queue", url}, args...)...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	return opened(t, url, strings.TrimSpace(id))
}

// opened is a queue and a run that it has.
func opened(t *testing.T, url, id string) (*queue.Queue, *job.Run) {
	t.Helper()
	q, err := queue.Open(queue.Address{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	r, err := q.Run(context.Background(), id)
	if err != nil || r == nil {
		t.Fatal(r, err)
	}
	return q, r
}

// Shows that two results of a deterministic unit that differ end the command with 6,
// and that both are shown.
func TestDifferingResults(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	q, r := submitted(t, url)
	planted := `{"type":"scenario","file":"a.scenario.hcl","line":7,"name":"passes","status":"pass","virtual_ns":424242}` + "\n"
	if _, err := q.JS.Publish(context.Background(), job.ResultSubject(r.ID, 1), []byte(planted)); err != nil {
		t.Fatal(err)
	}
	process(t, "worker", "--queue", url, "--until-done")
	eventually(t, "the second result is kept", func() bool {
		s, err := q.JS.Stream(context.Background(), job.ExtraStream(r.ID))
		return err == nil && s.CachedInfo().State.Msgs == 1
	})
	code, _, errs := called(t, nil, "collect", r.ID, "--queue", url)
	if code != 6 || !strings.Contains(errs, "424242") || !strings.Contains(errs, "  second: ") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
}

// take has a worker that dies take a unit.
func take(t *testing.T, q *queue.Queue, r *job.Run) {
	t.Helper()
	c, err := q.JS.Consumer(context.Background(), job.WorkStream(r.ID), job.Lane(0))
	if err != nil {
		t.Fatal(err)
	}
	batch, err := c.Fetch(1, jetstream.FetchMaxWait(5*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range batch.Messages() {
		n++
	}
	if n != 1 {
		t.Fatalf("%d units were taken", n)
	}
}

// Shows that a unit whose workers all die is an error of its own, and that the run
// goes on.
func TestLostUnit(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	q, r := submitted(t, url, "--ack-wait", "200ms", "--deliveries", "1")
	take(t, q, r)
	process(t, "worker", "--queue", url)
	code, out, errs := called(t, nil, "collect", r.ID, "--queue", url, "--report", "json=-")
	if code != 1 || !strings.Contains(out, "worker_lost") || strings.Count(out, `"type":"scenario"`) != 2 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// Shows that a trial that must not run twice is lost where it was begun by a worker
// that died, and that its program is not started again.
func TestTrialThatMustNotRunTwice(t *testing.T) {
	url := local(t)
	dir := folder(t, benchWith("idempotent = false", `echo "$1" >>"$STARTED"; while [ -e "$HOLD" ]; do sleep 0.05; done; echo '{"n": 1}'`))
	hold, started := filepath.Join(dir, "hold"), filepath.Join(dir, "started")
	t.Setenv("HOLD", hold)
	t.Setenv("STARTED", started)
	if err := os.WriteFile(hold, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, r := submitted(t, url, "--ack-wait", "500ms")
	first := process(t, "worker", "--queue", url)
	eventually(t, "the first trial begins", func() bool { return len(lines(started)) == 1 })
	_ = first.Process.Kill()
	if err := os.Remove(hold); err != nil {
		t.Fatal(err)
	}
	process(t, "worker", "--queue", url)
	_, out, _ := called(t, nil, "collect", r.ID, "--queue", url, "--json")
	text, _ := os.ReadFile(started)
	if strings.Count(out, `"infrastructure.worker_lost"`) == 0 || strings.Count(string(text), "\n") != 6 {
		t.Errorf("programs began for %q; the report is\n%s", text, out)
	}
}

// Shows that the cap counts over all workers, and that the report is incomplete then.
func TestCapOverAllWorkers(t *testing.T) {
	folder(t, benchWith("cost_cap_usd = 2", `echo '{"n": 1}'`))
	code, out, errs := called(t, nil, "run", "--workers", "1", "--json")
	if code != 7 || !strings.Contains(out, `"partial_reason":"cost_cap"`) {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// Shows which addresses are refused: those where others could make workers run
// something.
func TestAddressesThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		address queue.Address
		said    string
	}{
		{queue.Address{}, "no address"},
		{queue.Address{URL: "nats://queue.test:4222"}, "without TLS"},
		{queue.Address{URL: "nats://127.0.0.1:1,nats://queue.test:4222"}, "without TLS"},
		{queue.Address{URL: "nats://localhost.queue.test:4222"}, "without TLS"},
		{queue.Address{URL: "tls://queue.test:4222"}, "without credentials"},
		{queue.Address{URL: "nats://u:secret@127.0.0.1:1", Typed: true}, "has a user or token"},
		{queue.Address{URL: "nonsense"}, "not of the form"},
		{queue.Address{URL: "localhost:"}, "not of the form"},
		{queue.Address{URL: ":4222"}, "not of the form"},
		{queue.Address{URL: "u:secret@127.0.0.1:1"}, "not of the form"},
		{queue.Address{URL: "queue.test:4222"}, "without TLS"},
		{queue.Address{URL: "127.0.0.1:1, queue.test:4222"}, "without TLS"},
		{queue.Address{URL: "127.0.0.1:1"}, "cannot connect to the queue at nats://127.0.0.1:1: "},
		{queue.Address{URL: "[::1]:1"}, "cannot connect to the queue at nats://[::1]:1: "},
		{queue.Address{URL: "nats://127.0.0.1:1"}, "cannot connect"},
		{queue.Address{URL: "nats://[::1]:1"}, "cannot connect"},
	} {
		_, err := queue.Open(c.address)
		if err == nil || !strings.Contains(err.Error(), c.said) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want %q", c.address.URL, err, c.said)
		}
	}
}
