package cassette

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// byHand is a file of go-vcr as people write one, with the answer's keys in a
// given order; none of what go-vcr adds of itself is in it.
func byHand(answer ...string) string {
	return "version: 1\ninteractions:\n- request: {method: POST, url: " + chatURL + ", body: '{\"n\":1}'}\n  response:\n    " +
		strings.ReplaceAll(strings.Join(answer, "\n"), "\n", "\n    ") + "\n"
}

// What only a recorder knows may be left out of a file that is written by hand:
// form, headers and duration, in version 1 and 2.
func TestByHand(t *testing.T) {
	for version := 1; version <= 2; version++ {
		text := byHand("status: 200 OK", "code: 200", `body: '{"a":1}'`)
		c := parsed(t, []byte(strings.Replace(text, "version: 1", fmt.Sprint("version: ", version), 1)))
		it := c.Interactions[0]
		if len(c.Interactions) != 1 || string(it.Response.Body()) != `{"a":1}` || it.Response.Wait != 0 || it.Duration != 0 ||
			len(it.RequestHeader) != 0 || len(it.Response.Header) != 0 || it.Form != nil {
			t.Errorf("version %d: %+v", version, it)
		}
		if d := cmp.Diff([]string{NoEndMarker}, c.Warnings); d != "" || c.Whole {
			t.Errorf("version %d, whole %v\n%s", version, c.Whole, d)
		}
	}
}

// A file without any duration that is cut anywhere is refused, has its answer
// whole, or warns of more than the missing end marker; so is one whose body
// stands last, whatever its style.
func TestEveryCutByHand(t *testing.T) {
	const sse = "data: 1\n\ndata: 2\n\ndata: [DONE]\n\n"
	head := []string{"status: 200 OK", "code: 200"}
	for name, tt := range map[string]struct {
		answer []string
		body   string
	}{
		"go-vcr's order": {[]string{`body: '{"a":1}'`, "status: 200 OK", "code: 200"}, `{"a":1}`},
		"single quotes":  {append(head[:2:2], `body: '{"a":1}'`), `{"a":1}`},
		"double quotes":  {append(head[:2:2], `body: "a\n\nb"`), "a\n\nb"},
		"one line":       {append(head[:2:2], "body: pong"), "pong"},
		"JSON in lines":  {append(head[:2:2], "body: |\n  {\n    \"a\": [1,\n    2]\n  }"), "{\n  \"a\": [1,\n  2]\n}\n"},
		"a stream":       {append(head[:2:2], "body: |+\n  "+strings.ReplaceAll(sse, "\n", "\n  "), "duration: 0s"), ""},
		"text in lines":  {append(head[:2:2], "body: |\n  one\n  two\n  three", "headers: {}"), "one\ntwo\nthree\n"},
	} {
		text := byHand(tt.answer...)
		whole := parsed(t, []byte(text))
		if got := string(whole.Interactions[0].Response.Body()); tt.body != "" && got != tt.body {
			t.Errorf("%s: %q", name, got)
		}
		for n := range len(text) {
			c, err := Parse("", []byte(text[:n]))
			if err != nil || len(c.Interactions) == 0 || cmp.Equal(c.Interactions[0].Response.Body(), whole.Interactions[0].Response.Body()) {
				continue
			}
			if cmp.Equal(c.Warnings, []string{NoEndMarker}) {
				t.Errorf("%s, cut at %d: the body is %q", name, n, c.Interactions[0].Response.Body())
			}
		}
	}
}

// A text of several lines that ends the file could have gone on; the message
// says what shows that it is whole.
func TestOpenEnd(t *testing.T) {
	_, err := Parse("a.yaml", []byte(byHand("status: 200 OK", "code: 200", "body: |\n  one\n  two")))
	want := "a.yaml:7: interaction 1: nothing shows where the text ends that ends the file; it may be cut\n" +
		"hint: restore the file from version control; if it was written by hand, end every response with `duration: 0s`"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if _, err := Parse("a.yaml", []byte(byHand("status: 200 OK", "code: 200", "body: |\n  one\n  two", "duration: 0s"))); err != nil {
		t.Error(err)
	}
}
