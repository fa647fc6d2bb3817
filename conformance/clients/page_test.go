package clients

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// page is the page that is written from the table.
const page = "../../docs/clients.md"

var intro = strings.ReplaceAll(`# What clients do under faults

What does your client do when the service fails? This page has it for the libraries that programs use, as they are without any setting but a timeout of 1.5 s. Every row was met by every client, over sockets and, by those in Go, also in process in real and in [fake time](go-tests.md); the ways agree, but for what stands below the tables. ~make conformance~ meets them again.

A cell is how many requests the service saw, in brackets how long the client waited between them, then what its caller gets. **Silent** is an answer that is not the whole one, without an error: nothing tells the program. "After a part" is an error behind a part of a stream that the caller has been given.

This page is written from the table of the tests in ~conformance/clients~.

`, "~", "`")

var outro = strings.ReplaceAll(`
## How to read it

- **Silent answers** are what to write a scenario for. A stream that ends as if it were whole, an error under status 200 and an answer that was cut are successes to most libraries. Look at the finish reason, and at the end marker of a stream.
- **Who retries what.** The libraries of OpenAI and Anthropic ask again, twice, after 408, 409, 429 and 5xx, after about half a second and then a second, unless told otherwise; ~X-Should-Retry~ decides against the status. After a body that breaks off only the one of Anthropic for Go does. A broken stream is retried by nobody: what came of it has been given away. The library of Google for Go retries nothing.
- **Timeouts.** Those of the libraries for Node end with the head of an answer: a body that drips, or a stream that falls silent, is waited for (~WaitsOn~ is nothing for twelve seconds). So is, now and then, a body that cannot be unpacked. That of Python's sockets is for each read.
- **A bad ~Retry-After~** has openai-node, and a negative one anthropic-sdk-go, ask again at once.
- **openai-go's request timeout bounds its waits, too**: a ~Retry-After~ that is longer than what is left of it ends the call at once, with a deadline that was exceeded. It gives up by itself where more than two minutes are asked for; anthropic-sdk-go waits as long as it is told.
- **On the wire** a service cannot refuse a connection to its own listener, hide its name or show a certificate over plain HTTP: ~connection_refused~, ~dns_error~, ~tls_error~ and ~error~ are there a connection that is reset. A ~timeout~ with ~after~ is silence there, until the client's own deadline; in process the transport reports it. A connection of ~DialContext~ is as on the wire.
`, "~", "`")

// A part of the page is a table: clients that meet the same.
type part struct {
	title   string
	clients []client
	met     []meeting
}

func parts() []part {
	whole := func(m meeting) bool { return !m.stream }
	models := []client{netHTTP, openaiGo, anthropicGo, genaiGo}
	others := []client{openaiNode, anthropicNode, curl, urllib}
	short := slices.DeleteFunc(overHTTP(), func(m meeting) bool { return m.long })
	return []part{
		{"Go: answers in one piece", models, slices.DeleteFunc(overHTTP(), func(m meeting) bool { return m.stream })},
		{"Go: streams", models, slices.DeleteFunc(overHTTP(), whole)},
		{"Node, curl and Python: answers in one piece", others, slices.DeleteFunc(slices.Clone(short), func(m meeting) bool { return m.stream })},
		{"Node, curl and Python: streams", others, slices.DeleteFunc(slices.Clone(short), whole)},
		{"Servers of the Model Context Protocol", []client{mcpGo}, overMCP()},
		{"Databases", []client{pgxGo}, overSQL()},
	}
}

// rendered is the page.
func rendered(e table) string {
	var b strings.Builder
	b.WriteString(intro)
	for _, part := range parts() {
		fmt.Fprintf(&b, "## %s\n\n| the service |", part.title)
		for _, c := range part.clients {
			fmt.Fprintf(&b, " %s |", strings.TrimSpace(c.name+" "+c.of))
		}
		b.WriteString("\n|---|" + strings.Repeat("---|", len(part.clients)) + "\n")
		for _, m := range part.met {
			fmt.Fprintf(&b, "| %s |", m.title)
			for _, c := range part.clients {
				text := shown(e.of(m.name, c.name, false))
				if other, ok := e[m.name][c.name+onWire]; ok {
					text += "; on the wire " + shown(other)
				}
				fmt.Fprintf(&b, " %s |", text)
			}
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n") + outro
}

// shown is a cell as the page has it.
func shown(cell string) string {
	if one, other, ok := strings.Cut(cell, either); ok {
		return shown(one) + " or " + shown(other)
	}
	requests, outcome, ok := strings.Cut(cell, ": ")
	if !ok {
		return "–"
	}
	silent := strings.HasPrefix(outcome, "silent: ")
	part := strings.HasSuffix(outcome, " after a part")
	name := strings.TrimSuffix(outcome, " after a part")
	if !strings.HasPrefix(name, "\"") {
		name = "`" + name + "`"
	}
	switch {
	case silent:
		return requests + " **silent**: " + strings.TrimPrefix(outcome, "silent: ")
	case outcome == "ok":
		return requests + " ok"
	case part:
		return requests + " " + name + " after a part"
	}
	return requests + " " + name
}

// Shows that the page is what the table says. UPDATE_PAGES=1 writes it.
func TestPage(t *testing.T) {
	want := rendered(expected(t))
	if os.Getenv("UPDATE_PAGES") != "" {
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil || string(got) != want {
		t.Errorf("%s is not what the table says (UPDATE_PAGES=1 writes it): %v", page, err)
	}
}
