package clients

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/scenariotest"
)

// A cell is what a client did at one meeting.
type cell struct {
	attempts int
	// gaps are the times between them, in classes.
	gaps    string
	outcome string
}

// String is the cell as a line of the table has it.
func (c cell) String() string {
	if c.gaps == "" {
		return fmt.Sprintf("%d: %s", c.attempts, c.outcome)
	}
	return fmt.Sprintf("%d (%s): %s", c.attempts, c.gaps, c.outcome)
}

// cells are those of a client, by meeting.
type cells map[string]cell

// file is a scenario in which a client meets everything, each at a provider of its
// own.
func file(c client, list []meeting) string {
	var b strings.Builder
	var urls, streams []string
	for _, m := range list {
		fmt.Fprintf(&b, "provider %q %q { base_url = %q }\n", c.speaks, m.name, address(c, m))
		urls = append(urls, fmt.Sprintf("%s = provider.%[1]s.%s", m.name, c.told()))
		if m.stream {
			streams = append(streams, strconv.Quote(m.name))
		}
	}
	fmt.Fprintf(&b, "scenario \"meets everything\" {\n  allow = [\"unfired_fault\", \"unused_reply\", \"unexpected_failure\"]\n  sut {\n    timeout = \"90s\"\n    env = {\n      %s = jsonencode({ %s })\n      %s = jsonencode([%s])\n    }\n  }\n",
		urlsVariable, strings.Join(urls, ", "), streamsVariable, strings.Join(streams, ", "))
	for _, m := range list {
		fmt.Fprintf(&b, "  on %q {\n    %s\n  }\n", m.name, m.entry)
	}
	b.WriteString("  expect \"run\" { status = \"success\" }\n}\n")
	return b.String()
}

// address is the base_url of the provider of a meeting.
func address(c client, m meeting) string {
	scheme := "https://"
	if c.speaks == "sql" {
		scheme = "postgres://app@"
	}
	return scheme + strings.ReplaceAll(m.name, "_", "-") + ".example" + c.path
}

// written puts the file where the loader finds it, and returns its path.
func written(t *testing.T, c client, list []meeting) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "clients.scenario.hcl")
	for name, text := range map[string]string{path: file(c, list), filepath.Join(dir, "go.mod"): "module clients\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// inProcess has a client in Go meet everything through the transport of a test.
func inProcess(t *testing.T, c client, list []meeting, options ...scenariotest.Option) cells {
	s := scenariotest.New(t, written(t, c, list), "meets everything", options...)
	said := everything(t.Context(), c, list, func(m meeting) place { return place{address(c, m), s.Client(), s.DialContext} })
	var out bytes.Buffer
	if err := s.Result().WriteTrace(&out); err != nil {
		t.Fatal(err)
	}
	return read(t, out.Bytes(), said)
}

// inBubble is the same in fake time.
func inBubble(t *testing.T, c client, list []meeting) (got cells) {
	synctest.Test(t, func(t *testing.T) { got = inProcess(t, c, list) })
	return got
}

// everything asks for all at once.
func everything(ctx context.Context, c client, list []meeting, where func(meeting) place) map[string]outcome {
	said := map[string]outcome{}
	var mu sync.Mutex
	var group sync.WaitGroup
	for _, m := range list {
		group.Go(func() {
			at := where(m)
			o := c.ask(ctx, at, m.stream)
			at.http.CloseIdleConnections()
			mu.Lock()
			defer mu.Unlock()
			said[m.name] = o
		})
	}
	group.Wait()
	return said
}

// The environment of a program that meets everything: which client it is, as JSON
// the addresses by meeting and the meetings at which it asks for a stream, and the
// file into which it writes what its caller got.
const (
	clientVariable  = "CONFORMANCE_CLIENT"
	urlsVariable    = "CONFORMANCE_URLS"
	streamsVariable = "CONFORMANCE_STREAMS"
	saidVariable    = "CONFORMANCE_SAID"
)

// asProgram is this test's binary as the program that the command starts.
func asProgram(name string) int {
	var urls map[string]string
	if err := json.Unmarshal([]byte(os.Getenv(urlsVariable)), &urls); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, c := range clients() {
		if c.name != name {
			continue
		}
		var list []meeting
		for _, m := range c.meets() {
			if urls[m.name] != "" {
				list = append(list, m)
			}
		}
		said := everything(context.Background(), c, list, func(m meeting) place {
			return place{urls[m.name], &http.Client{Transport: &http.Transport{}}, nil}
		})
		told := map[string][2]string{}
		for name, o := range said {
			told[name] = [2]string{o.text, o.err}
		}
		text, _ := json.Marshal(told)
		if os.WriteFile(os.Getenv(saidVariable), text, 0o600) == nil {
			return 0
		}
	}
	return 1
}

// onTheWire has a client meet everything as a program that the command starts. A
// client that cannot be had here skips the test.
func onTheWire(t *testing.T, c client, list []meeting) cells {
	t.Helper()
	program, env := []string{os.Args[0]}, []string{clientVariable + "=" + c.name}
	if c.missing != nil && c.missing() != "" {
		t.Skip(c.missing())
	}
	if c.program != nil {
		args, missing := c.program(t)
		if missing != "" {
			t.Skip(missing)
		}
		program = args
	}
	name, err := command()
	if err != nil {
		t.Fatal(err)
	}
	path := written(t, c, list)
	dir := filepath.Dir(path)
	said, traced := filepath.Join(dir, "said.json"), filepath.Join(dir, "trace.jsonl")
	run := exec.Command(name, append([]string{"exec", "--trace-out", traced, path, "--"}, program...)...)
	run.Dir, run.Env = dir, append(os.Environ(), append(env, saidVariable+"="+said, "CI=")...)
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var told map[string][2]string
	text, err := os.ReadFile(said)
	if err == nil {
		err = json.Unmarshal(text, &told)
	}
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[string]outcome{}
	for name, o := range told {
		outcomes[name] = outcome{o[0], o[1]}
	}
	events, err := os.ReadFile(traced)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, events, outcomes)
}

// read counts the attempts of a trace, and adds what the client's caller got.
func read(t *testing.T, events []byte, said map[string]outcome) cells {
	t.Helper()
	type span struct{ began, ended time.Duration }
	attempts := map[string][]span{}
	lines := bufio.NewScanner(bytes.NewReader(events))
	for lines.Buffer(nil, 1<<24); lines.Scan(); {
		var e struct {
			Type, Step string
			Attempt    int
			At         time.Duration `json:"at_ns"`
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		switch e.Type {
		case "attempt_start":
			attempts[e.Step] = append(attempts[e.Step], span{began: e.At})
		case "attempt_end":
			attempts[e.Step][e.Attempt-1].ended = e.At
		}
	}
	got := cells{}
	for name, o := range said {
		all := attempts[name]
		var gaps []string
		for i := range all[min(1, len(all)):] {
			gaps = append(gaps, class(all[i+1].began-all[i].ended))
		}
		got[name] = cell{len(all), together(gaps), o.String()}
	}
	return got
}

// class is the nearest of a few times, on a scale of ratios: clients add jitter,
// and machines are busy.
func class(d time.Duration) string {
	if d < 70*time.Millisecond {
		return "0"
	}
	best, text := math.Inf(1), ""
	for _, c := range []struct {
		seconds float64
		text    string
	}{{0.1, "0.1 s"}, {0.5, "0.5 s"}, {1, "1 s"}, {2, "2 s"}, {90, "90 s"}, {600, "600 s"}} {
		if off := math.Abs(math.Log(d.Seconds() / c.seconds)); off < best {
			best, text = off, c.text
		}
	}
	return text
}

// together is a list of gaps in few words. Of many, such as those of redirects, only
// the waits are told.
func together(gaps []string) string {
	if len(gaps) > 10 {
		gaps = slices.DeleteFunc(gaps, func(g string) bool { return g == "0" })
	}
	if len(gaps) > 2 && len(slices.Compact(slices.Clone(gaps))) == 1 {
		gaps = gaps[:1]
	}
	return strings.Join(gaps, ", ")
}
