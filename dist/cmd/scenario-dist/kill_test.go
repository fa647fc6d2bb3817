package main

import (
	"bytes"
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

// kills is how many runs lose something: a few, or as many as SCENARIO_KILLS says.
func kills(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv("SCENARIO_KILLS")); err == nil {
		return n
	}
	if testing.Short() {
		return 3
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
	for i := range 20 {
		files[fmt.Sprintf("f%02d.scenario.hcl", i)] = strings.NewReplacer(`"passes"`, fmt.Sprintf(`"passes %d"`, i), `"fails"`, fmt.Sprintf(`"fails %d"`, i)).Replace(someScenarios)
	}
	dir := folder(t, files)
	if code, _, errs := called(t, nil, "run", "--report", "merge=want.jsonl"); code != 1 {
		t.Fatal(code, errs)
	}
	want, err := os.ReadFile("want.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	store, url := filepath.Join(dir, "store"), fmt.Sprintf("nats://127.0.0.1:%d", port)
	queue := serving(t, store, port)
	draw := rand.New(rand.NewPCG(20, 200))
	for round := range kills(t) {
		t.Logf("round %d", round)
		workers := []*exec.Cmd{process(t, "worker", "--queue", url, "--parallel", "2"), process(t, "worker", "--queue", url)}
		out := fmt.Sprintf("got%d.jsonl", round)
		submit := process(t, "submit", "--queue", url, "--ack-wait", "1s", "--report", "merge="+out)
		time.Sleep(time.Duration(draw.IntN(400)) * time.Millisecond)
		switch round % 3 {
		case 0:
			_ = workers[0].Process.Kill()
		case 1:
			_ = submit.Process.Kill()
		case 2:
			_ = queue.Process.Kill()
			_ = queue.Wait()
			queue = serving(t, store, port)
		}
		late := time.AfterFunc(30*time.Second, func() { _ = submit.Process.Kill() })
		_ = submit.Wait()
		if !late.Stop() {
			t.Fatalf("round %d: submit hangs: %s", round, submit.Stderr)
		}
		said := submit.Stderr.(*bytes.Buffer).String()
		if _, err := os.Stat(out); err != nil {
			id := runID.FindStringSubmatch(said)
			args := []string{"submit"} // it was killed before the run began
			if id != nil {
				args = []string{"collect", id[1]}
			}
			code, _, errs := called(t, nil, append(args, "--queue", url, "--report", "merge="+out, "--timeout", "1m")...)
			if code == 5 { // nor was it announced
				code, _, errs = called(t, nil, "submit", "--queue", url, "--report", "merge="+out, "--timeout", "1m")
			}
			if code != 1 {
				t.Fatalf("round %d: exit code %d\n%s\n%s", round, code, said, errs)
			}
		}
		got, err := os.ReadFile(out)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("round %d: another report, %v\n%s", round, err, said)
		}
		for _, w := range workers {
			_ = w.Process.Kill()
			_ = w.Wait()
		}
	}
}
