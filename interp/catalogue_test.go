package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers/catalog"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/trace"
)

// observedAs is the specified table for the kinds of language models,
// HTTP and MCP: what a fault with an empty body becomes above the adapter. On a stream
// a second failure may stand for one that strikes after the first chunk. A row
// that begins with a family is that family's own.
const observedAs = `
timeout                 | timeout
http_error              | http_status
malformed_response      | malformed_response
empty_response          | malformed_response
wrong_content_type      | malformed_response
bad_gzip                | malformed_response
garbage                 | malformed_response
stream_truncate         | stream_interrupted
connection_reset        | connection (reset)
connection_refused      | connection (refused)
dns_error               | connection (dns)
tls_error               | connection (tls)
content_length_mismatch | connection (eof), stream_interrupted
redirect_loop           | protocol_error
error_in_200            | http_status
stream_error_event      | stream_interrupted
partial_response        | none
slow_stream             | none
delay                   | none
error                   | exception
hang                    | timeout
tool_error              | tool_error
protocol_error          | protocol_error
session_expired         | session_expired
id_mismatch             | protocol_error
stale_client            | none
mcp error               | tool_error
sql hang                | db_timeout
db_down                 | db_error
db_slow                 | none
db_error                | db_error
pool_exhausted          | pool_timeout
stale_response          | none
swapped_response        | none
truncated_list          | none
wrong_numbers           | none
wrong_record            | none
contradiction           | none
refusal                 | none
`

// Shows for every kind of fault on every kind of provider, whichever of a
// vendor's interfaces is spoken, that it is observed as the table says at
// whichever attempt of a step it strikes: AL1 to AL7.
func TestEveryFaultOnEveryProvider(t *testing.T) {
	table := tableOf(observedAs)
	for _, f := range faults.Kinds() {
		if table[f.Name] == nil && slices.ContainsFunc(f.For, func(where string) bool {
			return strings.Fields(where)[0] != "actor" && !slices.Contains([]string{"module", "pool", "lock", "sut"}, where)
		}) {
			t.Errorf("the table has no row for %s", f.Name)
			continue
		}
		for _, p := range services() {
			for _, stream := range []bool{false, true} {
				if !p.step(stream).Meets(f) || stream && p.family == "sql" {
					continue
				}
				want := table[f.Name]
				if own := table[p.family+" "+f.Name]; own != nil {
					want = own
				}
				if !stream {
					want = want[:1]
				}
				for attempt := 1; attempt <= 3; attempt++ {
					struck(t, f, p, stream, attempt, want)
				}
			}
		}
	}
}

// A service is a provider as a scenario declares it and what a step asks of it.
type service struct {
	kind, family, declared, asked string
	piped                         bool
}

// step is what fits or does not fit a fault.
func (p service) step(stream bool) *plan.Step {
	t := &plan.Target{Provider: &plan.Provider{Kind: catalog.Lookup(p.kind)}}
	if p.piped {
		t.Provider.Command = []string{"server"}
	}
	return &plan.Step{Kind: plan.Kind(p.family), Family: p.family, Stream: stream, Gateway: &plan.Gateway{Targets: []*plan.Target{t}}, Args: map[string]*dsl.Attr{"tool": {}}}
}

// declaredAt is where a service is that is reached over HTTP.
const declaredAt = "base_url = \"https://api.example/v1\"\n  "

// services are all kinds of provider, each with all its interfaces.
func services() []service {
	var list []service
	for _, p := range catalog.Kinds() {
		s := service{p.Name, p.Family, declaredAt + `model = "m"`, `prompt = "why?"`, false}
		switch p.Family {
		case "http":
			s.declared, s.asked = declaredAt, `path = "/why"`
		case "sql":
			s.declared, s.asked = `base_url = "postgres://db.example/shop"`, "query = \"select 1\"\n    idempotent = true"
		case "mcp":
			s.declared, s.asked = declaredAt, "tool = \"why\"\n    idempotent = true"
			list = append(list, service{s.kind, s.family, `command = ["server"]`, s.asked, true})
		}
		apis := slices.IndexFunc(p.Attrs, func(a schema.Attr) bool { return a.Name == "api" })
		if apis < 0 {
			list = append(list, s)
			continue
		}
		for _, api := range p.Attrs[apis].OneOf {
			list = append(list, service{s.kind, s.family, fmt.Sprintf("%s\n  api = %q", s.declared, api), s.asked, false})
		}
	}
	return list
}

// tableOf reads the rows of a table: a kind of fault and its failures.
func tableOf(text string) map[string][]string {
	table := map[string][]string{}
	for line := range strings.Lines(text) {
		if name, failures, ok := strings.Cut(line, "|"); ok {
			table[strings.TrimSpace(name)] = strings.Split(strings.TrimSpace(failures), ", ")
		}
	}
	return table
}

// struck runs a step whose nth attempt meets the fault, after timeouts.
func struck(t *testing.T, f *faults.Kind, p service, stream bool, n int, want []string) {
	t.Helper()
	before := ""
	if n > 1 {
		before = fmt.Sprintf("fault \"timeout\" {\n after = \"1s\"\n times = %d\n }", n-1)
	}
	plan := mustCompile(t, fmt.Sprintf(`
provider %q "p" {
  %s
}
retry "linear" "patient" { max_retries = 5 }
workflow "w" {
  provider = provider.p
  step %q "ask" {
    %s
    %s
    attempt_timeout = "1h"
    retry           = retry.patient
  }
}
scenario "struck" {
  run   = workflow.w
  allow = ["unexpected_failure", "no_assertion", "unused_reply"]
  on "ask" {
    %s
    fault %q {}
    reply {}
  }
}`, p.kind, p.declared, p.family, p.asked, streamed(p, stream), before, f.Name))[0]
	r := Run(plan, RunOptions{})
	what := fmt.Sprintf("%s at attempt %d on %s %s (stream = %t)", f.Name, n, p.kind, p.declared, stream)
	if r.Verdict != Pass {
		t.Errorf("%s: %s", what, r.Verdict)
		complain(t, r)
	}
	if got := became(r, n); !slices.Contains(want, got) {
		t.Errorf("%s is observed as %s, want %s", what, got, strings.Join(want, " or "))
	}
	if faulted(r, n) != f.Name {
		t.Errorf("%s: the trace names the fault %q", what, faulted(r, n))
	}
}

// streamed is what a step says of a stream, where its kind has any.
func streamed(p service, stream bool) string {
	if p.family == "sql" {
		return ""
	}
	return fmt.Sprintf("stream = %t", stream)
}

// became is the failure of an attempt as the table writes it.
func became(r *Result, n int) string {
	for _, e := range r.Events {
		if e.Type != trace.AttemptEnd || e.Attempt != n {
			continue
		}
		switch kind := e.Text("kind"); {
		case kind == "" && e.Text("outcome") == "success":
			return "none"
		case kind == string(failure.Connection):
			return kind + " (" + e.Text("cause") + ")"
		default:
			return kind
		}
	}
	return "no attempt"
}

// faulted is the kind of fault that the trace says an attempt met.
func faulted(r *Result, n int) string {
	for _, e := range r.Events {
		if e.Type == trace.Fault && e.Attempt == n {
			return e.Text("fault_type")
		}
	}
	return ""
}
