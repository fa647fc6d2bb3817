package cassette

import "time"

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
