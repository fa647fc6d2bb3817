package faults

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const malformedResponseName = "malformed_response"

var malformedResponse = &Kind{
	Name:       malformedResponseName,
	AlsoCalled: []string{"malformed", "malformed_response_chunk", "invalid_json"},
	Summary:    "A 200 whose body cannot be parsed, or a stream with one such event; from a database, bytes that are not messages of its protocol.",
	For:        services,
	Groups:     []Group{GroupGarbled},
	Attrs: []schema.Attr{
		{Name: "raw", Type: schema.String, Default: `"not valid json"`, Doc: "The bytes."},
		{Name: "raw_base64", Type: schema.String, Doc: "The bytes in base64, in place of `raw`."},
		{Name: "where", Type: schema.String, Default: `"body"`, OneOf: []string{"body", "frame"}, Doc: "`body`: the bytes are the whole body. `frame`: they are the data of one well-formed event of a stream that is otherwise whole."},
		{Name: "frame", Type: schema.Int, Default: "1", Min: 1, HasMin: true, Doc: "With `where = \"frame\"`: which event, counted from 1."},
	},
	Answerless: func(args schema.Values) bool { return args["where"] != "frame" },
	Fails:      func(args schema.Values) bool { return args["where"] != "frame" },
	Tried:      each(0, schema.Values{}, schema.Values{"where": "frame"}),
	Script:     strikeMalformedResponse,
}

const malformedDefault = "not valid json"

// strikeMalformedResponse sends bytes that no adapter can read.
func strikeMalformedResponse(s Strike) (wire.WireScript, error) {
	raw, err := s.malformedBytes()
	if err != nil {
		return wire.WireScript{}, err
	}
	var resp wire.Response
	switch where := s.text("where"); where {
	case "", "body":
		resp = s.unreadable(raw)
	case "frame":
		if resp, err = s.badFrame(raw); err != nil {
			return wire.WireScript{}, err
		}
	default:
		return wire.WireScript{}, fmt.Errorf("where is %q: it is body or frame", where)
	}
	resp.Wait = s.wait(resp.Wait)
	return resp.Script(s.labelled(malformedResponseName)), nil
}

// unreadable is an answer that is nothing but raw.
func (s Strike) unreadable(raw []byte) wire.Response {
	if open := s.opening(); open != nil {
		return wire.Response{Opening: open, Parts: []wire.Part{{Data: raw}}, End: wire.EndFIN}
	}
	return answer(http.StatusOK, "application/json", raw)
}

// malformedBytes takes a raw that is only the default for none, so that it
// does not exclude raw_base64.
func (s Strike) malformedBytes() ([]byte, error) {
	if s.has("raw_base64") && s.text("raw") == malformedDefault {
		s.Args = map[string]any{"raw_base64": s.Args["raw_base64"]}
	}
	if err := s.only("raw", "raw_base64"); err != nil {
		return nil, err
	}
	return s.rawBytes(malformedDefault)
}

// badFrame is the disturbed stream with the data of one event replaced.
func (s Strike) badFrame(raw []byte) (wire.Response, error) {
	resp, _ := s.disturbed(1)
	if !resp.Stream {
		return resp, errors.New(`where = "frame" needs a stream: set stream = true on the step, or where = "body"`)
	}
	frame := s.number("frame", 1)
	if frame < 1 || frame > len(resp.Parts) {
		return resp, fmt.Errorf("frame is %d, but the stream has the events 1 to %d", frame, len(resp.Parts))
	}
	resp.Parts[frame-1].Data = withData(resp.Parts[frame-1].Data, raw)
	return resp, nil
}

// withData is an event of a stream with other data, a line for each of its own.
// The other fields of a server-sent event stay: a client that goes by the name of
// an event would pass one without a name over. Where events are lines of JSON, the
// line is the data.
func withData(event, data []byte) []byte {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	var b []byte
	sse := false
	for line := range bytes.Lines(event) {
		switch {
		case bytes.HasPrefix(line, []byte("data:")):
			sse = true
		case len(bytes.TrimSpace(line)) > 0:
			b = append(b, line...)
		}
	}
	if !sse {
		return append(bytes.Clone(data), '\n')
	}
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		b = append(b, "data: "...)
		b = append(b, line...)
		b = append(b, '\n')
	}
	return append(b, '\n')
}
