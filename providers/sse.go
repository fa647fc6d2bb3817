package providers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// EventMax bounds one line, and the data of one event, of an event stream.
const EventMax = 16 << 20

// ErrCutEvent is returned by [EventReader.Next] for a stream that ends inside
// an event. The event is not delivered: a reader that accepted it would take a
// cut answer for a whole one.
var ErrCutEvent = errors.New("the event stream ends inside an event")

// ErrTooLarge is wrapped by the errors of readers that met one of their limits.
var ErrTooLarge = errors.New("too large")

// An Event is one event of a stream in the format of the HTML standard's
// server-sent events.
type Event struct {
	// Name is the event's type, "" where the stream names none.
	Name string
	// Data holds the data lines, joined by line feeds. It is valid until the
	// next call of Next.
	Data []byte
	// ID is the last id the stream gave, this event's or an earlier one's.
	ID string
	// Retry is the reconnection time in milliseconds; HasRetry tells a given
	// zero from an absent one.
	Retry    int
	HasRetry bool
}

// An EventReader reads server-sent events as their bytes arrive: it never asks
// its source for more while it holds a whole event. Lines end in LF, CRLF or
// CR; comments and unknown fields are passed over, and so is an event without
// data, as the standard says. It is for one goroutine.
type EventReader struct {
	lines   lineReader
	event   Event
	data    []byte
	hasData bool
	// open says that a field of the next event was read.
	open    bool
	started bool
	max     int
}

// NewEventReader reads events from r.
func NewEventReader(r io.Reader) *EventReader {
	return &EventReader{lines: lineReader{source: r, max: EventMax}, max: EventMax}
}

// Next returns the next event. It returns io.EOF at the end of a stream whose
// last event is whole, [ErrCutEvent] at any other end, an error that wraps
// [ErrTooLarge] beyond [EventMax], and the source's own errors as they are,
// whatever of an event came before them.
func (r *EventReader) Next() (Event, error) {
	r.data, r.hasData = r.data[:0], false
	r.event = Event{ID: r.event.ID}
	for {
		line, err := r.lines.next()
		if err != nil {
			return Event{}, r.ended(err, line)
		}
		if !r.started {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
			r.started = true
		}
		if len(line) > 0 {
			if err := r.field(line); err != nil {
				return Event{}, err
			}
			continue
		}
		r.open = false
		if r.hasData {
			r.event.Data = r.data
			return r.event, nil
		}
		r.event = Event{ID: r.event.ID}
	}
}

// ended tells the end of the stream between two events from one inside.
func (r *EventReader) ended(err error, rest []byte) error {
	if err == io.EOF && (r.open || (len(rest) > 0 && rest[0] != ':')) {
		return ErrCutEvent
	}
	return err
}

func (r *EventReader) field(line []byte) error {
	name, value, _ := bytes.Cut(line, []byte(":"))
	if len(name) == 0 {
		return nil // a comment
	}
	r.open = true
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		return r.appendData(value)
	case "event":
		r.event.Name = string(value)
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			r.event.ID = string(value)
		}
	case "retry":
		if n, err := strconv.ParseUint(string(value), 10, 31); err == nil {
			r.event.Retry, r.event.HasRetry = int(n), true
		}
	}
	return nil
}

func (r *EventReader) appendData(value []byte) error {
	if len(r.data)+len(value) > r.max {
		return fmt.Errorf("an event of more than %d bytes: %w", r.max, ErrTooLarge)
	}
	if r.hasData {
		r.data = append(r.data, '\n')
	}
	r.data, r.hasData = append(r.data, value...), true
	return nil
}

// AppendEvent appends one event to dst: a name where there is one, then the
// data, a line each. Every kind of line break in data starts a new line, so a
// reader sees them all as line feeds.
func AppendEvent(dst []byte, name string, data []byte) []byte {
	dst = appendName(dst, name)
	for more := true; more; {
		var line []byte
		line, data, more = cutLine(data)
		dst = append(dst, eventData...)
		dst = append(dst, line...)
		dst = append(dst, '\n')
	}
	return append(dst, '\n')
}

// eventData begins a line of data.
const eventData = "data: "

func appendName(dst []byte, name string) []byte {
	if name == "" {
		return dst
	}
	dst = append(dst, "event: "...)
	dst = append(dst, name...)
	return append(dst, '\n')
}

func cutLine(data []byte) (line, rest []byte, more bool) {
	i := bytes.IndexAny(data, "\r\n")
	if i < 0 {
		return data, nil, false
	}
	rest = data[i+1:]
	if data[i] == '\r' {
		rest = bytes.TrimPrefix(rest, []byte("\n"))
	}
	return data[:i], rest, true
}
