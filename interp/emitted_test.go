package interp

import (
	"io"
	"net/http"
	"strconv"
	"testing"

	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// unemitted are the attributes of events that no scenario of the suite shows,
// each with where they come from.
var unemitted = reasons(map[string][]string{
	"a file that passes cannot be defective": {
		"defect", "defect.file", "defect.line", "defect.message", "defect.range",
	},
	"a bench that goes on after an interruption": {
		"case_end.kept",
	},
	"an input that is null": {
		"run_start.nulls",
	},
	"a run that ends while an exchange is under way": {
		"attempt_end.fault_pending",
	},
	"a handshake with a server that fails": {
		"message.after_retries", "message.category", "message.cause", "message.chain", "message.doing", "message.error_type",
		"message.kind", "message.message", "message.mode", "message.partial", "message.retry_after_ns", "message.retryable",
		"message.rule", "message.severity", "message.sqlstate", "message.stack", "message.stage", "message.terminal",
	},
	"a failure of an actor is of the same type as one of a step, and has fewer parts": {
		"session_end.after_retries", "session_end.chain", "session_end.doing", "session_end.retry_after_ns",
		"session_end.stack", "session_end.stage", "route.after_retries", "route.retry_after_ns", "route.stack",
	},
})

// drivenRun is a run of a scenario by a program that asks twice over one
// connection, calls a stranger, sends what is no request and is stopped.
func drivenRun(t *testing.T) *Result {
	t.Helper()
	p := compileAt(t, "driven.scenario.hcl", `
provider "http" "p" { base_url = "https://orders.test" }
endpoint "orders" {
  provider = provider.p
  lane     = request.path
}
scenario "s" {
  on "orders" {
    fault "http_error" { status_code = 503 }
    reply { body = "x" }
  }
  expect "orders" { status = "success" }
  allow = ["unlisted_host"]
}
`)[0]
	o := NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec})
	o.Started(8080)
	o.Ready()
	o.Noted(Trouble{Status: http.StatusBadRequest, Message: "no request"})
	stranger, err := http.NewRequest(http.MethodGet, "https://other.test/", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Answer(t.Context(), Asked{Request: stranger}); err != nil {
		t.Fatal(err)
	}
	asks, err := http.NewRequest(http.MethodOptions, "https://orders.test/7", nil)
	if err != nil {
		t.Fatal(err)
	}
	if x, err := o.Answer(t.Context(), Asked{Request: asks, Connection: 1}); err != nil {
		t.Fatal(err)
	} else {
		x.End(false)
	}
	for i := range 2 {
		req, err := http.NewRequest(http.MethodGet, "https://orders.test/7", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Idempotency-Key", "k")
		req.Header.Set("X-Stainless-Retry-Count", strconv.Itoa(i))
		req.Header.Set("Traceparent", "00-3f2c9a7e51b84d06a1e7c05d9b64f218-a40d6e13b9572c8f-01")
		req.Header.Set("Content-Encoding", "br")
		x, err := o.Answer(t.Context(), Asked{Request: req, Body: []byte("\x0b\x02\x80hello\x03"), Connection: 1, Reused: i > 0})
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 { // something else comes before it is said to have been given out
			gives(x)
			o.Noted(Trouble{Status: http.StatusBadRequest, Message: "no request"})
			x.Served(wire.Served{Sent: len(x.Script().Bytes()), Status: http.StatusOK, By: wire.ByServer})
			continue
		}
		resp, err := x.Script().RoundTripWatched(wire.System(), req, x)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	code := 0
	for _, end := range []ProgramEnd{{Signal: "terminated", Stopped: true, Ran: 1}, {Code: &code, Ran: 1, Stdout: "said", Stderr: "wrong"}} {
		o.ProgramEnded(end)
	}
	r, _ := o.Finish("")
	if r.Verdict != Pass {
		t.Fatalf("%v", r.Problems)
	}
	return r
}

// What the reference says that an event has, some event has: the suite emits
// every attribute of every type of event, or it stands above with what does.
func TestEveryAttributeIsEmitted(t *testing.T) {
	seen := map[string]bool{}
	look := func(r *Result) {
		for i := range r.Events {
			e := &r.Events[i]
			seen[string(e.Type)] = true
			for _, a := range e.Attrs() {
				seen[string(e.Type)+"."+a.Key] = true
			}
		}
	}
	for _, file := range suiteFiles(t) {
		for _, p := range compileFile(t, file) {
			look(Run(p, RunOptions{}))
		}
	}
	look(drivenRun(t))
	listed := map[string]bool{}
	for _, info := range EventTypes() {
		for _, a := range append([]trace.AttrInfo{{}}, info.Attrs...) {
			name := string(info.Type)
			if a.Name != "" {
				name += "." + a.Name
			}
			listed[name] = true
			switch why, excused := unemitted[name]; {
			case !seen[name] && !excused:
				t.Errorf("no scenario of the suite emits %s: add one that does, or take it out of interp/internal/event", name)
			case seen[name] && excused:
				t.Errorf("%s is emitted: it needs no excuse (%q)", name, why)
			}
		}
	}
	for name := range unemitted {
		if !listed[name] {
			t.Errorf("there is no attribute %s", name)
		}
	}
}
