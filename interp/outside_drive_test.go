package interp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// A served program is a server in the test: it asks llm.test as often as it is told
// before it answers, and needs a second for itself.
type served struct {
	run   *Outside
	asks  int
	quits bool // at the first answer that is not good
}

// RoundTrip implements http.RoundTripper.
func (p *served) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	if err := wire.System().Sleep(ctx, time.Second); err != nil {
		return nil, err
	}
	status := http.StatusOK
	for range p.asks {
		code, err := p.ask(ctx)
		if err != nil {
			return nil, err
		}
		if code != http.StatusOK && p.quits {
			status = http.StatusBadGateway
			break
		}
	}
	return &http.Response{StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}")), Request: req}, nil
}

func (p *served) ask(ctx context.Context) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://data.test/7", nil)
	if err != nil {
		return 0, err
	}
	x, err := p.run.Answer(ctx, Asked{Request: req})
	if err != nil {
		return 0, err
	}
	resp, err := x.Script().RoundTripWatched(wire.System(), req, x)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, err
}

// drivenServer is what became of a scenario whose program is a server in the
// test, in fake time.
func drivenServer(t *testing.T, scenario string, p *served, meanwhile func(*Outside)) *Result {
	t.Helper()
	plan := compileAt(t, "served.scenario.hcl", `
provider "http" "app" {}
provider "http" "data" { base_url = "https://data.test" }
retry "exponential" "again" {
  max_retries = 2
  base        = "2s"
  jitter      = 0
  retry_on    = ["5xx"]
}
workflow "w" {
  step "http" "question" {
    provider = provider.app
    path     = "/q"
    retry    = retry.again
  }
}
scenario "s" {
  sut { serves = provider.app }
`+scenario+"\n}\n")[0]
	var result *Result
	synctest.Test(t, func(*testing.T) {
		p.run = NewOutside(plan, OutsideOptions{Clock: wire.System(), Way: Exec})
		p.run.Started(1)
		time.Sleep(3 * time.Second)
		p.run.Ready()
		var others sync.WaitGroup
		if meanwhile != nil {
			others.Go(func() { meanwhile(p.run) })
		}
		p.run.Drive(DriveOptions{BaseURL: "http://127.0.0.1:1", Transport: p})
		others.Wait()
		result, _ = p.run.Finish("")
	})
	return result
}

// happened are the events of a run, without those of ends that follow from others.
func happened(r *Result) string {
	var lines []string
	for _, e := range r.Events {
		var says struct{ Outcome, Status string }
		if err := json.Unmarshal(e.AppendJSON(nil), &says); err != nil {
			return err.Error()
		}
		lines = append(lines, strings.Join(strings.Fields(fmt.Sprint(e.At, " ", e.Step, " ", e.Type, " ", says.Outcome, " ", says.Status)), " "))
	}
	return strings.Join(lines, "\n")
}

func problems(r *Result) string {
	var list []string
	for _, p := range r.Problems {
		list = append(list, p.Kind+" "+p.Name+": "+p.Message)
	}
	return strings.Join(list, "\n")
}

// Shows that a workflow which asks a server and what that asks in turn are one
// run: one trace in the order in which things happened, with one start and one
// end, whose conditions read both sides, its policies included.
func TestDrivingIsOneRun(t *testing.T) {
	r := drivenServer(t, `
  run = workflow.w
  on "data" {
    fault "http_error" { status_code = 503 }
    reply {
      body    = "x"
      latency = "250ms"
    }
  }
  expect "question" {
    retries = 1
    status  = "success"
  }
  assert "both sides" {
    condition = step.question.attempts[0].status_code == 502 && endpoint.data.attempts[0].status_code == 503 && length(steps) == 1
  }
  assert "its target is observed" { condition = length(target.app.attempts) == 2 }
  invariant "the program asks while it is asked" {
    condition = length(endpoint.data.attempts) <= length(step.question.attempts)
  }
`, &served{asks: 1, quits: true}, nil)
	if r.Verdict != Pass {
		t.Errorf("%s:\n%s", r.Verdict, problems(r))
	}
	if len(r.Unseen) > 0 || len(r.Invariants) != 1 || r.Invariants[0].Evaluated < 10 {
		t.Errorf("not observed: %v, invariants: %v", r.Unseen, r.Invariants)
	}
	want := `
0s run_start
0s sut_start
3s sut_ready
3s question step_start
3s question attempt_start
4s data step_start
4s data attempt_start
4s data fault
4s data failure
4s data attempt_end failure
4s question failure
4s question attempt_end failure
4s question retry_wait
6s question attempt_start
7s data attempt_start
7.25s data attempt_end success
7.25s question attempt_end success
7.25s question step_end success
7.25s data step_end success
7.25s run_end success`
	if got := happened(r); got != strings.TrimSpace(want) {
		t.Errorf("the trace is\n%s", got)
	}
	again, err := Judge(r.Plan, r.Events)
	if err != nil || again.Verdict != Pass || len(again.Problems) > 0 {
		t.Errorf("judged again by its trace: %v, %v", again, err)
	}
}

// Shows that at and after count from the instant at which the server is ready,
// and that an event which waits for what the program did cancels what asks it.
func TestDrivingBlocks(t *testing.T) {
	r := drivenServer(t, `
  on "data" {
    fault "http_error" { status_code = 503 }
    reply {
      body    = "x"
      latency = "1h"
    }
    reply { body = "y" }
  }
  call "first" {
    target    = provider.app
    arguments = { path = "/q" }
    at        = "2s"
  }
  call "second" {
    target    = provider.app
    arguments = { path = "/q" }
    after     = call.never
  }
  call "never" {
    target    = provider.app
    arguments = { path = "/q" }
    at        = "5s"
  }
  event "enough" {
    when   = length(endpoint.data.attempts) > 1
    cancel = call.never
  }
  expect "first" { started_ms = 5000 }
  expect "never" { status = "cancelled" }
  expect "second" {
    started_ms = 9000
    status     = "success"
  }
`, &served{asks: 1}, nil)
	if r.Verdict != Pass {
		t.Errorf("%s:\n%s\n%s", r.Verdict, problems(r), happened(r))
	}
}

// Shows that what drives can be stopped, before it began and in the middle, and
// says why.
func TestStopDriving(t *testing.T) {
	for name, c := range map[string]struct {
		when func(*Outside)
		want string
	}{
		"before": {func(o *Outside) { o.StopDriving("enough"); o.StopDriving("too late") }, "3s run_end cancelled"},
		"in the middle": {func(o *Outside) {
			time.Sleep(500 * time.Millisecond)
			o.StopDriving("enough")
		}, "3.5s run_end cancelled"},
	} {
		t.Run(name, func(t *testing.T) {
			r := drivenServer(t, "  run = workflow.w\n  expect \"question\" { retries = 0 }", &served{}, c.when)
			if got := happened(r); !strings.HasSuffix(got, c.want) {
				t.Errorf("the trace is\n%s", got)
			}
			if got := problems(r); !strings.Contains(got, "cancelled: enough") {
				t.Errorf("the problems are\n%s", got)
			}
		})
	}
}

// Shows that requests of the program and the tasks that ask it take turns: under
// the race detector, with eight of each, every request is answered and the trace
// is in order.
func TestDrivingTakesTurns(t *testing.T) {
	var calls strings.Builder
	for i := range 8 {
		fmt.Fprintf(&calls, "  call \"c%d\" {\n    target    = provider.app\n    arguments = { path = \"/%[1]d\" }\n  }\n", i)
	}
	p := &served{asks: 8}
	r := drivenServer(t, calls.String()+`
  on "data" {
    reply {
      body  = "x"
      times = 128
    }
  }
  expect "data" { status = "success" }
`, p, func(o *Outside) {
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				for range 8 {
					if code, err := p.ask(context.Background()); err != nil || code != http.StatusOK {
						t.Errorf("%d, %v", code, err)
					}
				}
			})
		}
		group.Wait()
	})
	if r.Verdict != Pass {
		t.Errorf("%s:\n%s", r.Verdict, problems(r))
	}
	var last time.Duration
	for i, e := range r.Events {
		if e.At < last || e.Seq != uint64(i+1) {
			t.Fatalf("event %d is number %d at %s, after one at %s", i, e.Seq, e.At, last)
		}
		last = e.At
	}
	if n := countOf(r.Events, "attempt_end"); n != 8+128 {
		t.Errorf("%d attempts ended", n)
	}
}

func countOf(events []trace.Event, kind trace.Type) int {
	n := 0
	for _, e := range events {
		if e.Type == kind {
			n++
		}
	}
	return n
}
