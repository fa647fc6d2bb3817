// Package event holds what the events of a run say: one struct for each type
// of event, whose fields are its attributes. The engine and the actors fill
// them, the fold of a run reads them, and their tags are all that encoding,
// decoding, hiding and the reference know of them.
//
//	r.emit(trace.Event{Step: s.Name, Payload: &event.RetryWait{Delay: d.Wait, Retry: round}})
//
// A new attribute is a field here:
//
//	Delay time.Duration `attr:"delay_ns,always" doc:"how long it waits"`
//
// The attributes of a step's result are the fields of [Answer], which the
// engine gathers, the end of the step carries and the result of the step
// holds. So one more is a line in step.go, and a row in
// interp/internal/observe/fields*.go says how conditions read it; nothing else
// has to know of it but the code that sets it.
//
// A new type of event is a struct with its method EventType, and a line in
// [Types].
package event
