package explore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// A behaviour names all runs that nothing can tell apart: their traces are equal in
// all that an invariant, an expression of the workflow or a policy can read.
type behaviour [16]byte

// told are the attributes that say which fault struck, where it stands and in which
// words, and nothing of what it became. Where the file reads one it counts.
var told = map[string]bool{
	"by": true, "chain": true, "entry": true, "error_type": true, "fault_type": true, "file": true, "headers": true, "line": true, "message": true,
	"plan": true, "rule": true, "run_id": true, "stack": true,
}

// A reader knows which attributes of a trace a file can read.
type reader map[trace.Type][]string

// newReader makes that of a plan.
func newReader(plan []byte) reader {
	r := reader{}
	for _, t := range interp.EventTypes() {
		for _, a := range t.Attrs {
			if !told[a.Name] || bytes.Contains(plan, []byte("."+a.Name)) {
				r[t.Type] = append(r[t.Type], a.Name)
			}
		}
	}
	return r
}

// behaviour is that of a trace.
func (r reader) behaviour(events []trace.Event) behaviour {
	text := make([]byte, 0, 4096)
	for i := range events {
		e := &events[i]
		if e.Type == trace.Fault || e.Type == trace.Gate {
			continue
		}
		text = binary.AppendVarint(text, int64(e.At))
		for _, s := range [...]string{string(e.Type), e.Step, e.Call, e.Actor, e.Target} {
			text = append(append(text, s...), 0)
		}
		for _, n := range [...]int{e.Attempt, e.Round, e.Turn, e.Iteration} {
			text = binary.AppendVarint(text, int64(n))
		}
		for _, name := range r[e.Type] {
			if v := e.Attr(name); v != nil {
				text = trace.AppendValue(append(append(text, name...), 0), v)
			}
		}
	}
	sum := sha256.Sum256(text)
	return behaviour(sum[:16])
}
