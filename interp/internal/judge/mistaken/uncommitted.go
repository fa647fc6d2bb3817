package mistaken

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// transacts are the first words of statements with which a transaction begins. COMMIT and ROLLBACK end
// nothing where none did.
var transacts = []string{"BEGIN", "START"}

// reading are the first words of statements that change nothing.
var reading = []string{"SELECT", "SHOW", "EXPLAIN", "VALUES", "TABLE", "FETCH"}

// uncommitted are the runs of a program that writes to a database without a transaction, and commits
// all the same: that there is no COMMIT says nothing where each statement commits itself. None where
// a program began a transaction, or changed nothing.
func (r *run) uncommitted() (list []otherwise.Run) {
	var told []string
	if !slices.ContainsFunc(slices.Collect(maps.Keys(r.words)), func(word string) bool { return strings.Contains(word, "commit") }) {
		return nil
	}
	for _, e := range r.endpoints {
		at := slices.IndexFunc(e.attempts, func(a *attempt) bool {
			return a.ended != nil && a.succeeded() && a.asked.Request.Statement != "" && !slices.Contains(reading, read.Verb(a.asked.Request.Statement))
		})
		if at < 0 {
			continue
		}
		provider := e.attempts[at].asked.Request.Provider
		if slices.Contains(told, provider) || r.transacts(provider) {
			continue
		}
		told = append(told, provider)
		list = append(list, otherwise.Run{
			Why: fmt.Sprintf("it holds because the program began no transaction: without BEGIN each statement is committed by itself, as statement %d of %s was, so that no COMMIT came shows nothing here.\nhint: say that there is a transaction as well, such as length(events({ type = \"message\", method = \"BEGIN\" })) == 1", at+1, r.path(e)),
			Told: func() (events, apart [][]trace.Event) {
				return [][]trace.Event{r.with(e.attempts[len(e.attempts)-1], trace.Event{
					Type: trace.Message, Payload: &event.Message{Direction: "received", Method: "COMMIT", Server: provider, Params: event.JSON{Plain: map[string]any{"statement": "COMMIT"}}},
				})}, nil
			},
			About: func(c hclsyntax.Expression) bool { return says(c, "commit") },
			Part:  true,
		})
	}
	return list
}

// transacts reports whether a program began a transaction of a database.
func (r *run) transacts(provider string) bool {
	return slices.ContainsFunc(r.events, func(e trace.Event) bool {
		switch p := e.Payload.(type) {
		case *event.Message:
			return p.Server == provider && (slices.Contains(transacts, p.Method) || p.Method == "SET" && strings.Contains(strings.ToLower(fmt.Sprint(p.Params.Plain)), "autocommit"))
		case *event.AttemptStart:
			return p.Request != nil && p.Provider == provider && (slices.Contains(transacts, read.Verb(p.Statement)) || strings.Contains(strings.TrimRight(p.Statement, "; \n"), ";"))
		}
		return false
	})
}

// says reports whether a text in a condition has a word, in whatever case.
func says(e hclsyntax.Expression, word string) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		v, written := dsl.Literal(e)
		found = found || written && v.Type() == cty.String && !v.IsNull() && strings.Contains(strings.ToLower(v.AsString()), word)
	})
	return found
}

// with are the events of the run with another one after the end of an attempt.
func (r *run) with(a *attempt, more trace.Event) []trace.Event {
	at := max(a.start, a.end)
	more.At = r.events[at].At
	return slices.Insert(slices.Clone(r.events), at+1, more)
}
