package clients

import (
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
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
	"trusting": {"the answer was cut", func(ctx context.Context, t testing.TB, h *http.Client) error {
		c, text := client4(h, option.WithRequestTimeout(10*time.Second)), ""
		events := c.Chat.Completions.NewStreaming(ctx, asked)
		defer events.Close()
		for events.Next() {
			if e := events.Current(); len(e.Choices) > 0 {
				text += e.Choices[0].Delta.Content
			}
		}
		if err := events.Err(); err != nil {
			return err
		}
		if text != "" && !strings.HasSuffix(text, ".") {
			t.Errorf("the answer was cut: %q", text)
		}
		return nil
	}},
	"greedy": {"a program repeats what may have had an effect under a key", func(ctx context.Context, _ testing.TB, h *http.Client) error {
		c := client4(h, option.WithRequestTimeout(10*time.Second))
		if _, err := answered(ctx, c); err != nil {
			return err
		}
		var out struct{ Order int }
		return c.Post(ctx, "orders", map[string]any{"text": "so"}, &out, option.WithBaseURL("https://shop.example/"))
	}},
}

var asked = openai.ChatCompletionNewParams{Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("why?")}}

// client4 is a client that makes four attempts.
func client4(h *http.Client, options ...option.RequestOption) openai.Client {
	return openai.NewClient(append(options, option.WithHTTPClient(h), option.WithAPIKey("x"), option.WithMaxRetries(3))...)
}

// answered asks for an answer that came to its end.
func answered(ctx context.Context, c openai.Client) (string, error) {
	r, err := c.Chat.Completions.New(ctx, asked)
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

// forgetWait hides from the library how long a server wants it to wait.
func forgetWait(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	resp, err := next(r)
	if resp != nil {
		resp.Header.Del("Retry-After")
	}
	return resp, err
}

// TestExplored is no test by itself: it explores the program that the environment names.
func TestExplored(t *testing.T) {
	x, ok := explorations[os.Getenv("EXPLORED")]
	if !ok {
		t.Skip("for other tests")
	}
	scenariotest.Explore(t, "testdata/explored.scenario.hcl", func(t testing.TB, s *scenariotest.Scenario) error {
		return x.program(t.Context(), t, s.Client())
	})
}

// Of a program that uses the library as it is meant nothing is found; each of five that do
// not is, under one fault.
func TestExplorations(t *testing.T) {
	for name, x := range explorations {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestExplored$", "-test.v")
			cmd.Env = append(os.Environ(), "EXPLORED="+name, "HOME="+t.TempDir(), "XDG_CACHE_HOME=", "CONFORMANCE_TABLE=")
			out, err := cmd.CombinedOutput()
			if x.find == "" {
				if err != nil || !strings.Contains(string(out), "nothing found among") {
					t.Errorf("%v:\n%s", err, out)
				}
				return
			}
			if err == nil || !strings.Contains(string(out), x.find) || !strings.Contains(string(out), "one fault: ") && x.find != "deadlock" {
				t.Errorf("%v, want %q:\n%s", err, x.find, out)
			}
		})
	}
}
