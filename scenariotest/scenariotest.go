package scenariotest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario"
	"github.com/scenario-lang/scenario/internal/searched"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/wire"
)

// An Option says how scenarios are run.
type Option func(*options)

type options struct {
	real bool
	load []scenario.Option

	// Of Explore alone.
	pairs, write, noModel, wrong bool
	runs                         int
}

// Real runs the scenarios on the real clock, outside of any bubble: for code
// that talks to real sockets or programs, too. Waits then take their time.
func Real() Option { return func(o *options) { o.real = true } }

// Load says how the file is loaded, for example with values of variables.
func Load(list ...scenario.Option) Option {
	return func(o *options) { o.load = append(o.load, list...) }
}

func optionsOf(list []Option) *options {
	o := &options{}
	for _, option := range list {
		option(o)
	}
	return o
}

// patience is how long a client may take to be seen leaving where time is real.
const patience = 50 * time.Millisecond

// Run makes a subtest of every scenario of a file, or of all files below a
// directory, and calls f in it; -run selects among them. The path is as the test
// sees it. A file that is invalid fails the test with all that is wrong with it,
// and a scenario that Go code cannot drive is skipped with the reason.
func Run(t *testing.T, path string, f func(t *testing.T, s *Scenario), list ...Option) {
	t.Helper()
	o := optionsOf(list)
	for _, sc := range load(t, path, o).Scenarios() {
		t.Run(sc.Name(), func(t *testing.T) {
			if why := sc.CanDrive(); why != "" {
				t.Skip(why)
			}
			body := func(t *testing.T) { f(t, begin(t, sc, o)) }
			if o.real {
				body(t)
				return
			}
			bubble(t, body)
		})
	}
}

// New begins the scenario of a name in a test that has a bubble of its own, or
// runs in real time with [Real]. It is judged when the test ends. A goroutine that
// the test leaves blocked in its bubble is reported then; testing/synctest ends the
// process after that, as it does for any bubble that [Run] did not make.
func New(t *testing.T, path, name string, list ...Option) *Scenario {
	t.Helper()
	o := optionsOf(list)
	sc := load(t, path, o).Scenario(name)
	if sc == nil {
		t.Fatalf("%s has no scenario %q", path, name)
	}
	if why := sc.CanDrive(); why != "" {
		t.Skip(why)
	}
	s := begin(t, sc, o)
	s.alone = !o.real
	return s
}

// loaded are the files that were compiled with no options, by path.
var loaded sync.Map

// load compiles a file, once in a process where nothing else is asked for.
func load(t testing.TB, path string, o *options) *scenario.Suite {
	t.Helper()
	root, name, err := rooted(path)
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(root, name)
	if known, ok := loaded.Load(key); ok && len(o.load) == 0 {
		return known.(*scenario.Suite)
	}
	suite, err := scenario.Load(os.DirFS(root), filepath.ToSlash(name), o.load...)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.load) == 0 {
		loaded.Store(key, suite)
	}
	return suite
}

var errNoRoot = errors.New("the path leads out of the file system")

// rooted splits a path into the root of its suite, the nearest parent with
// go.mod or .git, else the working directory, and the name below that.
func rooted(path string) (root, name string, err error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", "", err
	}
	if root, err = os.Getwd(); err != nil {
		return "", "", err
	}
	for dir := filepath.Dir(full); ; dir = filepath.Dir(dir) {
		if marked(dir) {
			root = dir
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if name, err = filepath.Rel(root, full); err == nil && (name == ".." || strings.HasPrefix(name, ".."+string(filepath.Separator))) {
		err = errNoRoot
	}
	return root, name, err
}

func marked(dir string) bool {
	for _, name := range []string{"go.mod", ".git"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// bubble runs a test in a bubble. What is left in it at the end would end the
// whole process; here it fails the test.
func bubble(t *testing.T, body func(t *testing.T)) {
	defer func() {
		if p := recover(); p != nil {
			if err := blocked(p); err != nil {
				t.Errorf(leftText, err)
				return
			}
			panic(p)
		}
	}()
	synctest.Test(t, body)
}

// blocked is the error of a bubble in which nothing can go on, nil for another panic.
func blocked(p any) error {
	if err, ok := p.(error); ok && strings.Contains(err.Error(), "deadlock") {
		return err
	}
	return nil
}

// A Scenario is one run of a scenario by the code of a test. It is safe for
// concurrent use.
type Scenario struct {
	*state
	// endpoint and lane are sent with every request, "" for none.
	endpoint, lane string
}

// state is what all views of one run share.
type state struct {
	t      testing.TB
	driven *scenario.Driven
	real   bool
	// judged is the run as the checks of its file judge it, nil in a search.
	judged *searched.Run
	// alone says that the bubble is the test's own, so that only its cleanup can say
	// what is left in it.
	alone bool
	// search is the run of an exploration, which tells by itself what is wrong, nil for
	// any other. asked counts the requests since it was given up.
	search *searched.Run
	asked  atomic.Int32

	mu       sync.Mutex
	reported map[string]bool // gates, by their text
	once     sync.Once
	result   *scenario.Result
}

// begin begins a run, which ends with the test.
func begin(t *testing.T, sc *scenario.Scenario, o *options) *Scenario {
	s := &state{t: t, real: o.real, reported: map[string]bool{}, judged: &searched.Run{}}
	drive := scenario.DriveOptions{OnProblem: s.report, Patience: time.Nanosecond, Search: s.judged}
	if o.real {
		drive.Patience = patience
	}
	s.driven = sc.Drive(drive)
	t.Cleanup(func() {
		s.open()
		s.finish()
		s.goroutines()
	})
	return &Scenario{state: s}
}

// report fails the test with a gate when it breaks; later ones of the same words
// are in the result alone.
func (s *state) report(p scenario.Problem, _ int) {
	text := p.String()
	s.mu.Lock()
	known := s.reported[text]
	s.reported[text] = true
	s.mu.Unlock()
	if !known {
		s.t.Error(text)
	}
}

// day is enough fake time for all timers that a client leaves behind.
const day = 24 * time.Hour

// finish judges the run, and gives what is left of clients its time.
func (s *state) finish() {
	s.once.Do(func() {
		s.result = s.driven.Finish()
		if s.search != nil {
			_ = wire.System().Sleep(context.Background(), day)
			return
		}
		for _, w := range s.driven.Warnings() {
			s.t.Log("warning: " + w)
		}
		for i := range s.judged.Result.Relaxed {
			s.t.Log(relaxed(&s.judged.Result.Relaxed[i]))
		}
		for _, p := range s.result.Problems() {
			if s.fresh(p.String()) {
				s.t.Error(p.String())
			}
		}
		if !s.real {
			_ = wire.System().Sleep(context.Background(), day)
		}
	})
}

// relaxed is what a report says of a check that was not made or that shows nothing, and of
// what the file allows: a green that leans on it has to say so.
func relaxed(p *interp.Problem) string {
	at := p.Range
	return fmt.Sprintf("%s: %s  %s:%d: %s", p.Tells(), p.Name, at.Filename, at.Start.Line, strings.TrimRight(p.Message, "\n"))
}

// goroutines fails a test that has ended in a bubble of its own and left some blocked.
func (s *state) goroutines() {
	if !s.alone {
		return
	}
	synctest.Wait()
	if left := leftInBubble(); left != "" {
		s.t.Errorf(leftText, left)
	}
}

// leftText says which goroutines are left.
const leftText = "left_running: goroutines of the test were still blocked when it had ended: %v\nhint: close what they wait for, or end them with t.Context()"

// open fails a test that is over and has connections of a run that is not.
func (s *state) open() {
	if left := s.connections(); left != "" {
		s.t.Error("left_running: " + left)
	}
}

// connections says which connections are open that should not be, "" for none. Clients
// that close in the background, as drivers do with what broke, are waited for.
func (s *state) connections() string {
	if s.driven.Connections() == 0 || s.result != nil {
		return ""
	}
	if s.real {
		_ = wire.System().Sleep(context.Background(), patience)
	} else {
		synctest.Wait()
	}
	if n := s.driven.Connections(); n > 0 {
		are := "are"
		if n == 1 {
			are = "is"
		}
		return fmt.Sprintf("the test has ended and %d of its connections %s open.\nhint: close what was made with DialContext or Stdio, such as defer conn.Close()", n, are)
	}
	return ""
}

// fresh reports whether a text has not been reported yet.
func (s *state) fresh(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.reported[text]
}

// Endpoint is the same run, whose requests say that they are for an endpoint: for
// those that nothing else tells apart.
func (s *Scenario) Endpoint(name string) *Scenario { return &Scenario{s.state, name, s.lane} }

// Lane is the same run, whose requests are in a lane: one that gives each worker
// of a program its own script.
func (s *Scenario) Lane(name string) *Scenario { return &Scenario{s.state, s.endpoint, name} }

// Finish ends the run, checks what the scenario expects, and fails the test
// where that does not hold. The end of the test does it, too.
func (s *Scenario) Finish() { s.finish() }

// Result is what the run came to; it finishes it first.
func (s *Scenario) Result() *scenario.Result {
	s.finish()
	return s.result
}
