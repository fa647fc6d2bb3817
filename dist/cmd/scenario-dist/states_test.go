package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/queue"
)

// A state is one of those that the server of a queue may be in: what each command says
// of it, with which code.
type state struct {
	name string
	url  func(t *testing.T) string
	code int
	// said are parts of the message and of its hint. The address is always in it.
	said []string
}

// openWith starts a server with options that a test changes.
func openWith(t *testing.T, change func(*server.Options)) string {
	t.Helper()
	o := &server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true}
	change(o)
	return started(t, o)
}

// configured starts a server by a file of its own language, for a user of it.
func configured(t *testing.T, text, user string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "queue.conf")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o.Host, o.Port, o.JetStream, o.NoSigs, o.NoLog = "127.0.0.1", -1, true, true, true
	if o.StoreDir == "" {
		o.StoreDir = t.TempDir()
	}
	return strings.Replace(started(t, o), "://", "://"+user+"@", 1)
}

// user is an address with a user, who may publish and subscribe to some subjects.
func user(t *testing.T, publish, subscribe []string) string {
	t.Helper()
	return strings.Replace(openWith(t, func(o *server.Options) {
		o.Users = []*server.User{{Username: "u", Password: "p", Permissions: &server.Permissions{
			Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: subscribe},
		}}}
	}), "nats://", "nats://u:p@", 1)
}

// rights are those that the page lists.
var rights = []string{"$JS.API.>", "$JS.ACK.>", "$JS.FC.>", "$KV.>", "$O.>", "scenario.>"}

// without are the rights but for one.
func without(right string) (all []string) {
	for _, r := range rights {
		if r != right {
			all = append(all, r)
		}
	}
	return all
}

// states are those in which nothing can be done. A queue that is full from the beginning
// cannot keep what makes it one.
var states = []state{
	{"gone", func(t *testing.T) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		return "nats://" + l.Addr().String()
	}, 2, []string{"cannot connect to the queue at ", "hint: is the server running"}},
	{"another server", func(t *testing.T) string {
		s := httptest.NewServer(http.NotFoundHandler())
		t.Cleanup(s.Close)
		return strings.Replace(s.URL, "http://", "nats://", 1)
	}, 2, []string{"does not answer as a NATS server", "hint: is this the server's port for clients, 4222"}},
	{"wrong password", func(t *testing.T) string {
		return strings.Replace(user(t, rights, nil), "u:p@", "u:hunter2@", 1)
	}, 2, []string{"cannot connect to the queue at ", "hint: name a file of credentials with --creds"}},
	{"no TLS", func(t *testing.T) string { return strings.Replace(local(t), "nats://", "tls://", 1) }, 2, []string{"secure connection not available", "hint: the server has no TLS"}},
	{"no JetStream", func(t *testing.T) string { return openWith(t, func(o *server.Options) { o.JetStream = false }) }, 2, []string{"JetStream is not enabled there", "hint: start it with JetStream"}},
	{"no right to ask", func(t *testing.T) string { return user(t, without("$JS.API.>"), []string{"_INBOX.>"}) }, 2, []string{`does not let this user publish to "$JS.API.INFO"`, "hint: scenario-dist help queue shows the permissions"}},
	{"no streams", func(t *testing.T) string {
		return user(t, append(without("$JS.API.>"), "$JS.API.INFO"), []string{"_INBOX.>"})
	}, 2, []string{`does not let this user publish to "$JS.API.STREAM.`, "hint: scenario-dist help queue"}},
	{"no answers", func(t *testing.T) string { return user(t, rights, []string{"x"}) }, 2, []string{`does not let this user subscribe to "_INBOX.`, "hint: scenario-dist help queue"}},
	{"full", func(t *testing.T) string {
		url := configured(t, `accounts { A { jetstream { max_streams: 1 }, users: [{ user: u, password: p }] } }`, "u:p")
		q, err := queue.Open(queue.Address{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		defer q.Close()
		if _, err := q.JS.CreateStream(t.Context(), jetstream.StreamConfig{Name: "of-others"}); err != nil {
			t.Fatal(err)
		}
		return url
	}, 6, []string{" is full: maximum number of streams reached", "hint: make room"}},
}

// commands are those that use a queue, each with what it needs.
func commands(path string) map[string][]string {
	return map[string][]string{
		"submit": {"submit", path}, "submit --detach": {"submit", "--detach", path}, "worker": {"worker"}, "worker --until-done": {"worker", "--until-done", "--only", "r"},
		"status": {"status"}, "forget": {"forget", "r"}, "status RUN": {"status", "r"}, "collect": {"collect", "r"},
	}
}

// soon is how long a command may take to say what is wrong, on a slow machine.
const soon = 30 * time.Second

// Shows that each command says at once what a queue does not do for it, where that is,
// why and what to do, and that it shows no password.
func TestCommandsOfAQueueThatDoesNothing(t *testing.T) {
	file := filepath.Join(folder(t, map[string]string{"a.scenario.hcl": someScenarios}), "a.scenario.hcl")
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			url := s.url(t)
			where := regexp.MustCompile(`//.*@`).ReplaceAllString(url, "//")
			var group sync.WaitGroup
			defer group.Wait()
			for name, args := range commands(file) {
				group.Go(func() {
					code, out, errs := calledWithin(t, soon, map[string]string{"SCENARIO_QUEUE": url}, args...)
					for _, part := range append(s.said, where) {
						if !strings.Contains(errs, part) {
							t.Errorf("%s does not say %q:\n%s%s", name, part, out, errs)
						}
					}
					if m := runID.FindString(errs); m != "" {
						t.Errorf("%s names a run that no queue knows: %s", name, errs)
					}
					if code != s.code || strings.Contains(errs, "hunter2") || strings.Contains(errs, ":p@") || strings.Contains(errs, "nats: ") {
						t.Errorf("%s: exit code %d\n%s", name, code, errs)
					}
				})
			}
		})
	}
}

// calledWithin is a call that has to end within a time.
func calledWithin(t *testing.T, limit time.Duration, env map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	c := calling(t, env, args...)
	select {
	case code = <-c.code:
	case <-time.After(limit):
		t.Errorf("%q has not ended within %s, and said:\n%s", args, limit, c.errs)
	}
	return code, c.out.String(), c.errs.String()
}

// A call is one of the command in this process that has not ended yet.
type call struct {
	out, errs *output
	code      chan int
}

func calling(t *testing.T, env map[string]string, args ...string) *call {
	t.Helper()
	c := &call{&output{}, &output{}, make(chan int, 1)}
	go func() {
		c.code <- run(args, strings.NewReader(""), c.out, c.errs, func(name string) (string, bool) {
			if v, set := env[name]; set {
				return v, true
			}
			if strings.HasPrefix(name, "SCENARIO_") {
				return "", false
			}
			return os.LookupEnv(name)
		})
	}()
	return c
}

// Shows that the rights that the page lists are enough for every command, and that the
// page has a right for each part of the queue: without any one of them something fails,
// and says which.
func TestRights(t *testing.T) {
	files := benchWith("rate = 600\n  idempotent = false", `echo '{"n": 1}'`)
	for _, right := range append([]string{""}, rights...) {
		if right == "$JS.FC.>" {
			continue // the server asks for it only where much is under way
		}
		t.Run("without "+right, func(t *testing.T) {
			folder(t, files)
			env := map[string]string{"SCENARIO_QUEUE": user(t, without(right), []string{"_INBOX.>"})}
			code, id, errs := calledWithin(t, soon, env, "submit", "--detach")
			calls := [][]string{{"worker", "--until-done"}, {"status"}, {"collect", strings.TrimSpace(id)}}
			for _, args := range calls {
				if code == 0 {
					code, _, errs = calledWithin(t, soon, env, args...)
				}
			}
			if right == "" && code == 0 {
				return
			}
			if code != 2 || !strings.Contains(errs, "does not let this user publish to \""+strings.TrimSuffix(right, ">")) {
				t.Errorf("exit code %d\n%s", code, errs)
			}
		})
	}
}

// Shows that who waits for a server that is gone in the middle says so, and goes on where
// it comes back.
func TestServerGoneInTheMiddle(t *testing.T) {
	dir := folder(t, benchWith("", `while [ -e "$HOLD" ]; do sleep 0.05; done; echo '{"n": 1}'`))
	hold := filepath.Join(dir, "hold")
	t.Setenv("HOLD", hold)
	if err := os.WriteFile(hold, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port, store := free.Addr().(*net.TCPAddr).Port, t.TempDir()
	free.Close()
	begin := func() *server.Server {
		s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: store, NoSigs: true, NoLog: true})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		if !s.ReadyForConnections(30 * time.Second) {
			t.Fatal("the server did not begin")
		}
		return s
	}
	s := begin()
	url := fmt.Sprintf("nats://127.0.0.1:%d", port)
	env := map[string]string{"SCENARIO_QUEUE": url, "HOLD": hold}
	calls := map[string]*call{"submit": calling(t, env, "submit", "--timeout", "1m")}
	eventually(t, "the run begins", func() bool { return runID.MatchString(calls["submit"].errs.String()) })
	id := runID.FindStringSubmatch(calls["submit"].errs.String())[1]
	eventually(t, "the queue knows of it", func() bool {
		code, _, _ := called(t, env, "status", id)
		return code == 0
	})
	calls["worker"] = calling(t, env, "worker", "--only", id, "--until-done", "--parallel", "6")
	eventually(t, "the units run", func() bool {
		_, out, _ := called(t, env, "status", id)
		return strings.Contains(out, "6 running")
	})
	eventually(t, "no call of status is connected", func() bool { return s.NumClients() == len(calls) })
	calls["collect"] = calling(t, env, "collect", id, "--timeout", "1m")
	eventually(t, "all are connected", func() bool { return s.NumClients() == len(calls) })
	s.Shutdown()
	s.WaitForShutdown()
	for name, c := range calls {
		eventually(t, name+" says that the server is gone", func() bool {
			return strings.Contains(c.errs.String(), "the queue at "+url+" does not answer: ")
		})
	}
	s = begin()
	defer s.Shutdown()
	for name, c := range calls {
		eventually(t, name+" says that the server is back", func() bool {
			return strings.Contains(c.errs.String(), "the queue at "+url+" answers again, after ")
		})
	}
	if err := os.Remove(hold); err != nil {
		t.Fatal(err)
	}
	for name, c := range calls {
		if code := <-c.code; code != 0 {
			t.Errorf("%s: exit code %d\n%s%s", name, code, c.out, c.errs)
		}
	}
}

// fill takes all room of a queue, until what it returns is called.
func fill(t *testing.T, q *queue.Queue) (empty func()) {
	t.Helper()
	if _, err := q.JS.CreateStream(t.Context(), jetstream.StreamConfig{Name: "filler", Subjects: []string{"filler"}}); err != nil {
		t.Fatal(err)
	}
	for size := 4096; size > 0; {
		if _, err := q.JS.Publish(t.Context(), "filler", make([]byte, size)); err != nil {
			size /= 4
		}
	}
	return func() {
		if err := q.JS.DeleteStream(t.Context(), "filler"); err != nil {
			t.Fatal(err)
		}
	}
}

// full400 has a server keep 400 KiB.
func full400(o *server.Options) { o.JetStreamMaxStore = 400 << 10 }

// manyScenarios is a file with so many.
func manyScenarios(n int) string {
	text, one, _ := strings.Cut(someScenarios, "scenario \"passes\"")
	one, _, _ = strings.Cut(one, "scenario ")
	for i := range n {
		text += fmt.Sprintf("scenario \"s%d\"", i) + one
	}
	return text
}

// heldUnits is a bench in the folder of the test whose units run for as long as the file is there that it
// returns.
func heldUnits(t *testing.T) (hold string) {
	t.Helper()
	hold = filepath.Join(folder(t, benchWith("", `while [ -e "$HOLD" ]; do sleep 0.05; done; echo '{"n": 1}'`)), "hold")
	t.Setenv("HOLD", hold)
	if err := os.WriteFile(hold, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return hold
}

// Shows what happens on a server that becomes full: submit says so and names the run that
// it began, a worker keeps what it has made until there is room, status still says how
// far runs are, and once there is room everything goes on.
func TestFullServer(t *testing.T) {
	url := openWith(t, full400)
	env, hold := map[string]string{"SCENARIO_QUEUE": url}, heldUnits(t)
	q, r := submitted(t, url)
	worker := calling(t, env, "worker", "--until-done", "--parallel", "6")
	eventually(t, "the units run", func() bool {
		_, out, _ := called(t, env, "status", r.ID)
		return strings.Contains(out, "6 running")
	})
	empty := fill(t, q)
	if err := os.Remove(hold); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the worker says that there is no room", func() bool {
		return strings.Contains(worker.errs.String(), "the queue at "+url+" is full: ") && strings.Contains(worker.errs.String(), "a result waits for room")
	})
	if code, out, errs := calledWithin(t, soon, env, "status"); code != 0 || !strings.Contains(out, "run "+r.ID+": 0 of 6 done") {
		t.Errorf("status: exit code %d\n%s%s", code, out, errs)
	}
	if code, out, errs := calledWithin(t, soon, env, "submit"); code != 6 || !strings.Contains(errs, "the queue at "+url+" is full: ") || !strings.Contains(errs, "hint: make room") {
		t.Errorf("submit: exit code %d\n%s%s", code, out, errs)
	}
	empty()
	if code := <-worker.code; code != 0 {
		t.Errorf("worker: exit code %d\n%s", code, worker.errs)
	}
	if code, out, errs := calledWithin(t, soon, env, "collect", r.ID); code != 0 || !strings.Contains(out, "6 of 6 cases passed") || strings.Contains(errs, "handed out again") {
		t.Errorf("collect: exit code %d\n%s%s", code, out, errs)
	}
}

// Shows that a run of which only a part found room is named, and completed by collect once
// there is some.
func TestRunThatFindsNoRoom(t *testing.T) {
	url := openWith(t, func(o *server.Options) { o.JetStreamMaxStore = 200 << 10 })
	env := map[string]string{"SCENARIO_QUEUE": url}
	folder(t, map[string]string{"a.scenario.hcl": manyScenarios(1200)})
	code, out, errs := calledWithin(t, soon, env, "submit")
	m := regexp.MustCompile(`the queue has a part of run ([a-z0-9]+); scenario-dist collect ([a-z0-9]+) completes it`).FindStringSubmatch(errs)
	if code != 6 || m == nil || !strings.Contains(errs, " is full: ") {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
}
