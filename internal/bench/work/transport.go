package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing/fstest"

	"github.com/scenario-lang/scenario"
)

const (
	requestBody = `{"model":"gpt-4o-mini","messages":[{"role":"user","content":"why?"}]}`
	answer      = `{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"gpt-4o-mini","choices":[{"index":0,"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10}}`
)

// requests is how many a sample sends.
const requests = 4000

// transports are a client of a model over the transport of a scenario, and over
// one that has its answer ready.
func transports() []work {
	return []work{
		{"transport", func() (func() (int, error), error) {
			suite, err := scenario.Load(fstest.MapFS{"a.scenario.hcl": {Data: []byte(`
provider "openai" "llm" {}
scenario "s" {
  on "llm" {
    reply {
      content = "hello"
      times   = "*"
    }
  }
  expect "run" { status = "success" }
}
`)}}, ".")
			if err != nil {
				return nil, err
			}
			return func() (int, error) {
				run := suite.Scenarios()[0].Drive(scenario.DriveOptions{})
				defer run.Finish()
				return requests, ask(run.Transport())
			}, nil
		}},
		{"transport/canned", func() (func() (int, error), error) {
			return func() (int, error) { return requests, ask(canned{}) }, nil
		}},
	}
}

// canned is a transport that has one answer.
type canned struct{}

func (canned) RoundTrip(r *http.Request) (*http.Response, error) {
	_, _ = io.Copy(io.Discard, r.Body)
	r.Body.Close()
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader([]byte(answer))), ContentLength: int64(len(answer)), Request: r,
	}, nil
}

// ask is a client as people write one: a request of JSON, an answer of JSON.
func ask(over http.RoundTripper) error {
	client := &http.Client{Transport: over}
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	for range requests {
		body, err := json.Marshal(map[string]any{"model": "gpt-4o-mini", "messages": []message{{"user", "why?"}}})
		if err != nil {
			return err
		}
		req, err := http.NewRequest(http.MethodPost, "https://api.openai.com/v1/chat/completions", bytes.NewReader(body))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		var said struct{ Choices []struct{ Message message } }
		err = json.NewDecoder(resp.Body).Decode(&said)
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err != nil || len(said.Choices) != 1 || said.Choices[0].Message.Content != "hello" {
			return fmt.Errorf("%s answers %v, %w", resp.Status, said, err)
		}
	}
	return nil
}
