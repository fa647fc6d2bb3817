package recording

import (
	"github.com/scenario-lang/scenario/cassette"
)

// A Comparison is one cassette with what is answered now.
type Comparison struct {
	*Cassette
	Answers []cassette.Checked
}

// Compare compares what the scenarios met with their cassettes.
func (s *Set) Compare() []Comparison {
	var list []Comparison
	for _, c := range s.list {
		if c.recorder != nil {
			list = append(list, Comparison{c, c.recorder.Check(s.replaced(c))})
		}
	}
	return list
}

// Unanswered are the errors of calls that met no service.
func (c *Comparison) Unanswered() []string { return c.recorder.Unanswered() }

// Count is how many answers changed in a tier, at the gravest.
func (c *Comparison) Count(tier string) int {
	n := 0
	for _, a := range c.Answers {
		if a.Tier() == tier {
			n++
		}
	}
	return n
}
