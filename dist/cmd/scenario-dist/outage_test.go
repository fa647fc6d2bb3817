package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/scenario-lang/scenario/dist/internal/collect"
	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/dist/internal/submit"
)

// A gate stands before a server and lets everything through, until a client asks for
// something: then the server is gone to all until the gate is opened again.
type gate struct {
	listener net.Listener
	server   string
	at       []byte

	mu    sync.Mutex
	shut  bool
	conns []net.Conn
}

// gateBefore is a gate before a server that shuts when a client says a text for the first time.
func gateBefore(t *testing.T, url, text string) *gate {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{listener: l, server: strings.TrimPrefix(url, "nats://"), at: []byte(text)}
	t.Cleanup(func() {
		_ = l.Close()
		g.close()
	})
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go g.through(c)
		}
	}()
	return g
}

func (g *gate) url() string { return "nats://" + g.listener.Addr().String() }

// close ends all connections.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.conns {
		_ = c.Close()
	}
	g.conns = nil
}

// open lets clients through for good.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut, g.at = false, nil
}

// isShut reports whether the server is gone.
func (g *gate) isShut() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.shut
}

func (g *gate) through(client net.Conn) {
	to, err := net.Dial("tcp", g.server)
	g.mu.Lock()
	if err != nil || g.shut {
		g.mu.Unlock()
		_ = client.Close()
		return
	}
	g.conns = append(g.conns, client, to)
	g.mu.Unlock()
	go func() {
		_, _ = to.(*net.TCPConn).WriteTo(client)
		_ = client.Close()
	}()
	said, before := make([]byte, 64<<10), []byte(nil) // the end of what was read before
	for {
		n, err := client.Read(said)
		if err != nil {
			_ = to.Close()
			return
		}
		g.mu.Lock()
		before = append(before, said[:n]...)
		shuts := g.at != nil && bytes.Contains(before, g.at)
		before = bytes.Clone(before[max(0, len(before)-len(g.at)):])
		g.shut = g.shut || shuts
		g.mu.Unlock()
		if shuts {
			g.close()
			return
		}
		if _, err := to.Write(said[:n]); err != nil {
			return
		}
	}
}

// Shows that a command whose server goes away while it is asked says so, and ends as it
// would have where it comes back: also one that asks only a little.
func TestServerGoneWhileItIsAsked(t *testing.T) {
	for _, c := range []struct{ command, asks, says string }{
		{"status", "$JS.API.CONSUMER.INFO.scenario-work-", ": 0 of 2 done"},
		{"forget", "$JS.API.STREAM.DELETE.scenario-result-", " is forgotten\n"},
	} {
		t.Run(c.command, func(t *testing.T) {
			url := local(t)
			folder(t, map[string]string{"a.scenario.hcl": someScenarios})
			_, r := submitted(t, url)
			g := gateBefore(t, url, c.asks)
			call := calling(t, nil, c.command, r.ID, "--queue", g.url())
			eventually(t, "the server is gone", g.isShut)
			eventually(t, "it says so", func() bool {
				return strings.Contains(call.errs.String(), "the queue at "+g.url()+" does not answer: ")
			})
			g.open()
			if code := <-call.code; code != 0 || !strings.Contains(call.out.String(), "run "+r.ID+c.says) || !strings.Contains(call.errs.String(), "answers again") {
				t.Errorf("exit code %d\n%s%s", code, call.out, call.errs)
			}
		})
	}
}

// underWay starts a server that a test can change, and on it a run of which all units run
// until release is called, with who waits for it.
func underWay(t *testing.T, o *server.Options) (s *server.Server, calls map[string]*call, release func()) {
	t.Helper()
	o.Host, o.Port, o.JetStream, o.StoreDir, o.NoSigs, o.NoLog = "127.0.0.1", -1, true, t.TempDir(), true, true
	s = beginning(t, o)
	dir := folder(t, benchWith("", `while [ -e "$HOLD" ]; do sleep 0.05; done; echo '{"n": 1}'`))
	hold := filepath.Join(dir, "hold")
	t.Setenv("HOLD", hold)
	if err := os.WriteFile(hold, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	url := s.ClientURL()
	if len(o.Users) > 0 {
		url = strings.Replace(url, "://", "://u:p@", 1)
	}
	env := map[string]string{"SCENARIO_QUEUE": url, "HOLD": hold}
	calls = map[string]*call{"submit": calling(t, env, "submit")}
	eventually(t, "the run begins", func() bool { return runID.MatchString(calls["submit"].errs.String()) })
	id := runID.FindStringSubmatch(calls["submit"].errs.String())[1]
	calls["worker"] = calling(t, env, "worker", "--until-done", "--parallel", "6")
	eventually(t, "the units run", func() bool {
		_, out, _ := called(t, env, "status", id)
		return strings.Contains(out, "6 running")
	})
	q, r := opened(t, url, id)
	calls["collect"] = calling(t, env, "collect", id)
	eventually(t, "both wait", func() bool { return waiters(t, q, r) == 2 })
	q.Close()
	return s, calls, func() {
		if err := os.Remove(hold); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

// Shows that a run that is forgotten while it is still being submitted ends the submitter at
// once, who says so, and leaves nothing on the server.
func TestForgetWhileItIsSubmitted(t *testing.T) {
	url := local(t)
	env := map[string]string{"SCENARIO_QUEUE": url}
	folder(t, map[string]string{"a.scenario.hcl": manyScenarios(1200)})
	g := gateBefore(t, url, ".any.60")
	submit := calling(t, nil, "submit", "--queue", g.url())
	eventually(t, "a part of the units is queued", g.isShut)
	id := runID.FindStringSubmatch(submit.errs.String())[1]
	if code, out, errs := calledWithin(t, soon, env, "forget", id); code != 0 {
		t.Fatalf("forget: exit code %d\n%s%s", code, out, errs)
	}
	g.open()
	select {
	case code := <-submit.code:
		if code != 5 || !strings.Contains(submit.errs.String(), "the queue has no run "+id+" any more") {
			t.Errorf("exit code %d\n%s", code, submit.errs)
		}
	case <-time.After(soon):
		t.Errorf("it has not ended, and said\n%s", submit.errs)
	}
	if code, out, errs := called(t, env, "status"); code != 0 || strings.Contains(out, id) {
		t.Errorf("status: exit code %d\n%s%s", code, out, errs)
	}
	q, err := queue.Open(queue.Address{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	for name := range q.JS.StreamNames(t.Context()).Name() {
		if strings.Contains(name, id) {
			t.Errorf("the stream %s is still there", name)
		}
	}
}

// Shows that a worker which cannot say that it lives, because the queue is full, is not shown
// as lost, though it is silent for long, but as one of which that is not known.
func TestWorkerOnAFullServer(t *testing.T) {
	url := openWith(t, full400)
	env, hold := map[string]string{"SCENARIO_QUEUE": url}, heldUnits(t)
	q, r := submitted(t, url, "--ack-wait", "600ms")
	worker := calling(t, env, "worker", "--until-done", "--parallel", "6")
	said := ""
	eventually(t, "the units run", func() bool {
		_, said, _ = called(t, env, "status", r.ID)
		return strings.Contains(said, "6 running")
	})
	empty := fill(t, q)
	eventually(t, "the worker is silent for too long", func() bool {
		_, said, _ = called(t, env, "status", r.ID)
		return strings.Contains(said, "lost, silent for") || strings.Contains(said, "ago, and may live: the queue is full")
	})
	if strings.Contains(said, "lost") || strings.Contains(said, "  had ") {
		t.Errorf("status says\n%s", said)
	}
	if _, said, _ := called(t, env, "status", r.ID, "--json"); !strings.Contains(said, `"lost":false,"unheard":true`) {
		t.Errorf("status says\n%s", said)
	}
	empty()
	eventually(t, "the worker is heard of", func() bool {
		_, said, _ = called(t, env, "status", r.ID)
		return strings.Contains(said, "heard of") && !strings.Contains(said, "may live")
	})
	if err := os.Remove(hold); err != nil {
		t.Fatal(err)
	}
	if code := <-worker.code; code != 0 {
		t.Errorf("worker: exit code %d\n%s", code, worker.errs)
	}
}

// Shows that a run has each of its units in the queue once, though its submitter was cut off
// while they were on their way, another command completed it, and the submitter then goes on:
// with the units of which it does not know whether they arrived, and with those behind them.
func TestUnitsAreQueuedOnce(t *testing.T) {
	const units = 1200
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": manyScenarios(units)})
	g := gateBefore(t, url, ".any.1000 ")
	submitter := calling(t, nil, "submit", "--detach", "--queue", g.url())
	eventually(t, "the submitter is cut off", g.isShut)
	q, err := queue.Open(queue.Address{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	runs, err := collect.Runs(t.Context(), q)
	if err != nil || len(runs) != 1 {
		t.Fatal(runs, err)
	}
	r := runs[0]
	if n := messages(t, q, job.WorkStream(r.ID)); n == 0 || n >= units {
		t.Fatalf("%d units are in the queue", n)
	}
	if err := submit.Resume(t.Context(), q, r); err != nil {
		t.Fatal(err)
	}
	if n := messages(t, q, job.WorkStream(r.ID)); n != units {
		t.Errorf("the run was completed to %d units", n)
	}
	g.open()
	if code := <-submitter.code; code != 0 {
		t.Errorf("exit code %d\n%s", code, submitter.errs)
	}
	if n := messages(t, q, job.WorkStream(r.ID)); n != units {
		t.Errorf("of %d units there are %d in the queue", units, n)
	}
}

// Shows that a worker without work hears of the next run also after the server has kept
// nothing for a while, and that it says of that what happens in plain words.
func TestWorkerHearsOfRunsAfterAnOutage(t *testing.T) {
	s := beginning(t, &server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	env := map[string]string{"SCENARIO_QUEUE": s.ClientURL()}
	folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	worker := calling(t, env, "worker", "--until-done")
	eventually(t, "the worker is there", func() bool {
		_, out, _ := called(t, env, "status")
		return strings.Contains(out, "heard of")
	})
	c := *s.JetStreamConfig()
	if err := s.DisableJetStream(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the worker says so", func() bool { return strings.Contains(worker.errs.String(), " does not answer: ") })
	c.StoreDir = filepath.Dir(c.StoreDir) // the server adds a directory of its own
	if err := s.EnableJetStream(&c); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := called(t, env, "submit", "--timeout", "1m"); code != 1 || !strings.Contains(out, "1 passed, 1 failed") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if code := <-worker.code; code != 0 || strings.Contains(worker.errs.String(), "nats: ") {
		t.Errorf("the worker ends with %d, and said\n%s", code, worker.errs)
	}
}

// Shows that whoever is under way when a user is thrown out, or loses a right, says which
// and ends: nothing would come any more.
func TestRightsRevoked(t *testing.T) {
	all := &server.Permissions{Publish: &server.SubjectPermission{Allow: rights}, Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>"}}}
	none := &server.Permissions{Publish: &server.SubjectPermission{Allow: []string{"scenario.>"}}, Subscribe: all.Subscribe}
	for _, c := range []struct {
		name  string
		users []*server.User
		code  int
		said  string
	}{
		{"the user", []*server.User{{Username: "another", Password: "p", Permissions: all}}, 6, "does not let this user in any more"},
		{"a right", []*server.User{{Username: "u", Password: "p", Permissions: none}}, 2, `does not let this user publish to "$`},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := &server.Options{Users: []*server.User{{Username: "u", Password: "p", Permissions: all}}}
			s, calls, release := underWay(t, o)
			defer release()
			changed := o.Clone()
			changed.Users = c.users
			if err := s.ReloadOptions(changed); err != nil {
				t.Fatal(err)
			}
			for name, call := range calls {
				select {
				case code := <-call.code:
					if code != c.code || !strings.Contains(call.errs.String(), c.said) || strings.Contains(call.errs.String(), ":p@") || strings.Contains(call.errs.String(), "nats: ") {
						t.Errorf("%s: exit code %d\n%s", name, code, call.errs)
					}
				case <-time.After(time.Minute):
					t.Errorf("%s has not ended, and said\n%s", name, call.errs)
				}
			}
		})
	}
}

// Shows that who is under way when a server stops keeping anything, as it does where its
// disk is full, says so, and goes on once it keeps things again.
func TestJetStreamDisabledInTheMiddle(t *testing.T) {
	s, calls, release := underWay(t, &server.Options{})
	c := *s.JetStreamConfig()
	if err := s.DisableJetStream(); err != nil {
		t.Fatal(err)
	}
	release() // the results of the units that run have no place now
	for name, call := range calls {
		eventually(t, name+" says so", func() bool {
			return strings.Contains(call.errs.String(), " does not answer: ")
		})
	}
	c.StoreDir = filepath.Dir(c.StoreDir) // the server adds a directory of its own
	if err := s.EnableJetStream(&c); err != nil {
		t.Fatal(err)
	}
	for name, call := range calls {
		select {
		case code := <-call.code:
			if code != 0 || strings.Contains(call.errs.String(), "nats: ") {
				t.Errorf("%s: exit code %d\n%s%s", name, code, call.out, call.errs)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s has not ended, and said\n%s", name, call.errs)
		}
	}
}
