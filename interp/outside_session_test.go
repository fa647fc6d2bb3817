package interp

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// Shows that a statement that is no call by itself is one where the statement of an
// endpoint, or of an entry, names it, in any case, and nowhere else: a pattern that fits
// everything names nothing. Any other is a message by its first word, as conditions find it.
func TestStatementsThatAnEndpointNames(t *testing.T) {
	const provider = "provider \"sql\" \"p\" { base_url = \"postgres://app@db.test/shop\" }\n"
	scenario := func(endpoint, entry string) string {
		return provider + "endpoint \"e\" {\n  provider = provider.p\n  " + endpoint + "\n}\nscenario \"s\" {\n  allow = [\"unused_reply\"]\n  on \"e\" {\n    reply {\n      " + entry + "\n    }\n  }\n  expect \"run\" { status = \"success\" }\n}\n"
	}
	for name, c := range map[string]struct {
		endpoint, entry, statement string
		call                       bool
	}{
		"named":              {`match { statement = "set search_path to *" }`, "", "SET search_path TO shop", true},
		"named by an entry":  {"", `match { statement = "SHOW *" }`, "show server_version", true},
		"of another name":    {`match { statement = "set search_path to *" }`, "", "SHOW server_version", false},
		"named by nobody":    {"", "", "BEGIN", false},
		"fits, but unnamed":  {`match { statement = "*" }`, "", "COMMIT", false},
		"a call in any case": {"", "", "select 1", true},
	} {
		t.Run(name, func(t *testing.T) {
			d := drivenBy(t, scenario(c.endpoint, c.entry))
			p := d.run.plan.Endpoints[0].Step.Gateway.Targets[0].Provider
			req, err := p.Adapter.Request(context.Background(), providers.Input{BaseURL: p.BaseURL, Statement: c.statement})
			if err != nil {
				t.Fatal(err)
			}
			x, err := d.run.Answer(context.Background(), Asked{Request: req, Body: bodyOf(t, req), Listener: "p"})
			if err != nil {
				t.Fatal(err)
			}
			x.End(false)
			r, _ := d.run.Finish("")
			of := func(want trace.Type) bool {
				return slices.ContainsFunc(r.Events, func(e trace.Event) bool { return e.Type == want })
			}
			if of(trace.AttemptStart) != c.call || of(trace.Message) == c.call {
				t.Errorf("a call: %t, a message: %t", of(trace.AttemptStart), of(trace.Message))
			}
			for _, e := range r.Events {
				if m, is := e.Payload.(*event.Message); is && m.Method != strings.ToUpper(strings.Fields(c.statement)[0]) {
					t.Errorf("a message %q", m.Method)
				}
			}
		})
	}
}
