package faults

import (
	"fmt"
	"time"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const delayName = "delay"

var delay = &Kind{
	Name:       delayName,
	AlsoCalled: []string{"latency", "late", "slow_response"},
	Summary:    "The answer comes later than it would have. This is not a failure in itself: the caller's deadlines decide. A call of an actor waits before its work begins.",
	For:        services,
	Groups:     []Group{GroupLate},
	Slow:       true,
	Attrs: []schema.Attr{
		{Name: "by", Type: schema.Duration, Default: `"30s"`, Min: 0, HasMin: true, AboveMin: true, Doc: "How much later the first byte comes, in addition to the `latency` of the `reply`."},
	},
	Tried:   func(Figures) []Trial { return nil }, // a search knows the instants of its run
	Told:    func(args schema.Values) string { return fmt.Sprintf("%v late", args["by"]) },
	Example: `by = "5s"`,
	Script:  strikeDelay,
}

func strikeDelay(s Strike) (wire.WireScript, error) {
	by, ok := s.Args["by"].(time.Duration)
	if !ok {
		by = mustDuration(slowDefault)
	}
	if by <= 0 {
		return wire.WireScript{}, fmt.Errorf("by is %s: it is more than 0", by)
	}
	resp, err := s.answered()
	if err != nil {
		return wire.WireScript{}, err
	}
	resp.Wait = s.wait(resp.Wait) + by
	return resp.Script(s.labelled(delayName)), nil
}

// answered is the answer of the entry, or else one that has nothing against the
// work.
func (s Strike) answered() (wire.Response, error) {
	if s.Base != nil {
		return *s.Base, nil
	}
	return s.noted(delayName, "")
}
