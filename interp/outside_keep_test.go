package interp

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/wire"
)

const endless = `
provider "http" "data" { base_url = "https://data.test" }
scenario "s" {
  on "data" {
    exhausted = "repeat_last"
    fault "http_error" {
      status_code = 503
      times       = 2
    }
    reply { body = "x" }
  }
  expect "run" { status = "success" }
}
`

// askNumbered asks for /N, and reads the answer to its end.
func askNumbered(t *testing.T, run *Outside, n int) {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, fmt.Sprintf("https://data.test/%d", n), nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := run.Answer(req.Context(), Asked{Request: req, Connection: n + 1})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := x.Script().RoundTripWatched(wire.System(), req, x)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
}

// Shows that a run without an end of its own remembers the newest exchanges, says
// that it does, and counts all of them; and that its memory does not grow.
func TestLongRunForgets(t *testing.T) {
	plan := compileAt(t, "endless.scenario.hcl", endless)[0]
	const keep, last = 50, 10_049 // about to forget, if it were at twice as many
	synctest.Test(t, func(t *testing.T) {
		run := NewOutside(plan, OutsideOptions{Clock: wire.System(), Way: Serve, Keep: keep})
		heap := func() uint64 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		n := 0
		upTo := func(last int) {
			for ; n < last; n++ {
				askNumbered(t, run, n)
				time.Sleep(time.Second)
			}
		}
		upTo(1000)
		early := heap()
		upTo(last)
		if late := heap(); late > early+1<<20 {
			t.Errorf("the heap grew from %d to %d bytes in the exchanges after the first thousand", early, late)
		}
		result, seen := run.Finish("")
		if result.Verdict != Pass {
			t.Errorf("verdict %s: %v", result.Verdict, result.Problems)
		}
		numbers := map[string]float64{
			"length(endpoint.data.calls)":                                 0,
			"endpoint.data.connections":                                   last,
			"endpoint.data.attempts[0].n":                                 0,
			"reverse(endpoint.data.attempts)[0].n":                        last,
			"length(endpoint.data.lanes)":                                 1,
			"length(events({ type = \"attempt_end\", step = \"data\" }))": 0,
		}
		for expr, want := range numbers {
			v, err := seen.Value(expr)
			if err != nil {
				t.Fatalf("%s: %v", expr, err)
			}
			got, _ := v.AsBigFloat().Float64()
			switch {
			case want > 0 && got != want:
				t.Errorf("%s = %v, want %v", expr, got, want)
			case want == 0 && strings.HasPrefix(expr, "length") && (got < keep || got > keep+keep/4+1):
				t.Errorf("%s = %v, want %d to %d", expr, got, keep, keep+keep/4+1)
			case want == 0 && strings.HasSuffix(expr, ".n") && got < last-keep-keep/4:
				t.Errorf("%s = %v, which is older than the newest %d", expr, got, keep+keep/4)
			}
		}
		if v, err := seen.Value("endpoint.data.status"); err != nil || v.Type() != cty.String || v.AsString() != "success" {
			t.Errorf("status %v, %v", v, err)
		}
		if w := strings.Join(run.Warnings(), "\n"); !strings.Contains(w, "oldest") {
			t.Errorf("nothing says that exchanges were forgotten: %q", w)
		}
	})
}

// Shows that attempts which began long ago and are under way are remembered, with
// what becomes of them, and that those after them are forgotten all the same.
func TestWhatIsUnderWayIsNotForgotten(t *testing.T) {
	plan := compileAt(t, "endless.scenario.hcl", strings.Replace(endless, `fault "http_error" {
      status_code = 503
      times       = 2
    }`, `fault "timeout" {}`, 1))[0]
	synctest.Test(t, func(t *testing.T) {
		run := NewOutside(plan, OutsideOptions{Clock: wire.System(), Way: Serve, Keep: 10})
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan struct{})
		go func() {
			defer close(left)
			req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "https://data.test/slow", nil)
			x, err := run.Answer(ctx, Asked{Request: req})
			if err == nil {
				_, err = x.Script().RoundTripWatched(wire.System(), req, x)
			}
			if err == nil {
				t.Error("the silence was answered")
			}
		}()
		synctest.Wait()
		for n := range 200 {
			askNumbered(t, run, n)
			time.Sleep(time.Second)
		}
		leave()
		<-left
		_, seen := run.Finish("")
		if v, err := seen.Value("length([for a in endpoint.data.attempts : a if a.fault == \"timeout\" && a.outcome == \"failure\" && a.n == 1])"); err != nil || !v.RawEquals(cty.NumberIntVal(1)) {
			t.Errorf("%#v, %v", v, err)
		}
		if v, err := seen.Value("length(endpoint.data.attempts)"); err != nil || v.LessThan(cty.NumberIntVal(25)).False() {
			t.Errorf("%#v attempts are remembered, %v", v, err)
		}
	})
}

// Shows that whoever asks cannot open lanes without end: one too many breaks a gate,
// and those that there are go on.
func TestLanesAreBounded(t *testing.T) {
	run := NewOutside(compileAt(t, "endless.scenario.hcl", endless)[0], OutsideOptions{Clock: wire.System(), Way: Serve, Keep: 10})
	status := func(lane int) int {
		req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "https://data.test/", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(HeaderLane, fmt.Sprint(lane))
		x, err := run.Answer(req.Context(), Asked{Request: req})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := x.Script().RoundTripWatched(wire.System(), req, x)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		return resp.StatusCode
	}
	for lane := range 10_000 {
		if got := status(lane); got != 503 {
			t.Fatalf("lane %d: %d", lane, got)
		}
	}
	if got := status(10_000); got != 599 {
		t.Errorf("one lane too many: %d", got)
	}
	if got := status(7); got != 503 {
		t.Errorf("a lane that there is: %d", got)
	}
}
