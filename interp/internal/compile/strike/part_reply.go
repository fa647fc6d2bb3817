package strike

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
)

// EntryAttrs are the attributes of an entry of a script that say when it answers.
var EntryAttrs = []string{"times", "target", "turn", "iteration", "optional"}

// partReplyAttrs are the attributes of a reply that mean something for an actor.
var partReplyAttrs = []string{"content", "json", "latency"}

// PartReply is the answer of a handler or tool in the place of its own, or, of a
// part, that nothing is wrong with it.
func PartReply(r dsl.Reader, p *plan.Part) *providers.Output {
	allowed := partReplyAttrs
	if p.Word != "actor" {
		allowed = allowed[2:]
	}
	for _, a := range r.Block.Attrs {
		if !slices.Contains(allowed, a.Name) && !slices.Contains(EntryAttrs, a.Name) {
			at{r}.errorf(a.NameRange, "Unknown attribute", "The reply of %s has no attribute %q.%s It has: %s.", p.What, a.Name, dsl.DidYouMean(a.Name, allowed), strings.Join(allowed, ", "))
			return nil
		}
	}
	if r.Has("content") && r.Has("json") {
		r.Errorf("json", "Two answers", "Give either content or json.")
	}
	out := &providers.Output{Latency: r.Duration("latency")}
	var value any
	switch {
	case r.Has("content"):
		value = r.String("content")
	case r.Has("json"):
		value = r.Value("json")
	default:
		return out
	}
	body, err := json.Marshal(value)
	if err != nil {
		at{r}.errorf(r.Block.DefRange, "Wrong reply", "It cannot be written as JSON: %s.", err)
		return nil
	}
	out.Body = body
	return out
}
