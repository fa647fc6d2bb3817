package bench

import (
	"encoding/json"
	"time"
)

// addTo adds what is kept to the parts of a trial as results and files name them:
// a JSON answer as the value that it is, any other or the beginning of one as a
// text.
func (k *Kept) addTo(values map[string]any) {
	if k.empty() {
		return
	}
	kept := map[string]any{}
	if e := k.Output; e.Text != "" {
		if text := e.JSON(); text != nil {
			kept["output"] = rawValue(text)
		} else {
			e.addTo(kept, "output_text")
		}
	}
	k.Log.addTo(kept, "stderr")
	k.Judged.addTo(kept, "rubric_stderr")
	if len(k.Broken) > 0 {
		kept["broken"] = k.Broken
	}
	if len(k.Operands) > 0 {
		list := make([]any, len(k.Operands))
		for i, o := range k.Operands {
			list[i] = map[string]any{"text": o.Text, "value": o.Value}
		}
		kept["operands"] = list
	}
	if len(k.Calls) > 0 {
		list := make([]any, len(k.Calls))
		for i := range k.Calls {
			list[i] = k.Calls[i].values()
		}
		kept["calls"] = list
	}
	if k.CallsLeft > 0 {
		kept["calls_left_out"] = k.CallsLeft
	}
	values["kept"] = kept
}

func (e Excerpt) addTo(values map[string]any, name string) {
	if e.Text == "" {
		return
	}
	values[name] = e.Text
	if e.Cut() {
		values[name+"_bytes"] = e.Bytes
	}
}

func (c *Call) values() map[string]any {
	v := map[string]any{"at_ms": c.At.Milliseconds(), "attempt": c.Attempt, "outcome": c.Outcome, "step": c.Step}
	if c.Target != "" {
		v["target"] = c.Target
	}
	if c.What != "" {
		v["what"] = c.What
	}
	c.Asked.addTo(v, "asked")
	c.Answered.addTo(v, "answered")
	return v
}

// A rawValue is JSON that was written before.
type rawValue json.RawMessage

// AppendJSON implements trace.Value.
func (v rawValue) AppendJSON(dst []byte) []byte { return append(dst, compacted(v)...) }

// A keptIn is Kept as files have it.
type keptIn struct {
	Output       json.RawMessage `json:"output"`
	OutputText   string          `json:"output_text"`
	OutputBytes  int             `json:"output_text_bytes"`
	Stderr       string          `json:"stderr"`
	StderrBytes  int             `json:"stderr_bytes"`
	Judged       string          `json:"rubric_stderr"`
	JudgedBytes  int             `json:"rubric_stderr_bytes"`
	Broken       []string        `json:"broken"`
	Operands     []Operand       `json:"operands"`
	Calls        []callIn        `json:"calls"`
	CallsLeftOut int             `json:"calls_left_out"`
}

type callIn struct {
	AtMS          int64 `json:"at_ms"`
	Attempt       int
	Outcome       string
	Step          string
	Target        string
	What          string
	Asked         string
	AskedBytes    int `json:"asked_bytes"`
	Answered      string
	AnsweredBytes int `json:"answered_bytes"`
}

// endsOf is what a program wrote, of which files keep the beginning and the end.
func endsOf(text string, bytes int) Excerpt {
	return Excerpt{Text: text, Bytes: bytes, Ends: bytes > 0}
}

// kept is what a file has of a trial, nil for nothing.
func (in *keptIn) kept() *Kept {
	if in == nil {
		return nil
	}
	k := &Kept{
		Output: Excerpt{Text: in.OutputText, Bytes: in.OutputBytes}, Log: endsOf(in.Stderr, in.StderrBytes), Judged: endsOf(in.Judged, in.JudgedBytes),
		Broken: in.Broken, Operands: in.Operands, CallsLeft: in.CallsLeftOut,
	}
	if len(in.Output) > 0 {
		k.Output = Excerpt{Text: compacted(in.Output)}
	}
	for _, c := range in.Calls {
		k.Calls = append(k.Calls, Call{
			At: time.Duration(c.AtMS) * time.Millisecond, Step: c.Step, Attempt: c.Attempt, Target: c.Target, What: c.What, Outcome: c.Outcome,
			Asked: Excerpt{Text: c.Asked, Bytes: c.AskedBytes}, Answered: Excerpt{Text: c.Answered, Bytes: c.AnsweredBytes},
		})
	}
	return k
}
