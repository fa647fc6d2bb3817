package event

import (
	"encoding/json"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/trace"
)

// Gate is the payload of trace.Gate.
type Gate struct {
	Gate    string `attr:"gate" doc:"name of the gate"`
	Message string `attr:"message,outside" doc:"what it found, for people"`
	File    string `attr:"file" doc:"file it points at"`
	Line    int    `attr:"line" doc:"line it points at"`
	Range   Range  `attr:"range" type:"object" doc:"the whole range it points at: start and end, each with line, column and byte, and the file where it is not the scenario's"`
	Allowed bool   `attr:"allowed" doc:"whether the scenario allows it"`
}

// EventType implements trace.Payload.
func (*Gate) EventType() trace.Type { return trace.Gate }

// Defect is the payload of trace.Defect.
type Defect struct {
	Message string `attr:"message,outside" doc:"why, for people"`
	File    string `attr:"file" doc:"file it points at"`
	Line    int    `attr:"line" doc:"line it points at"`
	Range   Range  `attr:"range" type:"object" doc:"the whole range it points at, as that of a gate"`
}

// EventType implements trace.Payload.
func (*Defect) EventType() trace.Type { return trace.Defect }

// A Range is a range in a file of the plan, which has no name where it is the
// scenario's own: equal runs have equal traces wherever their files are.
type Range struct{ hcl.Range }

// Absent implements trace.Absent.
func (r Range) Absent() bool { return r.Range == hcl.Range{} }

// AppendJSON implements trace.Value.
func (r Range) AppendJSON(dst []byte) []byte {
	at := func(p hcl.Pos) map[string]any {
		return map[string]any{"byte": p.Byte, "column": p.Column, "line": p.Line}
	}
	object := map[string]any{"end": at(r.End), "start": at(r.Start)}
	if r.Filename != "" {
		object["file"] = r.Filename
	}
	return trace.AppendValue(dst, object)
}

// UnmarshalJSON reads what AppendJSON wrote.
func (r *Range) UnmarshalJSON(text []byte) error {
	var in struct {
		File       string
		Start, End hcl.Pos
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	r.Range = hcl.Range{Filename: in.File, Start: in.Start, End: in.End}
	return nil
}
