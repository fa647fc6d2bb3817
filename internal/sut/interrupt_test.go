package sut_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// What makes a test the program that is interrupted: what it does, and where it says that
// it has come to it.
const (
	halting   = "SUT_TEST_HALTING"
	haltingAt = "SUT_TEST_HALTING_AT"
)

// halt is the program: it comes to where it is interrupted, says so, and does nothing
// more. It does not return.
func halt(what string) {
	here := func() {
		c, err := net.Dial("tcp", os.Getenv(haltingAt))
		if err != nil {
			os.Exit(9)
		}
		_, _ = io.Copy(io.Discard, c) // until it is ended, or the test is over
	}
	pages := 0
	handler := http.NewServeMux()
	handler.HandleFunc("/metrics", func(w http.ResponseWriter, r *http.Request) {
		if pages++; what == "first page" || what == "last page" && pages == 2 {
			here()
		}
		if what == "half a page" {
			fmt.Fprint(w, "a 1\n")
			w.(http.Flusher).Flush()
			here()
		}
		fmt.Fprint(w, "a 1\n")
	})
	handler.HandleFunc("/ready", func(http.ResponseWriter, *http.Request) { here() })
	handler.HandleFunc("/ask", func(http.ResponseWriter, *http.Request) {
		if what == "asked" {
			here()
		}
	})
	switch what {
	case "waits":
		here()
	case "stays":
		terms := make(chan os.Signal, 1)
		signal.Notify(terms, syscall.SIGTERM)
		fmt.Println("ready")
		<-terms
		here()
	}
	fmt.Println(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), handler))
	os.Exit(9)
}

// A plainWay asks a program as the command does, with a connection for each request.
type plainWay struct {
	http.RoundTripper
	addresses []string
}

func (w plainWay) Refusals(ctx context.Context) []string {
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", w.addresses[0])
	if err != nil {
		return []string{err.Error()}
	}
	c.Close()
	return nil
}

// Shows that an interrupt ends a run within a second, whatever it waits for: the program
// at each moment of its life, its page of metrics, its answers, and the end of one that
// does not end when it is asked to. The programs are real ones, and each would take
// longer by far; one of five tries is enough, for a machine that is busy.
func TestInterruptedWithinASecond(t *testing.T) {
	if what := os.Getenv(halting); what != "" {
		halt(what)
	}
	if runtime.GOOS == "windows" {
		t.Skip("programs are ended at once, without being asked")
	}
	const asks = `
  run = workflow.ask
`
	for name, c := range map[string]struct{ program, sut, drives string }{
		"before it is ready":                   {"waits", `ready { log = "never" }`, ""},
		"asked whether it is ready":            {"serves", "serves = provider.app\n    ready { path = \"/ready\" }", asks},
		"its page is read when it is ready":    {"first page", "serves  = provider.app\n    metrics = \"/metrics\"", asks},
		"its page has begun":                   {"half a page", "serves  = provider.app\n    metrics = \"/metrics\"", asks},
		"while it runs":                        {"waits", ``, ""},
		"until a condition holds":              {"waits", `until = sut.exit_code == 0`, ""},
		"its answer is waited for":             {"asked", `serves = provider.app`, asks},
		"its page is read before it is judged": {"last page", "serves  = provider.app\n    metrics = \"/metrics\"", asks},
		"it is asked to end and does not":      {"stays", "until        = sut.ready_ms > 0\n    stop_timeout = \"50s\"\n    ready { log = \"ready\" }", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := t.TempDir() + "/a.scenario.hcl"
			text := `provider "http" "app" {}

workflow "ask" {
  step "http" "ask" {
    provider = provider.app
    path     = "/ask"
  }
}

scenario "s" {` + c.drives + `
  sut {
    telemetry = false
    timeout   = "50s"
    ` + c.sut + `
  }
  assert "it is ready" { condition = sut.ready_ms >= 0 }
}
`
			if c.drives == "" {
				text = text[strings.Index(text, "scenario \"s\""):]
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			var took []time.Duration
			for range 5 {
				took = append(took, interruptedAfter(t, planOf(t, path), c.program))
				if took[len(took)-1] <= time.Second {
					return
				}
			}
			t.Errorf("it took %s to end", took)
		})
	}
}

// interruptedAfter is how long a run takes to end when it is interrupted where the
// program has come to its place.
func interruptedAfter(t *testing.T, p *interp.Plan, program string) time.Duration {
	t.Helper()
	at, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	interrupt, came := make(chan struct{}), make(chan time.Time, 1)
	go func() {
		defer close(interrupt)
		c, err := at.Accept()
		if err != nil {
			return
		}
		t.Cleanup(func() { c.Close() })
		came <- time.Now()
	}()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := sut.Play(p, sut.Options{
		Command: []string{self, "-test.run=^TestInterruptedWithinASecond$"}, WorkingDir: t.TempDir(), Interrupt: interrupt,
		Environment: append(os.Environ(), halting+"="+program, haltingAt+"="+at.Addr().String()),
		Reach:       func(addresses []string) sut.Way { return plainWay{&http.Transport{DisableKeepAlives: true}, addresses} },
	})
	select {
	case since := <-came:
		return time.Since(since)
	default:
		t.Fatalf("it ended before: %s %+v", r.Verdict, r.Problems)
		return 0
	}
}
