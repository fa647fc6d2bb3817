package drive

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// The first words of statements by which a transaction begins and ends, and of those that change rows.
var (
	opening  = []string{"BEGIN", "START"}
	ended    = []string{"COMMIT", "END", "ROLLBACK", "ABORT"}
	changing = []string{"INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE"}
	// brackets are the words by which a check asks for a transaction, and takeBack is that by which it asks
	// that what stood in one did not stay.
	brackets = []string{"BEGIN", "COMMIT"}
	takeBack = "ROLLBACK"
)

// A write is a statement of a program that changes rows.
type write struct {
	endpoint string
	attempt  int
	// within says that a transaction was open on its connection.
	within, succeeded bool
	// before says that a ROLLBACK came after it.
	before bool
}

// Autocommitted says of a write that came over a connection on which no transaction was open, where another write
// of the program stood in one and a check asks for BEGIN or COMMIT: that there is a transaction does not
// say that all that belongs together is in it. It says the same of a write before a ROLLBACK, where a check
// asks for that, and of a ROLLBACK that had nothing to take back. "" for none, and where a check reads the
// order of all events, or over which connection something came. A transaction that no write stands in is told of as
// well, and so is a row that is locked in none, whatever the checks ask for.
func (r *Run) Autocommitted() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if why := r.lockedOutside(); why != "" {
		return why
	}
	back, together := r.asksForTransactions(takeBack), r.endedWell() && r.asksForTransactions(brackets...)
	if !back && !together {
		return ""
	}
	list, begun, idle := r.writes()
	if back {
		kept := slices.IndexFunc(list, func(w *write) bool { return w.succeeded && w.before && !w.within })
		if kept < 0 && idle {
			kept = slices.IndexFunc(list, func(w *write) bool { return w.succeeded && w.before })
		}
		if kept >= 0 {
			w := list[kept]
			return fmt.Sprintf("statement %d of %s was committed before ROLLBACK came, as no transaction was open %s: ROLLBACK did not take it back.\nhint: say what stands between BEGIN and ROLLBACK, such as assert \"together\" { condition = [for e in events() : coalesce(e.step, e.method) if e.type == \"attempt_start\" || contains([\"BEGIN\", \"COMMIT\", \"ROLLBACK\"], e.method)] == [\"BEGIN\", \"%[2]s\", …, \"ROLLBACK\"] }", w.attempt, w.endpoint, map[bool]string{true: "any more", false: "on its connection"}[w.within])
		}
	}
	if !together {
		return ""
	}
	outside := slices.IndexFunc(list, func(w *write) bool { return w.succeeded && !w.within })
	others := slices.ContainsFunc(list, func(w *write) bool { return w.succeeded && w.within })
	if outside < 0 || !others && !begun {
		return ""
	}
	w := list[outside]
	return fmt.Sprintf("statement %d of %s came over a connection without an open transaction, and "+map[bool]string{true: "others stood in one", false: "the one that was begun has no write in it"}[others]+": BEGIN and COMMIT do not show that what belongs together is between them.\nhint: say what is, such as assert \"together\" { condition = [for e in events() : coalesce(e.step, e.method) if e.type == \"attempt_start\" || contains([\"BEGIN\", \"COMMIT\"], e.method)] == [\"BEGIN\", \"%[2]s\", …, \"COMMIT\"] }", w.attempt, w.endpoint)
}

// asksForTransactions reports whether a check has one of some words, such as BEGIN, and none could tell what
// stands between them.
func (r *Run) asksForTransactions(words ...string) (asks bool) {
	orders := false
	reads := func(path hcl.Traversal) {
		for _, part := range path {
			if a, is := part.(hcl.TraverseAttr); is {
				orders = orders || a.Name == "connection" || a.Name == "seq"
			}
		}
	}
	for _, e := range r.plan.Conditions() {
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			switch e := e.(type) {
			case *hclsyntax.FunctionCallExpr:
				orders = orders || e.Name == "events" && read.TypeOfEvents(e) == nil
			case *hclsyntax.ScopeTraversalExpr:
				reads(e.Traversal)
			case *hclsyntax.RelativeTraversalExpr:
				reads(e.Traversal)
			}
			if v, written := dsl.Literal(e); written && v.Type() == cty.String && !v.IsNull() {
				asks = asks || slices.Contains(words, strings.ToUpper(v.AsString()))
			}
		})
	}
	return asks && !orders
}

// lockedOutside says of a statement that locks rows that no transaction was open on its connection: the lock
// ends with the statement. "" for none.
func (r *Run) lockedOutside() string {
	open := map[int]bool{}
	for _, e := range r.Log.Events() {
		switch p := e.Payload.(type) {
		case *event.Message:
			if slices.Contains(opening, p.Method) || p.Method == "SET" && strings.Contains(strings.ToUpper(fmt.Sprint(p.Params.Plain)), "AUTOCOMMIT") {
				open[p.Connection] = true
			} else if slices.Contains(ended, p.Method) && p.Method != takeBack {
				open[p.Connection] = false
			}
		case *event.AttemptStart:
			if p.Statement == "" || p.Asker == nil || p.Connection == 0 || open[p.Connection] || read.Verb(p.Statement) != "SELECT" || !locking().MatchString(p.Statement) {
				continue
			}
			return fmt.Sprintf("statement %d of %s locks rows with %s, and no transaction is open on its connection: the lock ends with the statement, and nothing is kept out.\nhint: send BEGIN before it, and COMMIT behind what the lock is for", e.Attempt, e.Step, strings.ToUpper(strings.Join(strings.Fields(locking().FindString(p.Statement)), " ")))
		}
	}
	return ""
}

// locking is what locks the rows of a SELECT.
var locking = pattern.New(`(?i)\bFOR\s+(NO\s+KEY\s+UPDATE|UPDATE|KEY\s+SHARE|SHARE)\b`)

// writes are those that a program sent, in order. begun says that it began a transaction, and idle that each
// ROLLBACK came over a connection on which none was open.
func (r *Run) writes() (list []*write, begun, idle bool) {
	open, manual := map[int]bool{}, map[int]bool{} // by connection
	type place struct {
		endpoint string
		attempt  int
	}
	under := map[place]*write{}
	idle, seen := true, 0
	for _, e := range r.Log.Events() {
		switch p := e.Payload.(type) {
		case *event.Message:
			said := strings.ToUpper(fmt.Sprint(p.Params.Plain))
			switch {
			case slices.Contains(opening, p.Method):
				open[p.Connection], begun = true, true
			case p.Method == "SET" && strings.Contains(said, "AUTOCOMMIT"):
				manual[p.Connection] = true
			case isBack(p.Method) && backTo().MatchString(said):
				// The transaction goes on from a savepoint.
			case slices.Contains(ended, p.Method):
				if isBack(p.Method) && p.Connection > 0 {
					idle = idle && !open[p.Connection] && !manual[p.Connection]
					for _, w := range list[seen:] {
						w.before = true
					}
					seen = len(list)
				}
				open[p.Connection] = false
			}
		case *event.AttemptStart:
			if p.Statement == "" || p.Asker == nil || p.Connection == 0 || !slices.Contains(changing, read.Verb(p.Statement)) {
				continue
			}
			w := &write{endpoint: e.Step, attempt: e.Attempt, within: open[p.Connection] || manual[p.Connection]}
			list, under[place{e.Step, e.Attempt}] = append(list, w), w
		case *event.AttemptEnd:
			if w := under[place{e.Step, e.Attempt}]; w != nil {
				w.succeeded = p.Outcome == read.StatusSuccess
			}
		}
	}
	return list, begun, idle
}

// isBack reports whether the first word of a statement takes something back.
func isBack(method string) bool { return method == takeBack || method == "ABORT" }

// backTo is a statement that goes back to a savepoint.
var backTo = pattern.New(`\bROLLBACK\s+(WORK\s+|TRANSACTION\s+)?TO\b`)
