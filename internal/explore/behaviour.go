package explore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"github.com/scenario-lang/scenario/internal/pattern"
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
type reader struct {
	attrs map[trace.Type][]string
	pick  *trace.Pick
	// drawn says that keys and identifiers may be drawn anew in each run: they are
	// counted, and not read.
	drawn bool
}

// newReader makes that of a plan.
func newReader(plan []byte) reader {
	r := reader{attrs: map[trace.Type][]string{}}
	for _, t := range interp.EventTypes() {
		for _, a := range t.Attrs {
			if !told[a.Name] || bytes.Contains(plan, []byte("."+a.Name)) {
				r.attrs[t.Type] = append(r.attrs[t.Type], a.Name)
			}
		}
	}
	r.pick = trace.NewPick(func(t trace.Type, key string) bool { return slices.Contains(r.attrs[t], key) })
	return r
}

// of is the reader of a world: programs draw what the interpreter draws from a seed.
func (r reader) of(w *World) reader {
	r.drawn = w.Program != nil
	return r
}

// buffers hold what behaviours were made of, to be written over.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// behaviour is that of a trace.
func (r reader) behaviour(events []trace.Event) behaviour {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	text, known := (*buffer)[:0], map[string]int{}
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
		from := len(text)
		text = r.pick.Append(text, e)
		if r.drawn {
			text = append(text[:from], veiled(text[from:], e.Text("idempotency_key"), known)...)
		}
	}
	*buffer = text
	sum := sha256.Sum256(text)
	return behaviour(sum[:16])
}

// drawnShape is that of identifiers that programs draw: UUIDs, and as many random digits.
var drawnShape = pattern.New(`[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{32,}`)

// veiled replaces a key, and what has the shape of a random identifier, by its number
// among those that are known: two runs that draw others are alike, if the same ones come
// back in the same places.
func veiled(text []byte, key string, known map[string]int) []byte {
	number := func(b []byte) []byte {
		n, ok := known[string(b)]
		if !ok {
			n = len(known)
			known[string(b)] = n
		}
		return fmt.Appendf(nil, "\x00%d\x00", n)
	}
	if key != "" {
		text = bytes.ReplaceAll(text, []byte(key), number([]byte(key)))
	}
	return drawnShape().ReplaceAllFunc(text, number)
}
