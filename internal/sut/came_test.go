package sut_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// writes, in the environment, is what makes a test the program: it writes the first part, asks, and writes the rest.
const writes = "SUT_TEST_WRITES"

// Shows that what a program writes before it has an answer is told from what it writes later.
func TestWrittenBefore(t *testing.T) {
	if said := os.Getenv(writes); said != "" {
		before, after, _ := strings.Cut(said, "|")
		fmt.Fprintln(os.Stderr, before)
		resp, err := http.Get(os.Getenv("DESK") + "/queue")
		if err != nil {
			os.Exit(9)
		}
		_ = resp.Body.Close()
		fmt.Fprintln(os.Stderr, after)
		os.Exit(0)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.scenario.hcl")
	const text = `provider "http" "desk" { base_url = "https://desk.example" }
scenario "s" {
  sut { env = { DESK = provider.desk.url } }
  on "desk" {
    reply {
      latency = "400ms"
      body    = "shipping"
    }
  }
  assert "x" { condition = strcontains(sut.stderr, "shipping") }
}
`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for said, want := range map[string]bool{
		"billing or shipping?|shipping": true,
		"billing or shipping?|billing":  true,
		"begins|shipping":               false,
	} {
		r := sut.Play(planOf(t, path), sut.Options{Command: []string{self, "-test.run=^TestWrittenBefore$"}, WorkingDir: t.TempDir(), Environment: append(os.Environ(), writes+"="+said)})
		if warned := strings.Contains(fmt.Sprint(r.Warnings), "before its first answer was over"); r.Verdict != interp.Pass || warned != want {
			t.Errorf("%q: %s %v, warned %t: %q", said, r.Verdict, r.Problems, warned, r.Warnings)
		}
	}
}

// passes, in the environment, is what makes a test the program: a server that passes the stream of a model on line
// by line, or all at once where its value is "collects".
const passes = "SUT_TEST_PASSES"

func servePassing(collects bool) error {
	l, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		return err
	}
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		resp, err := http.Post(os.Getenv("OPENAI_BASE_URL")+"/chat/completions", "application/json", strings.NewReader(`{"model": "m", "stream": true, "messages": [{"role": "user", "content": "hi"}]}`))
		if err != nil {
			return
		}
		defer func() { _ = resp.Body.Close() }()
		w.Header().Set("Content-Type", "text/event-stream")
		if collects {
			all, _ := io.ReadAll(resp.Body)
			_, _ = w.Write(all)
			return
		}
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			_, _ = fmt.Fprintln(w, lines.Text())
			_ = http.NewResponseController(w).Flush()
		}
	}))
}

// Shows that a server is told of that sends the first piece of its stream when the one that it asked for is over, and
// one that is asked for an address of its own machine while a check says that it called nobody else.
func TestUnseen(t *testing.T) {
	if how := os.Getenv(passes); how != "" {
		fmt.Fprintln(os.Stderr, servePassing(how == "collects"))
		os.Exit(9)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const (
		text = `provider "http" "front" {}
provider "openai" "llm" {}
workflow "w" {
  step "http" "ask" {
    provider = provider.front
    method   = "POST"
    path     = "/chat"
    json     = { url = "%s" }
  }
}
scenario "s" {
  run = workflow.w
  sut {
    serves = provider.front
    settle = "10ms"
  }
  on "llm" {
    reply {
      chunks      = ["Hel", "lo", "!"]
      chunk_delay = "150ms"
    }
  }
  assert "x" { condition = step.ask.status == "success" && sut.refused_hosts == [] }
}
`
		collected, own = "collected the whole answer of llm", "it was given http://127.0.0.1:9/admin"
	)
	for _, c := range []struct {
		how, url       string
		collected, own bool
	}{
		{"collects", "http://10.0.0.1/admin", true, false},
		{"line by line", "http://127.0.0.1:9/admin", false, true},
	} {
		path := filepath.Join(t.TempDir(), "a.scenario.hcl")
		if err := os.WriteFile(path, fmt.Appendf(nil, text, c.url), 0o666); err != nil {
			t.Fatal(err)
		}
		r := sut.Play(planOf(t, path), sut.Options{Command: []string{self, "-test.run=^TestUnseen$"}, WorkingDir: t.TempDir(), Environment: append(os.Environ(), passes+"="+c.how), Reach: wayTo})
		said := fmt.Sprint(r.Warnings)
		if r.Verdict != interp.Pass || strings.Contains(said, collected) != c.collected || strings.Contains(said, own) != c.own {
			t.Errorf("%s: %s %v: %q", c.how, r.Verdict, r.Problems, r.Warnings)
		}
	}
}
