package twice

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/event"
)

// Shows what is told of as a value that a program may have in its source: how long something lasts, of a scenario about
// that, where all answers say the same.
func TestPeriods(t *testing.T) {
	for _, c := range []struct{ title, headers, want string }{
		{"a rate is kept for as long as the bank says", "Cache-Control: private, max-age=2|Cache-Control: private, max-age=2", "max-age of Cache-Control, which is 2 in each of 2: what has it as a constant"},
		{"a rate is kept for as long as the bank says", "Cache-Control: max-age=2|Cache-Control: max-age=3", ""},
		{"a rate is kept for as long as the bank says", "Cache-Control: max-age=2", ""},
		{"it waits", "Retry-After: 2|Retry-After: 2|Retry-After: 2", "Retry-After, which is 2 in each of 3"},
		{"it waits", "Retry-After: 2|Retry-After: 2|Retry-After: 1", ""},
		{"three errors", "Retry-After: 2|Retry-After: 2", ""},
		{"it waits", "Server: 2|Server: 2", ""},
		{"it waits", "=expires_in 9|=expires_in 9", "expires_in, which is 9 in each of 2"},
		{"it waits", "=amount 9|=amount 9", ""},
	} {
		r := &record{program: true}
		for part := range strings.SplitSeq(c.headers, "|") {
			if member, is := strings.CutPrefix(part, "="); is {
				name, value, _ := strings.Cut(member, " ")
				r.moments = append(r.moments, moment{by: "a", name: name, text: value})
				continue
			}
			name, value, _ := strings.Cut(part, ": ")
			r.periods = append(r.periods, periods("a", event.Headers{name: value})...)
		}
		list := r.constant([]string{c.title}, 8)
		if c.want == "" && len(list) > 0 || c.want != "" && (len(list) != 1 || !strings.HasPrefix(list[0].Name, c.want)) {
			t.Errorf("%s: %s: %v, want %q", c.title, c.headers, list, c.want)
		}
		if r.program = false; len(r.constant([]string{c.title}, 8)) > 0 {
			t.Errorf("%s: it is told of a workflow", c.title)
		}
	}
}

// Shows which members are told of as ones that a program can keep from the first answer: those that the scenario is
// named after, that all answers have alike, and that are sent after each.
func TestFirst(t *testing.T) {
	for _, c := range []struct{ title, run, want string }{
		{"the last token is sent", "<token t-1|>header authorization Bearer t-1|<token t-1|>header authorization Bearer t-1", "token, which is t-1 in each of 2, and is sent on as header authorization: what keeps the first"},
		{"the last tokens are sent", "<token t-1|>token t-1|<token t-1|>token t-1", "token, which is t-1"},
		{"the last token is sent", "<token t-1|>token t-1|<token t-2|>token t-2", ""},
		{"the last token is sent", "<token t-1|>token t-1", ""},
		{"the last token is sent", "<token t-1|>token t-1|<token t-1", ""},
		{"the last token is sent", "<token t-1|<token t-1|>token t-1", ""},
		{"the last token is sent", ">token t-1|<token t-1|>token t-1|<token t-1|>token t-1", ""},
		{"all is sent", "<token t-1|>token t-1|<token t-1|>token t-1", ""},
	} {
		r := &record{program: true}
		for part := range strings.SplitSeq(c.run, "|") {
			name, value, _ := strings.Cut(part[1:], " ")
			if field, rest, is := strings.Cut(value, " "); is {
				name, value = name+" "+field, rest
			}
			r.moments = append(r.moments, moment{sent: part[0] == '>', by: "a", name: name, text: value})
		}
		list := r.constant([]string{c.title}, 8)
		if c.want == "" && len(list) > 0 || c.want != "" && (len(list) != 1 || !strings.HasPrefix(list[0].Name, c.want)) {
			t.Errorf("%s: %s: %v, want %q", c.title, c.run, list, c.want)
		}
	}
}

// Shows when the tokens of an answer are told of as its pieces or words: where all answers have as many, and the number
// is sent on or read.
func TestTallied(t *testing.T) {
	for _, c := range []struct {
		tokens int
		chunks string
		sent   string
		checks string
		want   string
	}{
		{6, "Blue| light| is| scattered| most|.", "6", "", "completion_tokens, which is 6, as many as it has pieces"},
		{5, "Blue| light| is| scattered| most|.", "5", "", "completion_tokens, which is 5, as many as it has words"},
		{7, "Blue| light| is| scattered| most|.", "7", "", ""},
		{6, "Blue| light| is| scattered| most|.", "8", "", ""},
		{6, "Blue| light| is| scattered| most|.", "8", "sut.tokens == 6", "completion_tokens, which is 6"},
		{6, "Blue| light| is| scattered| most|.", "8", "sut.tokens == 16", ""},
	} {
		r := &record{program: true}
		r.sizes = append(r.sizes, sizeOf("a", c.tokens, "", strings.Split(c.chunks, "|"), 0))
		r.sent = append(r.sent, sent{step: "b", name: "tokens", value: c.sent})
		list := r.tallied(&set{text: c.checks}, 8)
		if got := fmt.Sprint(list); c.want == "" && len(list) > 0 || c.want != "" && (len(list) != 1 || !strings.HasPrefix(list[0].Name, c.want)) {
			t.Errorf("%d of %s: %s, want %q", c.tokens, c.chunks, got, c.want)
		}
		r.sizes = append(r.sizes, size{tokens: 9, pieces: 4, words: 3})
		if list := r.tallied(&set{text: c.checks}, 8); len(list) > 0 {
			t.Errorf("%d of %s: another answer has another number, and %v is told of", c.tokens, c.chunks, list)
		}
	}
}

// Shows when the text of what a server of MCP answers is told of as its structured content: where the scenario is named
// after one of the two, and no answer of that server has a text of its own.
func TestStructured(t *testing.T) {
	for _, c := range []struct {
		title string
		plain map[string]bool
		want  string
	}{
		{"the structured result is read", map[string]bool{"a": true, "b": false}, "a"},
		{"the text is not read", map[string]bool{"a": true, "b": true}, "a b"},
		{"the structured result is read", map[string]bool{"a": false}, ""},
		{"the weather is told", map[string]bool{"a": true}, ""},
	} {
		r := &record{program: true, plain: c.plain}
		var by []string
		for _, part := range r.structured([]string{c.title}, 8) {
			by = append(by, part.Of)
		}
		if got := strings.Join(by, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.title, got, c.want)
		}
		if r.program = false; len(r.structured([]string{c.title}, 8)) > 0 {
			t.Errorf("%s: it is told of a workflow", c.title)
		}
	}
}

// Shows which of several links leads on.
func TestNextOf(t *testing.T) {
	for link, want := range map[string]string{
		`</a?page=1>; rel="prev", </a?page=3>; rel="next"`: "/a?page=3",
		`</a?page=3>; rel=next, </a?page=9>; rel="last"`:   "/a?page=3",
		`</a?page=3>; rel="first"`:                         "/a?page=3",
		"":                                                 "",
	} {
		if got := bare(nextOf(link)); got != want {
			t.Errorf("%s: %s, want %s", link, got, want)
		}
	}
}
