package lint

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
)

// breaks names, for gates that only certain blocks of a scenario can break, those
// blocks.
var breaks = map[string][]string{
	"over_consumed":      {"on", "cassette"},
	"unused_reply":       {"on"},
	"unfired_fault":      {"on", "outage", "event", "hold"},
	"unused_interaction": {"cassette"},
	"drifted":            {"cassette"},
}

// allowed warns of gates that a scenario allows and cannot break.
func (c *checker) allowed() {
	for _, s := range c.file.Body.All("scenario") {
		a := s.Attr("allow")
		if a == nil || !c.own(s) || runsBench(s) {
			continue
		}
		eachText(a.Expr, func(gate string) {
			need := breaks[gate]
			if need != nil && !slices.ContainsFunc(s.Blocks, func(b *dsl.Block) bool {
				return slices.Contains(need, b.Type) || b.Type == "dynamic" && slices.Contains(need, b.Labels[0])
			}) {
				c.warnf(a.NameRange, "Gate that cannot be broken", "Scenario %q allows %q and has no block that could break it, such as %s. Take it out of allow, or it hides what is added later.", s.Name(), gate, strings.Join(need, ", "))
			}
		})
	}
}

// runsBench reports whether a scenario runs a bench, whose own blocks break gates,
// too.
func runsBench(s *dsl.Block) bool {
	refers := references{}
	if a := s.Attr("run"); a != nil {
		refers.add(a.Expr)
	}
	for to := range refers {
		if to.root == "bench" {
			return true
		}
	}
	return false
}
