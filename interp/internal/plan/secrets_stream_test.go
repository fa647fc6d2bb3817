package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/trace"
)

// Shows that a secret which a stream carries in pieces cannot be put together from
// what is shown of the stream's text, as a text or inside a value.
func TestPiecesOfStreams(t *testing.T) {
	const value, token = "hunter2-4fPaTPsu2Bvqo4", "ghp_yXicm3KpQ7vRt2WzL9sBnD4fHj6gTe1aUo8k"
	s := Secrets{Redactor: redact.New([]string{value}).Recording()}
	for _, secret := range []string{value, token} {
		var stream strings.Builder
		var pieces []string
		for rest := secret; rest != ""; {
			n := min(7, len(rest))
			pieces = append(pieces, rest[:n])
			fmt.Fprintf(&stream, "data: {\"k\":%q}\n\n", rest[:n])
			rest = rest[n:]
		}
		shown := map[string]string{
			"a text":  s.Show("body", stream.String()).(string),
			"a value": string(s.Show("output", trace.Value(event.Value{Value: textObject(stream.String())})).(trace.Value).AppendJSON(nil)),
		}
		for where, text := range shown {
			left := 0
			for _, p := range pieces {
				if strings.Contains(text, p) {
					left++
				}
			}
			if left > 1 || !strings.Contains(text, "data:") {
				t.Errorf("%s: %d of %d pieces of %s are shown in %s", where, left, len(pieces), secret, text)
			}
		}
	}
}

// Shows that a trace of a run without secrets of its own hides what stands under a
// name, too, in lines that are events and in lines that are objects.
func TestNamesInLines(t *testing.T) {
	for _, form := range []string{"data: {\"k\":%q}\n\n", "{\"k\":%q}\n"} {
		body := ""
		for _, piece := range []string{`{"pass`, `word": "hun`, `ter-4`, `Two"}`} {
			body += fmt.Sprintf(form, piece)
		}
		var s Secrets
		for where, text := range map[string]string{
			"a text":  s.Show("body", body).(string),
			"a value": string(s.Show("output", trace.Value(event.Value{Value: textObject(body)})).(trace.Value).AppendJSON(nil)),
			"chunks":  strings.Join(s.Show("chunks", []string{`{"password": "hun`, `ter-4`}).([]string), ""),
		} {
			if strings.Contains(text, "hun") || strings.Contains(text, "ter-4") {
				t.Errorf("%s of %q: %s", where, form, text)
			}
		}
	}
}

func textObject(text string) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{"body": cty.StringVal(text)})
}
