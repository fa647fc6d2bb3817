package clients

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// netHTTP is the client of Go's standard library, whose caller reads what came.
var netHTTP = client{name: "net/http", speaks: "openai", path: "/v1", meets: overHTTP, ask: func(ctx context.Context, at place, stream bool) outcome {
	own := *at.http
	own.Timeout = patience
	body := fmt.Sprintf(`{"model":"m","stream":%t,"messages":[{"role":"user","content":"why?"}]}`, stream)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, at.base+"/chat/completions", strings.NewReader(body))
	if err != nil {
		return outcome{err: err.Error()}
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := own.Do(req)
	if err != nil {
		return outcome{err: classOf(err)}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	switch {
	case err != nil && stream:
		return outcome{contentOf(text), classOf(err)}
	case err != nil:
		return outcome{err: classOf(err)}
	case resp.StatusCode != http.StatusOK:
		return outcome{err: fmt.Sprint("status ", resp.StatusCode)}
	}
	return outcome{text: contentOf(text)}
}}

// contentOf is the text of an answer, or of the events of a stream; of what is
// none it says how large it is.
func contentOf(body []byte) string {
	type message struct{ Content string }
	type answer struct {
		Choices []struct{ Message, Delta message }
	}
	var content string
	if !strings.HasPrefix(string(body), "data:") {
		var a answer
		if json.Unmarshal(body, &a) != nil || len(a.Choices) == 0 {
			if len(body) == 0 {
				return ""
			}
			return "other bytes"
		}
		return a.Choices[0].Message.Content
	}
	for lines := bufio.NewScanner(strings.NewReader(string(body))); lines.Scan(); {
		var a answer
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if ok && json.Unmarshal([]byte(data), &a) == nil && len(a.Choices) > 0 {
			content += a.Choices[0].Delta.Content
		}
	}
	return content
}
