package recordings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/agentloom"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/wire"
)

// shown is the nth interaction of a file for people; false where there is
// none.
func shown(c *cassette.Cassette, n int) ([]byte, bool) {
	if n < 1 {
		return nil, false
	}
	for _, s := range c.Scripts {
		if n <= len(s.Turns) {
			return showTurn(c, s, n), true
		}
		n -= len(s.Turns)
	}
	if n > len(c.Interactions) {
		return nil, false
	}
	return showExchange(c, c.Interactions[n-1]), true
}

func showExchange(c *cassette.Cassette, it *cassette.Interaction) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "interaction %d of %s, line %d", it.Index, c.Path, it.Line)
	if it.Step != "" {
		fmt.Fprintf(&b, ", %s", cli.Cell(address(it)))
	}
	fmt.Fprintf(&b, ", after %s\n\n%s %s\n", it.Duration, cli.Cell(it.Method), cli.Cell(it.ShownURL()))
	for _, name := range sortedHeader(it.RequestHeader) {
		for _, value := range it.RequestHeader[name] {
			showField(&b, name, value)
		}
	}
	showBody(&b, it.RequestBody)
	if it.Error != "" {
		fmt.Fprintf(&b, "\nno answer: %s\n", it.Error)
		return b.Bytes()
	}
	r := &it.Response
	fmt.Fprintf(&b, "\n%s %s\n", it.Outcome(), cli.Cell(reasonOf(r)))
	for _, f := range r.Header {
		showField(&b, f.Name, f.Value)
	}
	if !r.Stream {
		showBody(&b, r.Body())
		return b.Bytes()
	}
	at := r.Wait
	for i, p := range r.Parts {
		at += p.Wait
		fmt.Fprintf(&b, "\nevent %d, at %s, %s\n", i+1, at, cli.Plural(len(p.Data), "byte"))
		showText(&b, bytes.TrimRight(p.Data, "\r\n"))
	}
	return b.Bytes()
}

func reasonOf(r *wire.Response) string {
	if r.Reason != "" {
		return r.Reason
	}
	return http.StatusText(r.Status)
}

func sortedHeader(h http.Header) []string {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func showField(b *bytes.Buffer, name, value string) {
	fmt.Fprintf(b, "%s: %s\n", cli.Cell(name), cli.Cell(redact.ShownValue(name, value)))
}

// showBody prints a body after an empty line, JSON indented.
func showBody(b *bytes.Buffer, body []byte) {
	if len(body) == 0 {
		return
	}
	b.WriteByte('\n')
	var pretty bytes.Buffer
	if json.Indent(&pretty, body, "", "  ") == nil {
		body = pretty.Bytes()
	}
	showText(b, body)
}

func showText(b *bytes.Buffer, text []byte) {
	if !utf8.Valid(text) {
		fmt.Fprintf(b, "(%s that are not text)\n", cli.Plural(len(text), "byte"))
		return
	}
	fmt.Fprintln(b, strings.TrimRight(cli.Readable(string(text)), "\n"))
}

// showTurn prints an answer of a response file. Faults are shown as the
// language writes them.
func showTurn(c *cassette.Cassette, s *agentloom.Script, n int) []byte {
	turn := s.Turns[n-1]
	var b bytes.Buffer
	fmt.Fprintf(&b, "answer %d of %d for %q in %s, line %d\n", n, len(s.Turns), s.Key, c.Path, turn.Line)
	if f := turn.Fault; f != nil {
		fmt.Fprintf(&b, "\nfault %q\n", f.Kind)
		if f.After != nil {
			fmt.Fprintf(&b, "after: %s\n", f.After)
		}
		for _, name := range sortedArgs(f.Args) {
			fmt.Fprintf(&b, "%s: %s\n", name, shownArg(f.Args[name]))
		}
	}
	if !turn.HasReply {
		return b.Bytes()
	}
	b.WriteByte('\n')
	for _, f := range []struct{ name, value string }{
		{"model", turn.Model}, {"finish_reason", turn.FinishReason}, {"cost_usd", strconv.FormatFloat(turn.CostUSD, 'f', -1, 64)}, {"latency", turn.Latency.String()},
	} {
		if f.value != "" && f.value != "0" && f.value != "0s" {
			fmt.Fprintf(&b, "%s: %s\n", f.name, cli.Cell(f.value))
		}
	}
	if u := turn.Usage; u != nil {
		fmt.Fprintf(&b, "tokens: %d in, %d out, %d in all\n", u.Prompt, u.Completion, u.Total)
	}
	for _, call := range turn.ToolCalls {
		fmt.Fprintf(&b, "tool call %s: %s %s\n", cli.Cell(call.ID), cli.Cell(call.Name), cli.Cell(call.Arguments))
	}
	showBody(&b, []byte(turn.Content))
	return b.Bytes()
}

func sortedArgs(args map[string]any) []string {
	names := make([]string, 0, len(args))
	for name := range args {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// shownArg is an argument as JSON, header fields with what must be hidden.
func shownArg(v any) string {
	if h, ok := v.(map[string]string); ok {
		safe := make(map[string]string, len(h))
		for name, value := range h {
			safe[name] = redact.ShownValue(name, value)
		}
		v = safe
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "?"
	}
	return strings.TrimSpace(b.String())
}
