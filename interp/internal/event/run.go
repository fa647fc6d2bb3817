package event

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/trace"
)

// RunStart is the payload of trace.RunStart.
type RunStart struct {
	Workflow string `attr:"workflow" doc:"name of the workflow, absent where only actors are driven"`
	Inputs   Value  `attr:"inputs,outside" type:"object" doc:"inputs after defaults, redacted"`
	RunID    RunID  `attr:"run_id" type:"string" doc:"id of the run, derived from plan and seed"`
	Way      string `attr:"way" doc:"how a program is driven: exec, serve or go; absent where the workflow runs"`
	Session  int    `attr:"session" type:"number" doc:"session of the actor whose work the workflow is"`
}

// EventType implements trace.Payload.
func (*RunStart) EventType() trace.Type { return trace.RunStart }

// RunEnd is the payload of trace.RunEnd.
type RunEnd struct {
	*Failed
	StatusCode    int            `attr:"status_code" doc:"HTTP status"`
	Status        string         `attr:"status" doc:"success, partial, failed, timeout or cancelled"`
	Output        Value          `attr:"output,outside" doc:"output of the run"`
	CostUSD       float64        `attr:"cost_usd" doc:"cost of all attempts"`
	FailedStep    string         `attr:"failed_step" doc:"first failed required step"`
	FailedAttempt int            `attr:"failed_attempt" doc:"attempt that the failure was observed in"`
	FailedTarget  string         `attr:"failed_target" doc:"target that the failure was observed on"`
	RunID         RunID          `attr:"run_id" type:"string" doc:"id of the run"`
	Met           []string       `attr:"met" doc:"events of the scenario that cancelled it"`
	PartialResult *PartialResult `attr:"partial_result,outside" type:"object" doc:"what is there of the run: steps by what became of them, ratio, hint"`
}

// EventType implements trace.Payload.
func (*RunEnd) EventType() trace.Type { return trace.RunEnd }

// A PartialResult is what a run that did not succeed has to show.
type PartialResult struct {
	Completed, Failed, Skipped, Remaining []string
	Ratio                                 float64
	Recoverable                           bool
	Hint                                  string
	Data                                  map[string]cty.Value
}

// AppendJSON implements trace.Value.
func (p PartialResult) AppendJSON(dst []byte) []byte {
	data := make(map[string]any, len(p.Data))
	for name, v := range p.Data {
		data[name] = Value{v}
	}
	return trace.AppendValue(dst, map[string]any{
		"data": data, "completed_steps": p.Completed, "completion_ratio": p.Ratio, "failed_steps": p.Failed, "hint": p.Hint,
		"recoverable": p.Recoverable, "remaining_steps": p.Remaining, "skipped_steps": p.Skipped,
	})
}

// UnmarshalJSON reads what AppendJSON wrote.
func (p *PartialResult) UnmarshalJSON(text []byte) error {
	var in struct {
		Data        map[string]Value `json:"data"`
		Completed   []string         `json:"completed_steps"`
		Ratio       float64          `json:"completion_ratio"`
		Failed      []string         `json:"failed_steps"`
		Hint        string           `json:"hint"`
		Recoverable bool             `json:"recoverable"`
		Remaining   []string         `json:"remaining_steps"`
		Skipped     []string         `json:"skipped_steps"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*p = PartialResult{in.Completed, in.Failed, in.Skipped, in.Remaining, in.Ratio, in.Recoverable, in.Hint, make(map[string]cty.Value, len(in.Data))}
	for name, v := range in.Data {
		p.Data[name] = v.Value
	}
	return nil
}

// AppendNulls implements trace.Nullable. An output that is null as a whole is
// told.
func (p *PartialResult) AppendNulls(list []string, at string) []string {
	for _, name := range slices.Sorted(maps.Keys(p.Data)) {
		list = appendNulls(list, p.Data[name], at+"/data/"+escapePointer.Replace(name))
	}
	return list
}

// SetNulls implements trace.Nullable.
func (p *PartialResult) SetNulls(places []string) {
	v := Value{cty.ObjectVal(map[string]cty.Value{"data": cty.ObjectVal(p.Data)})}
	v.SetNulls(places)
	p.Data = v.GetAttr("data").AsValueMap()
}
