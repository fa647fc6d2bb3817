// Package lastsession tells what a name reads of a step of a handler, which is its last session,
// where the same of all sessions is, and how often a scenario may call a handler:
//
//	path, whole := lastsession.Path(t) // actor.desk.ask.pay.attempts, true
//	if whole && count.Often(target) {
//		warn(t, lastsession.All(step, "attempts"))
//	}
package lastsession

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// ofAll are the attributes of a step that tell of all of its attempts, with where those of
// all sessions are.
var ofAll = map[string]string{
	"attempts":   `events({ type = "attempt_end", step = %q })`,
	"rejections": `events({ type = "rejection", step = %q })`,
	"delays_ms":  `events({ type = "retry_wait", step = %q })`,
	"retries":    `length(events({ type = "retry_wait", step = %q }))`,
	"cost_usd":   `the cost of the calls, such as call.NAME.cost_usd`,
}

// TellsAll reports whether an attribute of a step tells of all of its attempts.
func TellsAll(attr string) bool { return ofAll[attr] != "" }

// All says where what an attribute tells of a step is for all sessions.
func All(n *plan.Node, attr string) string {
	all := ofAll[attr]
	switch g := n.Step.Gateway; {
	case attr == "cost_usd":
	case attr != "attempts":
		all = fmt.Sprintf(all, n.Name)
	case n.Step.Kind == plan.KindCall:
		all = fmt.Sprintf(`events({ type = "route", step = %q })`, n.Name)
	case g != nil && len(g.Targets) == 1:
		all = fmt.Sprintf(all+", and with those of whatever else calls the target in target.%s.attempts", n.Name, g.Targets[0].Name)
	default:
		all = fmt.Sprintf(all, n.Name)
	}
	return all
}

// Path is what a reference below actor.NAME.handlers.HANDLER names: the address of a step,
// attributes, and as much as can be told of what is behind them. Whole says that this is all
// of it, and no element of a list. It is "" for any other reference.
func Path(t hcl.Traversal) (path string, whole bool) {
	if part, _ := read.AttrName(t, 2); t.RootName() != "actor" || part != "handlers" {
		return "", false
	}
	names := []string{"actor"}
	for i := 1; i < len(t); i++ {
		name, named := read.AttrName(t, i)
		if !named {
			return strings.Join(names, "."), false
		}
		if i != 2 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "."), true
}
