package scenariotest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/scenariotest"
)

// ask is a client with retries, as a program writes it.
func ask(client *http.Client, question string) (string, error) {
	body, _ := json.Marshal(map[string]any{"model": "gpt-4o-mini", "messages": []any{map[string]any{"role": "user", "content": question}}})
	var last error
	for range 4 {
		resp, err := client.Post("https://api.openai.com/v1/chat/completions", "application/json", bytes.NewReader(body))
		if err != nil {
			last = err
			time.Sleep(time.Second)
			continue
		}
		if resp.StatusCode != http.StatusOK {
			seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
			resp.Body.Close()
			last = fmt.Errorf("status %s", resp.Status)
			time.Sleep(max(time.Second, time.Duration(seconds)*time.Second))
			continue
		}
		var out struct {
			Choices []struct{ Message struct{ Content string } }
		}
		err = json.NewDecoder(resp.Body).Decode(&out)
		resp.Body.Close()
		if err != nil {
			return "", err
		}
		return out.Choices[0].Message.Content, nil
	}
	return "", last
}

// A program's waits take no time and are exact.
func TestAgent(t *testing.T) {
	scenariotest.Run(t, "testdata/agent.scenario.hcl", func(t *testing.T, s *scenariotest.Scenario) {
		begin := time.Now()
		answer, err := ask(s.Client(), "why?")
		if err != nil || answer != "Rayleigh scattering." {
			t.Errorf("%q, %v", answer, err)
		}
		if d := time.Since(begin); d != 31*time.Second {
			t.Errorf("it took %s", d)
		}
	})
}
