package clients

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/scenario-lang/scenario/scenariotest"
)

// explorations are programs around the library of OpenAI for Go, with its own retries, and
// what has to be found of each, nothing of one that is right.
var explorations = map[string]struct {
	find    string
	program func(ctx context.Context, t testing.TB, h *http.Client) error
}{
	"right": {"", func(ctx context.Context, _ testing.TB, h *http.Client) error {
		_, err := answered(ctx, client4(h, option.WithRequestTimeout(10*time.Second)))
		return err
	}},
	"hasty": {"a program asks again no sooner than the answer allows", func(ctx context.Context, _ testing.TB, h *http.Client) error {
		_, err := answered(ctx, client4(h, option.WithRequestTimeout(10*time.Second), option.WithMiddleware(forgetWait)))
		return err
	}},
	"patient": {"deadlock", func(ctx context.Context, _ testing.TB, h *http.Client) error {
		_, err := answered(ctx, client4(h))
		return err
	}},
	"stubborn": {"a program does not repeat what cannot succeed", func(ctx context.Context, _ testing.TB, h *http.Client) error {
		_, err := answered(ctx, client4(h, option.WithRequestTimeout(10*time.Second), option.WithMiddleware(mistake)))
		return err
	}},
	"trusting": {"the answer was cut", streams(false)},
	"greedy":   {"a program repeats what may have had an effect under a key", orders()},
	"whole":    {"", streams(true)},
	"careful":  {"", orders(option.WithMaxRetries(0))},
}

// mended are the right programs that ask for the same as wrong ones, where that is not
// "right".
var mended = map[string]string{"trusting": "whole", "greedy": "careful"}

// streams asks for a stream. A careful reader takes one for whole by its last chunk.
func streams(careful bool) func(context.Context, testing.TB, *http.Client) error {
	return func(ctx context.Context, t testing.TB, h *http.Client) error {
		c, text, whole := client4(h, option.WithRequestTimeout(10*time.Second)), "", false
		events := c.Chat.Completions.NewStreaming(ctx, asked)
		defer events.Close()
		for events.Next() {
			if e := events.Current(); len(e.Choices) > 0 {
				text += e.Choices[0].Delta.Content
				whole = whole || e.Choices[0].FinishReason == "stop"
			}
		}
		if err := events.Err(); err != nil {
			return err
		}
		if careful && !whole {
			return errors.New("the answer is not whole")
		}
		if text != "" && !strings.HasSuffix(text, ".") {
			t.Errorf("the answer was cut: %q", text)
		}
		return nil
	}
}

// orders asks, and then orders, again and again unless it is told not to.
func orders(options ...option.RequestOption) func(context.Context, testing.TB, *http.Client) error {
	return func(ctx context.Context, _ testing.TB, h *http.Client) error {
		c := client4(h, option.WithRequestTimeout(10*time.Second))
		if _, err := answered(ctx, c); err != nil {
			return err
		}
		var out struct{ Order int }
		return c.Post(ctx, "orders", map[string]any{"text": "so"}, &out, append(options, option.WithBaseURL("https://shop.example/"))...)
	}
}

var asked = openai.ChatCompletionNewParams{Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("why?")}}

// client4 is a client that makes four attempts.
func client4(h *http.Client, options ...option.RequestOption) openai.Client {
	return openai.NewClient(append(options, option.WithHTTPClient(h), option.WithAPIKey("x"), option.WithMaxRetries(3))...)
}

// answered asks for an answer that came to its end.
func answered(ctx context.Context, c openai.Client, options ...option.RequestOption) (string, error) {
	r, err := c.Chat.Completions.New(ctx, asked, options...)
	if err != nil {
		return "", err
	}
	if len(r.Choices) == 0 || r.Choices[0].FinishReason != "stop" {
		return "", errors.New("the answer is not whole")
	}
	return r.Choices[0].Message.Content, nil
}

// mistake takes a request that is wrong for a server that is busy.
func mistake(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	resp, err := next(r)
	if resp != nil && resp.StatusCode == http.StatusBadRequest {
		resp.StatusCode = http.StatusServiceUnavailable
	}
	return resp, err
}

// readable takes an answer that cannot be read for none, so that the library asks again.
func readable(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	resp, err := next(r)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	if !json.Valid(body) || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		return nil, errors.New("the answer is unreadable")
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// forgetWait hides from the library how long a server wants it to wait.
func forgetWait(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	resp, err := next(r)
	if resp != nil {
		resp.Header.Del("Retry-After")
	}
	return resp, err
}

// shuffled asks and orders in a sequence that it draws by lot, and is wrong in one of the two.
func shuffled(ctx context.Context, t testing.TB, h *http.Client) error {
	c := client4(h, option.WithRequestTimeout(10*time.Second))
	ask := func() error { _, err := answered(ctx, c); return err }
	order := func() error {
		var out struct{ Order int }
		return c.Post(ctx, "orders", map[string]any{"text": "so"}, &out, option.WithBaseURL("https://shop.example/"), option.WithMaxRetries(0))
	}
	if rand.IntN(2) == 0 {
		return errors.Join(ask(), order())
	}
	err := order()
	if err != nil {
		t.Error("nothing was asked yet")
	}
	return errors.Join(err, ask())
}

// modelled are programs beside the workflow of modelled.scenario.hcl, and what is told of
// each that does otherwise.
var modelled = map[string]struct {
	options  []option.RequestOption
	hopeless bool // nothing stands in for an answer that fails
	want     string
}{
	"right":    {},
	"hasty":    {options: []option.RequestOption{option.WithMiddleware(forgetWait)}, want: "differs from the model: answer after 429 with Retry-After "},
	"eager":    {options: []option.RequestOption{option.WithMaxRetries(4)}, want: ": the model asks 4 times, the program 5 times ("},
	"hopeless": {hopeless: true, want: "differs from the model: spare after "},
}

// TestExplored is no test by itself: it explores the program that the environment names, in
// the directory that it names.
func TestExplored(t *testing.T) {
	name := os.Getenv("EXPLORED")
	if name == "" {
		t.Skip("for other tests")
	}
	t.Chdir(os.Getenv("EXPLORED_IN"))
	program := shuffled
	if x, ok := explorations[name]; ok {
		program = x.program
	}
	if name, ok := strings.CutPrefix(name, "modelled "); ok {
		m := modelled[name]
		scenariotest.Explore(t, "modelled.scenario.hcl", func(t testing.TB, s *scenariotest.Scenario) error {
			c := client4(s.Client(), option.WithRequestTimeout(time.Minute), option.WithMaxRetryDelay(30*time.Second), option.WithMiddleware(readable))
			_, err := answered(t.Context(), c, m.options...)
			if err != nil && !m.hopeless {
				_, err = answered(t.Context(), c, option.WithBaseURL("https://spare.example/v1/"), option.WithMaxRetries(0))
			}
			return err
		})
		return
	}
	scenariotest.Explore(t, "explored.scenario.hcl", func(t testing.TB, s *scenariotest.Scenario) error {
		return program(t.Context(), t, s.Client())
	})
}

// explore runs TestExplored in a process of its own, in a directory with the files.
func explore(t *testing.T, dir, name string, flags ...string) (output string, passed bool) {
	t.Helper()
	for _, file := range []string{"explored.scenario.hcl", "modelled.scenario.hcl"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(os.Args[0], append([]string{"-test.run=^TestExplored$", "-test.v"}, flags...)...)
	cmd.Env = append(os.Environ(), "EXPLORED="+name, "EXPLORED_IN="+dir, "HOME="+dir, "XDG_CACHE_HOME=", "CONFORMANCE_TABLE=")
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), err == nil
}

// Of a program that uses the library as it is meant nothing is found; each of five that do
// not is, under one fault. What is written of a find is a subtest from then on, which fails
// with that program and passes with the right one.
func TestExplorations(t *testing.T) {
	for name, x := range explorations {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			out, passed := explore(t, dir, name)
			if x.find == "" {
				if !passed || !strings.Contains(out, "nothing found among") {
					t.Errorf("passed = %t:\n%s", passed, out)
				}
				return
			}
			if passed || !strings.Contains(out, x.find) || strings.Contains(out, "two faults: ") || !strings.Contains(out, "one fault: ") && x.find != "deadlock" {
				t.Errorf("passed = %t, want %q:\n%s", passed, x.find, out)
			}
			if out, passed = explore(t, dir, name, "-scenario.update"); passed {
				t.Errorf("it passes:\n%s", out)
			}
			files, err := filepath.Glob(filepath.Join(dir, "testdata/explore/TestExplored/*.scenario.hcl"))
			if err != nil || len(files) == 0 {
				t.Fatalf("%v, nothing is written:\n%s", err, out)
			}
			again, _ := explore(t, dir, name)
			right, passed := explore(t, dir, cmp.Or(mended[name], "right"))
			if !passed {
				t.Errorf("with a program that is right:\n%s", right)
			}
			for _, file := range files {
				sub := "TestExplored/" + strings.TrimSuffix(filepath.Base(file), ".scenario.hcl")
				if !strings.Contains(again, "--- FAIL: "+sub+" ") {
					t.Errorf("%s does not fail:\n%s", sub, again)
				}
				if !strings.Contains(right, "--- PASS: "+sub+" ") {
					t.Errorf("%s does not pass with a program that is right:\n%s", sub, right)
				}
			}
		})
	}
}

// A program that asks in an order it draws by lot is told to be flaky or to diverge, and
// fails in none of twenty tries.
func TestExplorationsAreNotRedByChance(t *testing.T) {
	out, passed := explore(t, t.TempDir(), "shuffled", "-test.count=20")
	told := strings.Count(out, "flaky: ") + strings.Count(out, " diverged")
	if tries := strings.Count(out, "=== RUN   TestExplored\n"); !passed || tries != 20 || told < 20 || strings.Contains(out, "find   ") {
		t.Errorf("passed = %t, %d tries, told %d times:\n%s", passed, tries, told, out)
	}
}

// A program that does what its workflow says agrees with it in all that the workflow does.
// A wait that is wrong, one attempt more, and a fallback that is missing are each named.
func TestExplorationsBesideAModel(t *testing.T) {
	agree := regexp.MustCompile(`model and program agree in (\d+) of (\d+) behaviours of the model \(k = 1\)`)
	for name, m := range modelled {
		t.Run(name, func(t *testing.T) {
			out, passed := explore(t, t.TempDir(), "modelled "+name)
			found := agree.FindStringSubmatch(out)
			if found == nil {
				t.Fatalf("nothing is compared:\n%s", out)
			}
			if right := m.want == ""; passed != right || right != (found[1] == found[2]) || strings.Contains(out, "differs from the model") == right {
				t.Errorf("passed = %t, %q:\n%s", passed, found[0], out)
			}
			if !strings.Contains(out, m.want) {
				t.Errorf("no %q in\n%s", m.want, out)
			}
		})
	}
}
