package cassette

import (
	"fmt"
	"time"
)

// Latency says how long a replayed answer takes. The zero value is as long as
// it took when it was recorded.
type Latency struct {
	constant bool
	wait     time.Duration
}

// NoLatency answers at once.
var NoLatency = Latency{constant: true}

// ConstantLatency answers after d; the parts of a stream then come at once.
func ConstantLatency(d time.Duration) Latency { return Latency{constant: true, wait: max(d, 0)} }

// ParseLatency reads the attribute latency: "recorded" (or ""), "none", or a
// duration.
func ParseLatency(text string) (Latency, error) {
	switch text {
	case "", "recorded":
		return Latency{}, nil
	case "none":
		return NoLatency, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return Latency{}, fmt.Errorf("latency %q is neither \"recorded\" nor \"none\" nor a duration such as \"250ms\"", text)
	}
	return ConstantLatency(d), nil
}

// Apply gives the interaction's answer, or its error, this latency.
func (l Latency) Apply(it *Interaction) {
	if !l.constant {
		return
	}
	it.Duration = l.wait
	it.Response.Wait = l.wait
	for i := range it.Response.Parts {
		it.Response.Parts[i].Wait = 0
	}
}
