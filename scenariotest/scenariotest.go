package scenariotest

import (
	"context"
	"fmt"
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

// patience is how long a client may take to be seen leaving where time is real.
const patience = 50 * time.Millisecond

// Run makes a subtest of every scenario of a file, or of all files below a
// directory, and calls f in it; -run selects among them. The path is as the test
// sees it. A file that is invalid fails the test with all that is wrong with it,
// and a scenario that Go code cannot drive is skipped with the reason.
func Run(t *testing.T, path string, f func(t *testing.T, s *Scenario), list ...Option) {
	t.Helper()
	o := optionsOf(t, "Run", list)
	if f == nil {
		t.Fatal(noFunction("Run", "func(t *testing.T, s *scenariotest.Scenario)"))
	}
	outside(t, "Run")
	for _, sc := range load(t, path, o).Scenarios() {
		t.Run(sc.Name(), func(t *testing.T) {
			t.Helper()
			if why := sc.CanDrive(); why != "" {
				t.Skip(why)
			}
			body := func(t *testing.T) { f(t, begin(t, sc, o)) }
			if o.real {
				body(t)
				return
			}
			bubble(t, o.at, body)
		})
	}
}

// New begins the scenario of a name in a test that has a bubble of its own, or
// runs in real time with [Real]. It is judged when the test ends. A goroutine that
// the test leaves blocked in its bubble is reported then; testing/synctest ends the
// process after that, as it does for any bubble that [Run] did not make.
func New(t *testing.T, path, name string, list ...Option) *Scenario {
	t.Helper()
	o := optionsOf(t, "New", list)
	if !o.real && !inBubble() {
		t.Fatal("New needs a bubble: call it inside synctest.Test(t, …), or give it Real(); Run does it for you")
	}
	suite := load(t, path, o)
	sc := suite.Scenario(name)
	if sc == nil {
		t.Fatal(noScenario(path, name, suite))
	}
	if why := sc.CanDrive(); why != "" {
		t.Skip(why)
	}
	s := begin(t, sc, o)
	s.alone = !o.real
	return s
}

// bubble runs a test in a bubble. What is left in it at the end would end the
// whole process; here it fails the test.
func bubble(t *testing.T, at string, body func(t *testing.T)) {
	defer func() {
		if p := recover(); p != nil {
			if err := blocked(p); err != nil {
				fails(t, at, fmt.Sprintf(leftText, err))
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
	at     string // where the test calls this package
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
	// finishing says that the run is being judged.
	finishing bool
	once      sync.Once
	result    *scenario.Result
}

// begin begins a run, which ends with the test.
func begin(t *testing.T, sc *scenario.Scenario, o *options) *Scenario {
	s := &state{t: t, at: o.at, real: o.real, reported: map[string]bool{}, judged: &searched.Run{}}
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
// are in the result alone. Those that the end of the run breaks are told with its result.
func (s *state) report(p scenario.Problem, _ int) {
	text := p.String()
	s.mu.Lock()
	known := s.reported[text] || s.finishing
	if !s.finishing {
		s.reported[text] = true
	}
	s.mu.Unlock()
	if !known {
		fails(s.t, s.at, text)
	}
}

// day is enough fake time for all timers that a client leaves behind.
const day = 24 * time.Hour

// finish judges the run, and gives what is left of clients its time.
func (s *state) finish() {
	s.once.Do(func() {
		s.judging(true)
		s.result = s.driven.Finish()
		s.judging(false)
		if s.search != nil {
			_ = wire.System().Sleep(context.Background(), day)
			return
		}
		for _, w := range s.driven.Warnings() {
			logs(s.t, s.at, "warning: "+w)
		}
		for i := range s.judged.Result.Relaxed {
			logs(s.t, s.at, relaxed(&s.judged.Result.Relaxed[i]))
		}
		if s.result.Verdict() != scenario.Passed {
			for _, text := range unasked(s.judged.Outside) {
				fails(s.t, s.at, text)
			}
		}
		for _, p := range s.result.Problems() {
			if s.fresh(p.String()) {
				fails(s.t, s.at, p.String())
			}
		}
		if !s.real {
			_ = wire.System().Sleep(context.Background(), day)
		}
	})
}

// judging says whether the run is being judged.
func (s *state) judging(is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finishing = is
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
		fails(s.t, s.at, fmt.Sprintf(leftText, left))
	}
}

// leftText says which goroutines are left.
const leftText = "left_running: goroutines of the test were still blocked when it had ended: %v\nhint: close what they wait for, or end them with t.Context()"

// open fails a test that is over and has connections of a run that is not.
func (s *state) open() {
	if left := s.connections(); left != "" {
		fails(s.t, s.at, "left_running: "+left)
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
