package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/scenario-lang/scenario/dist/internal/queue"
)

// beQueue has this process be a server until it is killed.
func beQueue(dir, port string) {
	n, err := strconv.Atoi(port)
	if err != nil {
		panic(err)
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: n, JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true})
	if err != nil {
		panic(err)
	}
	s.Start()
	select {}
}

// serving starts a server in a process of its own, and waits until it answers.
func serving(t *testing.T, dir string, port int) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "BE_QUEUE="+dir, fmt.Sprintf("BE_QUEUE_PORT=%d", port))
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	eventually(t, "the server answers", func() bool {
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	return c
}

var runID = regexp.MustCompile(`run ([a-z0-9]+): `)

// enoughKills is how many runs there have to be for one of them to lose a worker that
// has a unit: six are too few for that.
const enoughKills = 50

// kills is how many runs lose something: as many as SCENARIO_KILLS says, or one of each kind
// twice, once in short.
func kills(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv("SCENARIO_KILLS")); err == nil {
		return n
	}
	if testing.Short() {
		return killKinds
	}
	return 2 * killKinds
}

// Shows that no result is lost, counted twice or changed where a worker, the submitter
// or the server is killed at any time. It runs real processes: when the kill comes
// depends on the machine, what comes of it must not.
func TestKills(t *testing.T) {
	files := map[string]string{}
	head, scenarios, _ := strings.Cut(someScenarios, "scenario \"passes\"")
	for i := range 20 {
		text := head
		for n := range 5 {
			text += strings.NewReplacer(`"passes"`, fmt.Sprintf(`"passes %d.%d"`, i, n), `"fails"`, fmt.Sprintf(`"fails %d.%d"`, i, n)).Replace("scenario \"passes\"" + scenarios)
		}
		files[fmt.Sprintf("f%02d.scenario.hcl", i)] = text
	}
	dir := folder(t, files)
	if code, _, errs := called(t, nil, "run", "--report", "merge=want.jsonl"); code != 1 {
		t.Fatal(code, errs)
	}
	want, err := os.ReadFile("want.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	k := killingIn(t, dir)
	k.want, k.code = want, 1
	for round := range kills(t) {
		k.round(round)
	}
	t.Logf("%d units were handed out again, in all rounds together", k.again)
	if n := kills(t); n >= enoughKills && k.again == 0 {
		t.Errorf("no kill of %d rounds met a unit that was under way, so that they show nothing", n)
	}
}

// A killing is what is killed, and what comes of it.
type killing struct {
	t     *testing.T
	dir   string
	want  []byte
	code  int
	port  int
	url   string
	store string
	// under counts the units that have begun, of which there have to be some before
	// anything is killed; nil where it may come at any time.
	under func() int
	// hold is a file as long as which is there the first four calls have no answer.
	hold    string
	draw    *rand.Rand
	server  *exec.Cmd
	workers []*exec.Cmd
	again   int
	queue   *queue.Queue
}

// killingIn starts a server and two workers beside a suite.
func killingIn(t *testing.T, dir string) *killing {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	k := &killing{t: t, dir: dir, port: port, draw: rand.New(rand.NewPCG(20, 200)), url: fmt.Sprintf("nats://127.0.0.1:%d", port)}
	k.store = filepath.Join(t.TempDir(), "store")
	k.server = serving(t, k.store, port)
	if k.queue, err = queue.Open(queue.Address{URL: k.url}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.queue.Close)
	for range 2 {
		k.workers = append(k.workers, k.worker())
	}
	return k
}

func (k *killing) worker() *exec.Cmd {
	return process(k.t, "worker", "--queue", k.url, "--parallel", "2")
}

// round submits a run, kills a worker, the submitter or the server meanwhile, and holds the
// report against that of a run in which nothing was killed.
func (k *killing) round(round int) {
	t, out := k.t, fmt.Sprintf("got%d.jsonl", round)
	said := k.killed(round, round%killKinds, out)
	got, err := os.ReadFile(out)
	if err != nil || !bytes.Equal(got, k.want) {
		t.Fatalf("round %d: another report, %v\n%s", round, err, said)
	}
	if m := handedOutAgain.FindStringSubmatch(said); m != nil {
		n, _ := strconv.Atoi(m[1])
		k.again += n
	}
	_ = os.Remove(out)
	k.forget(said)
}

// The kinds of kills.
const (
	killWorker = iota
	killSubmitter
	killServer
	killKinds
	// suspendWorker is no kill: a worker hears and says nothing for a while, and what it
	// has runs twice.
	suspendWorker = killKinds
)

// killed submits a run, kills what the round is about, and has the report in a file. It is
// what was said of it.
func (k *killing) killed(round, kind int, out string) (said string) {
	t := k.t
	for len(k.workers) > 2 { // with more of them the one that is suspended may have nothing
		last := k.workers[len(k.workers)-1]
		_ = last.Process.Signal(os.Interrupt)
		_ = last.Wait()
		k.workers = k.workers[:len(k.workers)-1]
	}
	submit := process(t, "submit", "--queue", k.url, "--ack-wait", "1s", "--report", "merge="+out)
	if round%4 > 0 { // otherwise it may come before the run begins, too
		said := submit.Stderr.(*output)
		eventually(t, "the run begins", func() bool { return runID.MatchString(said.String()) })
	}
	if k.under == nil {
		time.Sleep(time.Duration(k.draw.IntN(100)) * time.Millisecond)
	} else {
		some := k.draw.IntN(15)
		if kind == suspendWorker {
			some = 3 // all slots are in use
		}
		eventually(t, "units run", func() bool { return k.under() > some })
	}
	switch kind {
	case killWorker:
		i := k.draw.IntN(len(k.workers))
		kill(k.workers[i])
		k.workers[i] = k.worker()
	case killSubmitter:
		_ = submit.Process.Kill()
	case killServer:
		kill(k.server)
		k.server = serving(t, k.store, k.port)
	case suspendWorker:
		k.suspend()
	}
	late := time.AfterFunc(time.Minute, func() { _ = submit.Process.Kill() })
	_ = submit.Wait()
	said = submit.Stderr.(*output).String()
	if !late.Stop() {
		t.Fatalf("round %d: submit hangs: %s", round, said)
	}
	// A server that is killed before the submitter has begun lets nobody in: there is no run.
	early := kind == killServer && !runID.MatchString(said) && strings.Contains(said, "cannot connect to the queue")
	if code := submit.ProcessState.ExitCode(); kind != killSubmitter && code != k.code && !early {
		t.Errorf("round %d: exit code %d, want %d: %s", round, code, k.code, said)
	}
	if _, err := os.Stat(out); err != nil {
		said += k.collected(round, out, said)
	}
	return said
}

// forget removes the run, so that the store of the server stays small.
func (k *killing) forget(said string) {
	ctx, done := context.WithTimeout(context.Background(), time.Minute)
	defer done()
	for _, id := range runID.FindAllStringSubmatch(said, -1) {
		r, err := k.queue.Run(ctx, id[1])
		if err == nil && r != nil {
			err = k.queue.Forget(ctx, r)
		}
		if err != nil {
			k.t.Fatal(err)
		}
	}
}

var handedOutAgain = regexp.MustCompile(`(\d+) units? handed out again`)

// suspend stops a worker that has two units until others have begun them, too.
func (k *killing) suspend() {
	one := k.workers[0].Process
	if err := one.Signal(syscall.SIGSTOP); err != nil {
		k.t.Fatal(err)
	}
	k.workers = append(k.workers, k.worker())
	eventually(k.t, "its units run again", func() bool { return k.under() >= 18 }) // more where others are slow, too
	if err := os.Remove(k.hold); err != nil {
		k.t.Fatal(err)
	}
	if err := one.Signal(syscall.SIGCONT); err != nil {
		k.t.Fatal(err)
	}
}

// collected reports the run of a submitter that was killed, or submits it again where
// nobody knows of it.
func (k *killing) collected(round int, out, said string) string {
	args := []string{"submit"}
	if id := runID.FindStringSubmatch(said); id != nil {
		args = []string{"collect", id[1]}
	}
	code, _, errs := called(k.t, nil, append(args, "--queue", k.url, "--report", "merge="+out, "--timeout", "1m")...)
	if code == 5 { // it was not announced
		code, _, errs = called(k.t, nil, "submit", "--queue", k.url, "--report", "merge="+out, "--timeout", "1m")
	}
	if code != k.code {
		k.t.Fatalf("round %d: exit code %d\n%s\n%s", round, code, said, errs)
	}
	return errs
}

// costlyBench has a program that is billed for each call, by a provider that keeps the
// bill: each call has a price of its own, so that a sum says which calls are in it.
const costlyBench = `
bench "b" {
  trials       = 2
  cost_cap_usd = 1e12
  cases = [for n in range(8) : { id = "c${n}", input = { n = n } }]
  sut {
    command = ["sh", "./sut.sh"]
  }
  rubric {
    passed   = output.usd > 0
    cost_usd = output.usd
  }
}
`

// costlyProgram is billed when it asks, and learns the price with the answer.
const costlyProgram = `echo "$$" >>"$BILL"; n=$(wc -l <"$BILL"); while [ -e "$HOLD" ] && [ "$n" -le 4 ]; do sleep 0.05; done; sleep 0.05; echo "{\"usd\": $$}"; echo "$$" >>"$ANSWERED"`

// billed are the prices of the calls that a provider has noted in a file.
func billed(t *testing.T, path string) (prices []float64, sum float64) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for word := range strings.FieldsSeq(string(text)) {
		usd, err := strconv.ParseFloat(word, 64)
		if err != nil {
			t.Fatal(err)
		}
		prices, sum = append(prices, usd), sum+usd
	}
	return prices, sum
}

// Shows that whatever is killed, a report adds up to what the provider has billed: no call
// is counted twice, and none is missing but those of a worker that was killed before it
// could say what they cost. Where only the submitter is killed nothing runs twice.
func TestKillsOfWhatCosts(t *testing.T) {
	dir := folder(t, map[string]string{"b.scenario.hcl": costlyBench, "sut.sh": costlyProgram})
	bill, answered := filepath.Join(dir, "bill"), filepath.Join(dir, "answered")
	t.Setenv("BILL", bill)
	t.Setenv("ANSWERED", answered)
	hold := filepath.Join(dir, "hold")
	t.Setenv("HOLD", hold)
	k := killingIn(t, dir)
	k.hold = hold
	k.under = func() int {
		prices, _ := billed(t, bill)
		return len(prices)
	}
	for round := range max(killKinds+1, kills(t)/4) {
		kind := round % (killKinds + 1)
		if kind == suspendWorker {
			if err := os.WriteFile(k.hold, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, path := range []string{bill, answered} {
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
		}
		said := k.killed(round, kind, "got.jsonl")
		_ = os.Remove("got.jsonl")
		ids := runID.FindAllStringSubmatch(said, -1)
		if len(ids) == 0 {
			t.Fatalf("round %d: no run is named: %s", round, said)
		}
		id := ids[len(ids)-1][1]
		missing := 0 // calls of which nobody can know
		if kind == killWorker {
			missing = 2 // it has two units at a time
		}
		var prices []float64
		var sum, reported float64
		eventually(t, "the report adds up to the bill", func() bool {
			reported = k.cost(id)
			prices, sum = billed(t, bill) // after the report: a second run may end between both
			if reported > sum {
				t.Fatalf("round %d: %v is reported, and only %v was billed: %v", round, reported, sum, prices)
			}
			return partOf(sum-reported, prices, missing)
		})
		switch {
		case kind == killSubmitter && len(prices) != 16, kind == suspendWorker && len(prices) < 18:
			t.Errorf("round %d: the provider was asked %d times for 16 trials", round, len(prices))
		}
		t.Logf("round %d: %d calls, %v billed, %v reported", round, len(prices), sum, reported)
		eventually(t, "nothing runs any more but what was killed", func() bool {
			begun, _ := billed(t, bill)
			ended, _ := billed(t, answered)
			return len(begun)-len(ended) <= missing
		})
		k.forget(said)
	}
}

// cost is what a run has cost by its report.
func (k *killing) cost(id string) float64 {
	k.t.Helper()
	code, out, errs := called(k.t, nil, "collect", id, "--queue", k.url, "--json", "--timeout", "1m")
	if code != 0 {
		k.t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	for line := range strings.Lines(out) {
		var of struct {
			Report *struct {
				CostUSD float64 `json:"cost_usd"`
			}
		}
		if json.Unmarshal([]byte(line), &of) == nil && of.Report != nil {
			return of.Report.CostUSD
		}
	}
	k.t.Fatalf("no report of a bench in %s", out)
	return 0
}

// partOf reports whether a sum is that of at most so many prices.
func partOf(sum float64, prices []float64, most int) bool {
	if sum == 0 {
		return true
	}
	for i, usd := range prices {
		if most > 0 && usd <= sum && partOf(sum-usd, prices[i+1:], most-1) {
			return true
		}
	}
	return false
}

func kill(c *exec.Cmd) {
	_ = c.Process.Kill()
	_ = c.Wait()
}
