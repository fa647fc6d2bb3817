package clients

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/scenario-lang/scenario/scenariotest"
)

// Shows that three days of retries take no time: a client that is told to wait for
// a hundred seconds, 2,592 times, is answered after 72 hours of its clock, to the
// second. How long that took is logged.
func TestThreeDaysOfRetries(t *testing.T) {
	waits := 2592
	if testing.Short() {
		waits = 25
	}
	for _, c := range []struct {
		name, speaks string
		ask          func(ctx context.Context, over *http.Client) (string, error)
	}{
		{"openai-go", "openai", func(ctx context.Context, over *http.Client) (string, error) {
			c := openai.NewClient(option.WithHTTPClient(over), option.WithAPIKey("x"), option.WithMaxRetries(waits))
			r, err := c.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("why?")}})
			if err != nil {
				return "", err
			}
			return r.Choices[0].Message.Content, nil
		}},
		{"anthropic-sdk-go", "anthropic", func(ctx context.Context, over *http.Client) (string, error) {
			c := anthropic.NewClient(anthropicoption.WithHTTPClient(over), anthropicoption.WithAPIKey("x"), anthropicoption.WithMaxRetries(waits))
			r, err := c.Messages.New(ctx, anthropic.MessageNewParams{Model: "m", MaxTokens: 9, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("why?"))}})
			if err != nil {
				return "", err
			}
			return r.Content[0].Text, nil
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			text := fmt.Sprintf(`provider %q "llm" {}
scenario "three days" {
  on "llm" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "100" }
      times       = %d
    }
    reply { content = "at last" }
  }
  assert "waits" { condition = length(endpoint.llm.calls) == 1 && endpoint.llm.retries == %d && distinct(endpoint.llm.calls[0].gaps_ms) == [100000] }
}
`, c.speaks, waits, waits)
			for name, text := range map[string]string{"a.scenario.hcl": text, "go.mod": "module a\n"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			began := time.Now()
			synctest.Test(t, func(t *testing.T) {
				s := scenariotest.New(t, filepath.Join(dir, "a.scenario.hcl"), "three days")
				began := time.Now()
				got, err := c.ask(t.Context(), s.Client())
				if err != nil || got != "at last" {
					t.Errorf("%q, %v", got, err)
				}
				if took, want := time.Since(began), time.Duration(waits)*100*time.Second; took != want {
					t.Errorf("it took %s, want %s", took, want)
				}
			})
			t.Logf("%d waits of 100 s took %s", waits, time.Since(began).Round(time.Millisecond))
		})
	}
}
