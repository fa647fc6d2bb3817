package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// subjectOf names what an event is about: a step by its address, or a call of
// the scenario, of which there may be several.
func subjectOf(e *trace.Event) string {
	switch {
	case e.Step != "":
		return e.Step
	case e.Call != "" && e.Iteration > 0:
		return fmt.Sprintf("%s[%d]", e.Call, e.Iteration-1)
	}
	return e.Call
}

// service puts what actors do on rows of their own: the sessions of a handler,
// who holds a lock or a connection, and who waits for one.
func (p *picture) service(e *trace.Event) {
	switch e.Type {
	case trace.SessionStart:
		p.row("session "+e.Actor+"."+e.Text("handler")).begin(e, sessionOf(e))
	case trace.SessionEnd:
		p.row("session "+e.Actor+"."+e.Text("handler")).finish(e, sessionOf(e))
	case trace.LockWait:
		p.part("lock", e).wait(e)
	case trace.Lock:
		s := p.part("lock", e)
		s.served(e)
		s.begin(e, subjectOf(e))
	case trace.Unlock:
		p.part("lock", e).finish(e, subjectOf(e))
	case trace.Pool:
		p.connection(e)
	}
}

func (p *picture) connection(e *trace.Event) {
	s := p.part("pool", e)
	switch e.Text("action") {
	case "wait":
		s.wait(e)
	case "acquire":
		s.served(e)
		s.begin(e, subjectOf(e))
	case "release":
		s.finish(e, subjectOf(e))
	case "timeout":
		s.served(e)
		s.moments = append(s.moments, mark{e.At, struck, moment(e), e.Seq})
	}
}

func sessionOf(e *trace.Event) string { return fmt.Sprint(e.Int("session")) }

// part is the row of a lock or pool. Its spans end without a sign: that
// somebody gives it back is no success.
func (p *picture) part(kind string, e *trace.Event) *stepRow {
	s := p.row(partName(kind, e))
	s.quiet = true
	return s
}

func partName(kind string, e *trace.Event) string {
	name := e.Text(kind)
	if e.Actor != "" {
		name = e.Actor + "." + name
	}
	return kind + " " + name
}

// begin opens a span that the event with the same key closes.
func (s *stepRow) begin(e *trace.Event, key string) {
	s.spans = append(s.spans, stepSpan{span: span{e.At, e.At}, open: true, key: key})
}

// finish closes the last open span with a key. Those that are open are among
// the last, of however many.
func (s *stepRow) finish(e *trace.Event, key string) {
	for i := len(s.spans) - 1; i >= 0; i-- {
		if r := &s.spans[i]; r.open && r.key == key {
			r.to, r.open, r.status, r.seq = e.At, false, e.Text("status"), e.Seq
			return
		}
	}
}

// waiting is a wait that has not ended.
const waiting = time.Duration(1<<63 - 1)

func (s *stepRow) wait(e *trace.Event) {
	s.waits = append(s.waits, span{e.At, waiting})
	s.waiters = append(s.waiters, subjectOf(e))
}

// served ends the wait of whom an event is about, if one waited.
func (s *stepRow) served(e *trace.Event) {
	for s.queue < len(s.waits) && s.waits[s.queue].to != waiting {
		s.queue++
	}
	who := subjectOf(e)
	for i := s.queue; i < len(s.waits); i++ {
		if s.waiters[i] == who && s.waits[i].to == waiting {
			s.waits[i].to = e.At
			return
		}
	}
}

// circle says with whom a call waits that cannot go on before one of them is ended.
func circle(e *trace.Event) string {
	if list, ok := e.Attr("circle").([]string); ok && len(list) > 0 {
		return ": in a circle, as " + strings.Join(list[1:], ", ")
	}
	return ""
}

// serviceMoment is what a line of the timeline says of an event about actors.
func serviceMoment(e *trace.Event) string {
	switch e.Type {
	case trace.SessionStart:
		text := fmt.Sprintf("  session %d of %s.%s, for %s", e.Int("session"), e.Actor, e.Text("handler"), subjectOf(e))
		if waited, _ := e.Attr("waited_ns").(time.Duration); waited > 0 {
			text += ", after a wait of " + virtual(waited)
		}
		return text
	case trace.SessionEnd:
		return fmt.Sprintf("  session %d of %s.%s %s", e.Int("session"), e.Actor, e.Text("handler"), e.Text("status"))
	case trace.LockWait:
		return fmt.Sprintf("  %s waits for %s, held by %s", subjectOf(e), partName("lock", e), e.Text("holder")) + circle(e)
	case trace.Pool:
		switch e.Text("action") {
		case "wait":
			return fmt.Sprintf("  %s waits for %s", subjectOf(e), partName("pool", e)) + circle(e)
		case "timeout":
			return fmt.Sprintf("  %s gets nothing of %s", subjectOf(e), partName("pool", e))
		}
	case trace.Route:
		if outcome := e.Text("outcome"); outcome != "success" && e.Text("handler") != "" {
			return fmt.Sprintf("  %s.%s for %s: %s", e.Actor, e.Text("handler"), subjectOf(e), outcome)
		}
	case trace.Registry:
		return registryMoment(e)
	}
	return ""
}

// registryMoment says how an actor, an entry of a registry or a module changed.
func registryMoment(e *trace.Event) string {
	to := e.Text("to")
	if reason := e.Text("reason"); reason != "" {
		to += " (" + reason + ")"
	}
	switch {
	case e.Text("module") != "":
		return fmt.Sprintf("module %s of %s: %s", e.Text("module"), e.Actor, to)
	case e.Text("registry") != "":
		return fmt.Sprintf("registry %s: %s %s", e.Text("registry"), e.Actor, to)
	}
	return fmt.Sprintf("actor %s: %s", e.Actor, to)
}
