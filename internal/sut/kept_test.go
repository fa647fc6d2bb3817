package sut_test

import (
	"context"
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

// gateway, in the environment, is what makes a test the program: a server that asks a model and passes what it
// says on, or nothing where its value is "alone".
const gateway = "SUT_TEST_GATEWAY"

// nearby is the way to a server at an address of this machine.
type nearby struct {
	http.RoundTripper
	address string
}

func wayTo(addresses []string) sut.Way {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", addresses[0])
	}
	return nearby{&http.Transport{DialContext: dial}, addresses[0]}
}

// Refusals implements sut.Way.
func (n nearby) Refusals(ctx context.Context) []string {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", n.address)
	if err != nil {
		return []string{err.Error()}
	}
	_ = c.Close()
	return nil
}

func serveGateway(asks bool) error {
	l, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		return err
	}
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		if !asks {
			_, _ = io.WriteString(w, "hello")
			return
		}
		resp, err := http.Post(os.Getenv("OPENAI_BASE_URL")+"/chat/completions", "application/json", strings.NewReader(`{"model": "m", "stream": true, "messages": [{"role": "user", "content": "hi"}]}`))
		if err != nil {
			return
		}
		defer func() { _ = resp.Body.Close() }()
		all, _ := io.ReadAll(resp.Body)
		_, _ = w.Write(all)
	}))
}

// Shows that a limit on the silence of a server is told of where all that it asks streams to its end within that
// limit, and not where that takes longer, nothing streams, or it asks nobody.
func TestKept(t *testing.T) {
	if how := os.Getenv(gateway); how != "" {
		fmt.Fprintln(os.Stderr, serveGateway(how != "alone"))
		os.Exit(9)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const pieces = `chunks = ["Hel", "lo"]`
	for name, c := range map[string]struct {
		how, step, reply string
		warned           string
	}{
		"collected in time":     {"asks", `first_byte_timeout = "10s"`, pieces, `first_byte_timeout = "10s"`},
		"silence in time":       {"asks", `idle_timeout = "10s"`, pieces, `idle_timeout = "10s"`},
		"the shorter of both":   {"asks", "first_byte_timeout = \"20s\"\n idle_timeout = \"10s\"", pieces, `idle_timeout = "10s"`},
		"the step streams":      {"asks", "stream = true\n first_byte_timeout = \"10s\"", pieces, `first_byte_timeout = "10s"`},
		"longer than the limit": {"asks", `first_byte_timeout = "10s"`, "latency = \"20s\"\n " + pieces, ""},
		"another limit":         {"asks", `timeout = "30s"`, pieces, ""},
		"nobody is asked":       {"alone", "stream = true\n first_byte_timeout = \"10s\"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.scenario.hcl")
			script, scale := "", 1
			if strings.Contains(c.reply, "latency") {
				scale = 40
			}
			if c.reply != "" {
				script = "on \"llm\" {\n reply {\n " + c.reply + "\n }\n }"
			}
			text := fmt.Sprintf("provider \"http\" \"front\" {}\nprovider \"openai\" \"llm\" {}\nworkflow \"w\" {\n step \"http\" \"ask\" {\n provider = provider.front\n path = \"/chat\"\n %s\n }\n}\nscenario \"s\" {\n run = workflow.w\n sut {\n serves = provider.front\n time_scale = %d\n }\n %s\n expect \"ask\" { status = \"success\" }\n}\n", c.step, scale, script)
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			r := sut.Play(planOf(t, path), sut.Options{Command: []string{self, "-test.run=^TestKept$"}, WorkingDir: t.TempDir(), Environment: append(os.Environ(), gateway+"="+c.how), Reach: wayTo})
			said := fmt.Sprint(r.Warnings)
			if warned := strings.Contains(said, "a server that collects the whole answer"); r.Verdict != interp.Pass || warned != (c.warned != "") || !strings.Contains(said, c.warned) {
				t.Errorf("%s %v, warned %t: %q", r.Verdict, r.Problems, warned, r.Warnings)
			}
		})
	}
}
