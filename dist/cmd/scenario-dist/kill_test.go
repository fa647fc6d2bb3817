package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
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

// kills is how many runs lose something: one of each kind twice, or as many as SCENARIO_KILLS says.
func kills(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv("SCENARIO_KILLS")); err == nil {
		return n
	}
	return 6
}

// Shows that no result is lost, counted twice or changed where a worker, the submitter
// or the server is killed at any time. It runs real processes: when the kill comes
// depends on the machine, what comes of it must not.
func TestKills(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
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
	k := &killing{t: t, dir: dir, want: want, port: port, draw: rand.New(rand.NewPCG(20, 200)), url: fmt.Sprintf("nats://127.0.0.1:%d", port)}
	k.server = serving(t, filepath.Join(dir, "store"), port)
	if k.queue, err = queue.Open(queue.Address{URL: k.url}); err != nil {
		t.Fatal(err)
	}
	defer k.queue.Close()
	for range 2 {
		k.workers = append(k.workers, k.worker())
	}
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
	t       *testing.T
	dir     string
	want    []byte
	port    int
	url     string
	draw    *rand.Rand
	server  *exec.Cmd
	workers []*exec.Cmd
	again   int
	queue   *queue.Queue
}

func (k *killing) worker() *exec.Cmd {
	return process(k.t, "worker", "--queue", k.url, "--parallel", "2")
}

// round submits a run and kills a worker, the submitter or the server meanwhile.
func (k *killing) round(round int) {
	t, out := k.t, fmt.Sprintf("got%d.jsonl", round)
	submit := process(t, "submit", "--queue", k.url, "--ack-wait", "1s", "--report", "merge="+out)
	if round%4 > 0 { // otherwise it may come before the run begins, too
		said := submit.Stderr.(*output)
		eventually(t, "the run begins", func() bool { return runID.MatchString(said.String()) })
	}
	time.Sleep(time.Duration(k.draw.IntN(100)) * time.Millisecond)
	switch round % 3 {
	case 0:
		i := k.draw.IntN(len(k.workers))
		kill(k.workers[i])
		k.workers[i] = k.worker()
	case 1:
		_ = submit.Process.Kill()
	case 2:
		kill(k.server)
		k.server = serving(t, filepath.Join(k.dir, "store"), k.port)
	}
	late := time.AfterFunc(time.Minute, func() { _ = submit.Process.Kill() })
	_ = submit.Wait()
	said := submit.Stderr.(*output).String()
	if !late.Stop() {
		t.Fatalf("round %d: submit hangs: %s", round, said)
	}
	if _, err := os.Stat(out); err != nil {
		said += k.collected(round, out, said)
	}
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
	if code != 1 {
		k.t.Fatalf("round %d: exit code %d\n%s\n%s", round, code, said, errs)
	}
	return errs
}

func kill(c *exec.Cmd) {
	_ = c.Process.Kill()
	_ = c.Wait()
}
