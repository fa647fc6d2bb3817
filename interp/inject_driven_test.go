package interp

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// An outsideTransport has a driven run answer what is asked.
type outsideTransport struct{ run *Outside }

// RoundTrip implements http.RoundTripper.
func (o outsideTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
	}
	x, err := o.run.Answer(req.Context(), Asked{Request: req, Body: body})
	if err != nil {
		return nil, err
	}
	sent := req.Clone(req.Context())
	sent.Body = io.NopCloser(bytes.NewReader(body))
	return x.Script().RoundTripWatched(wire.System(), sent, x)
}

// programAsksTwice has a program ask a service twice, which answers from a script of
// entries: what became of the service's run. The program is the interpreter, whose
// network the service is, with all policies of a client.
func programAsksTwice(t *testing.T, p service, stream bool, entries string, inject func(Point) *Injection) *Result {
	t.Helper()
	program := strings.Replace(asksTwice(p, stream, ""), "on \"twice.ask\" {\n    \n  }", "", 1)
	plans := mustCompile(t, program+fmt.Sprintf(`
scenario "the service" {
  allow = ["unused_reply", "unfired_fault"]
  on "p" {
    exhausted = "repeat_last"
    %s
  }
}`, entries))
	var result *Result
	synctest.Test(t, func(t *testing.T) {
		run := NewOutside(plans[1], OutsideOptions{Clock: wire.System(), Way: Embedded, Inject: inject})
		RunLive(plans[0], RunOptions{}, Live{Transport: outsideTransport{run}, Env: func(string) (string, bool) { return "", false }})
		result, _ = run.Finish("")
		time.Sleep(24 * time.Hour) // for what the program left
	})
	return result
}

// An injector that always answers nil changes no byte of a run that a program drives,
// whatever it asks, and is asked about each of its attempts.
func TestInjectorThatInjectsNothingIntoAProgram(t *testing.T) {
	for _, p := range services() {
		if p.piped {
			continue
		}
		entries := "fault \"timeout\" { after = \"3s\" }\n"
		for _, a := range twoAnswers[p.family] {
			entries += "reply { " + a + " }\n"
		}
		points := 0
		plain := programAsksTwice(t, p, false, entries, nil)
		asked := programAsksTwice(t, p, false, entries, func(at Point) *Injection {
			if points++; at.Address != "p" || at.N != points || at.Provider != "p" || at.Target != "p" {
				t.Errorf("%s: point %d is %+v", p.kind, points, at)
			}
			return nil
		})
		if want, got := traceOf(t, plain), traceOf(t, asked); got != want {
			t.Errorf("%s differs:\n%s", p.kind, cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
		}
		if points != 3 || asked.Injected != (Injected{}) {
			t.Errorf("%s: %d points, %+v\n%s", p.kind, points, asked.Injected, told(asked))
		}
	}
}

// Shows, for every kind of fault on every kind of provider, that what is injected into
// a run that a program drives is what a script with it is: what fails takes no answer,
// and what succeeds takes the one that it disturbed.
func TestInjectedIntoAProgramIsScripted(t *testing.T) {
	compared := 0
	for _, f := range faults.Kinds() {
		for _, p := range services() {
			for _, stream := range []bool{false, true} {
				if p.piped || !p.step(stream).Meets(f) || stream && p.family == "sql" {
					continue
				}
				what := fmt.Sprintf("%s on %s %s (stream = %t)", f.Name, p.kind, p.declared, stream)
				answers, attempt, ok := answersTo(f, p, stream)
				if !ok {
					continue // TestLies
				}
				first, second := "reply { "+answers[0]+" }\n", "reply { "+answers[1]+" }\n"
				args := f.Usual()
				injected := programAsksTwice(t, p, stream, first+second, func(at Point) *Injection {
					if at.Address != "p" || at.N != attempt || !at.Meets(f) {
						return nil
					}
					return &Injection{Fault: f, Args: args}
				})
				if stream && p.family == "http" && injected.Injected.Strikes == 0 && f.OnlyStreams() {
					continue // no request says that it wants a stream
				}
				if injected.Injected.Unfit != "" || injected.Injected.Unanswered != "" {
					t.Errorf("%s: %+v", what, injected.Injected)
					continue
				}
				inner := first
				if f.Answerless != nil && f.Answerless(args) {
					inner = ""
				}
				entries := fmt.Sprintf("fault %q {\n%s}\n", f.Name, inner)
				if ended(injected, 1) != "success" {
					entries += first
				}
				entries += second
				if attempt == 2 {
					entries = first + fmt.Sprintf("fault %q {\n%s}\n", f.Name, second)
				}
				scripted := programAsksTwice(t, p, stream, entries, nil)
				if diff := cmp.Diff(placeless(t, scripted), placeless(t, injected)); diff != "" {
					t.Errorf("%s (- scripted, + injected):\n%s", what, diff)
				}
				compared++
			}
		}
	}
	if compared < 90 {
		t.Errorf("%d were compared", compared)
	}
}

// ended is what became of the nth attempt.
func ended(r *Result, n int) string {
	i := slices.IndexFunc(r.Events, func(e trace.Event) bool { return e.Type == trace.AttemptEnd && e.Attempt == n })
	if i < 0 {
		return "no attempt"
	}
	return r.Events[i].Text("outcome")
}

// asking is a run of two services that a test asks by itself, in fake time.
func asking(t *testing.T, inject func(Point) *Injection, ask func(get func(url string) int, run *Outside)) *Result {
	t.Helper()
	plan := mustCompile(t, `
provider "http" "data" { base_url = "https://data.test" }
provider "http" "spare" { base_url = "https://spare.test" }
scenario "s" {
  on "data" {
    reply {
      body    = "one"
      latency = "5s"
      times   = "*"
    }
  }
}`)[0]
	var result *Result
	synctest.Test(t, func(t *testing.T) {
		run := NewOutside(plan, OutsideOptions{Clock: wire.System(), Way: Embedded, Patience: time.Nanosecond, Inject: inject})
		ask(func(url string) int {
			resp, err := (&http.Client{Transport: outsideTransport{run}}).Get(url)
			if err != nil {
				return 0
			}
			defer resp.Body.Close()
			_, _ = io.Copy(io.Discard, resp.Body)
			return resp.StatusCode
		}, run)
		result, _ = run.Finish("")
	})
	return result
}

func refuse(address string, n int) func(Point) *Injection {
	return func(at Point) *Injection {
		if at.Address == address && at.N == n {
			return &Injection{Fault: faults.Lookup("connection_refused"), Args: schema.Values{"reason": ""}}
		}
		return nil
	}
}

// A run is given up where a fault leads to a request that nothing answers, an endpoint
// without a script as well as a host of no provider: what is asked from then on is turned
// away. Without a fault the same is what it always was, a gate.
func TestARunIsGivenUp(t *testing.T) {
	for url, want := range map[string]string{
		"https://spare.test/":  "nothing answers attempt 1 of step \"spare\"",
		"https://nobody.test/": "is the address of no provider",
	} {
		r := asking(t, refuse("data", 1), func(get func(string) int, run *Outside) {
			if got := get("https://data.test/"); got != 0 {
				t.Errorf("the first is answered with %d", got)
			}
			if got := get(url); got != 599 {
				t.Errorf("%s is answered with %d", url, got)
			}
			select {
			case <-run.Abandoned():
			default:
				t.Errorf("%s: the run is not given up", url)
			}
			if got := get("https://data.test/"); got != 599 {
				t.Errorf("after it, %d", got)
			}
		})
		if !strings.Contains(r.Injected.Unanswered, want) {
			t.Errorf("%s: %+v", url, r.Injected)
		}
		without := asking(t, func(Point) *Injection { return nil }, func(get func(string) int, run *Outside) { get(url) })
		if without.Injected.Unanswered != "" || without.Verdict != Fail {
			t.Errorf("%s, without a fault: %+v", url, without.Injected)
		}
	}
}

// Which of two requests that overlap a fault strikes would be chance: that is ambiguous,
// as it is where a script says it, and shows nothing.
func TestInjectionsDoNotChooseByChance(t *testing.T) {
	both := func(get func(string) int, _ *Outside) {
		done := make(chan struct{})
		go func() { get("https://data.test/1"); close(done) }()
		time.Sleep(time.Second)
		get("https://data.test/2")
		<-done
	}
	if r := asking(t, refuse("data", 2), both); !strings.Contains(r.Injected.Unanswered, "decides who gets which") {
		t.Errorf("%+v", r.Injected)
	}
	if r := asking(t, refuse("data", 3), both); r.Verdict != Pass || r.Injected != (Injected{}) {
		t.Errorf("%+v: %s", r.Injected, told(r))
	}
}
