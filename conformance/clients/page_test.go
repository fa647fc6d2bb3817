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

What does your client library do when the service fails? This page has the answer for the libraries that programs really use, with their default settings and a timeout of 1.5 s. Every client was run against every fault, over sockets; those in Go also in process, in real and in [fake time](go-tests.md). The results are the same, except where the tables and [the last section](#on-the-wire) say otherwise. ~make conformance~ runs it all again and compares; the tables are written from its results.

## What stands out

- **Silent answers** are the first thing to write a scenario for. Most libraries take these for a success: a stream that ends as if it were complete, an error with status 200, an answer that was cut short. Look at the finish reason, and at the end marker of a stream.
- **Who retries what.** By default the libraries of OpenAI and Anthropic retry twice, after 408, 409, 429 and 5xx, with waits of about half a second and then a second. ~X-Should-Retry~ overrides the status. After a body that breaks off, only Anthropic's library for Go retries. None retries a broken stream, because part of it has already been handed out. Google's library for Go retries nothing.
- **Timeouts.** Those of the Node libraries end with the head of an answer. They wait for a body that drips or a stream that falls silent (~WaitsOn~ means that nothing happened for twelve seconds), and now and then for a body that cannot be unpacked. The timeout of Python's sockets applies to each read.
- **A bad ~Retry-After~** makes openai-node come back at once; a negative one does the same to anthropic-sdk-go.
- **openai-go's request timeout limits its waits, too.** A ~Retry-After~ longer than what is left of it ends the call at once, with a deadline exceeded. If more than two minutes are asked for, it gives up by itself; anthropic-sdk-go waits as long as it is told.

## How to read the tables

A cell says how many requests the service saw, in brackets how long the client waited between them, and then what the caller gets. **Silent** is an incomplete or wrong answer without an error: nothing tells the program. "After a part" is an error that comes after the caller has been given part of a stream.

`, "~", "`")

var outro = strings.ReplaceAll(`
## As policies

~import = ["std/clients"]~ brings what these clients and others do by default as ready retry policies, to model a program with: ~retry = retry.openai_node~ on a step. A *checked* policy and its client meet the same faults in a test, which compares how often they ask, how long they wait and how they end. One that was *read* was written from the client's source, and not compared with a run.

POLICIES
What a policy cannot say (a Retry-After shorter than the client's own wait, ~X-Should-Retry~, which of two clients repeats a POST) stands beside it in the file; ~scenario plan~ shows when such a client comes back.

## On the wire

Over sockets, a service cannot refuse a connection to its own listener, hide its name, or show a certificate over plain HTTP. There ~connection_refused~, ~dns_error~, ~tls_error~ and ~error~ are a connection that is reset. A ~timeout~ with ~after~ is silence until the client's own deadline, whereas in process the transport reports it. A connection of ~DialContext~ behaves as on the wire.
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
	return strings.TrimSuffix(b.String(), "\n") + strings.Replace(outro, "POLICIES", policies(), 1)
}

// policies is the table of std/clients, as the file itself says it.
func policies() string {
	text, err := os.ReadFile("../../stdlib/clients.scenario.hcl")
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	b.WriteString("| policy | client | checked |\n|---|---|---|\n")
	for block := range strings.SplitSeq(string(text), "\n}\n") {
		comment, rest, ok := strings.Cut(block, "\nretry ")
		if !ok {
			continue
		}
		name := strings.Split(rest, `"`)[3]
		comment = comment[strings.LastIndex(comment, "\n\n")+2:]
		comment = strings.ReplaceAll(comment, "\n# ", " ")
		client, file, ok := strings.Cut(strings.TrimPrefix(comment, "# "), "; ")
		if !ok {
			panic(name + " has no source")
		}
		how := "read, not run"
		if with, ok := strings.CutPrefix(file, "checked"); ok {
			with, _, _ = strings.Cut(with, ". ")
			how = "yes"
			if with = strings.TrimSuffix(strings.TrimSpace(with), "."); with != "" {
				how += ", " + with
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, client, how)
	}
	return b.String()
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
