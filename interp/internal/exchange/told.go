package exchange

import (
	"cmp"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/wire"
)

// TellAnswer writes what a provider of a family answered into the answer of a
// step, also before a failure, and returns its value: what dependants read by
// default. What the family does not have stays as it is.
func (m *Recall) TellAnswer(family string, a *event.Answer, out providers.Output) cty.Value {
	switch family {
	case "llm":
		a.Chunks = out.Chunks
		a.HasContent = out.Content != "" || len(out.ToolCalls) > 0 || answered(out)
		a.Content, a.FinishReason, a.Model = out.Content, out.FinishReason, out.Model
		return cty.StringVal(out.Content)
	case "mcp":
		a.Chunks = out.Chunks
		a.HasContent = out.Result != nil
		a.Content, a.IsError = out.Content, out.IsError
		_, value := m.json(out.Structured)
		_, result := m.json(out.Result)
		a.Structured, a.JSON = event.Value{Value: value}, event.Value{Value: result}
		a.Progress = event.Value{Value: progressVal(out.Progress)}
		return orText(value, out.Content)
	case "sql":
		a.HasContent, a.Affected = out.Complete, out.Affected
		rows := dsl.CtyValue(sql.Objects(out))
		a.Rows = event.Value{Value: rows}
		switch {
		case out.Rows != nil:
			return rows
		case out.Affected != nil:
			return cty.NumberIntVal(int64(*out.Affected))
		}
		return cty.NilVal
	}
	a.Chunks = out.Chunks
	a.HasContent = out.StatusCode != 0
	var value cty.Value
	a.Body, value = m.json(out.Body)
	a.Headers, a.JSON = m.Header(out.Headers), event.Value{Value: value}
	return orText(value, a.Body)
}

// answered reports whether a model answered, if only with nothing: a refusal is read
// to its end as well, and says neither how the answer ended nor what it is called.
func answered(out providers.Output) bool {
	return out.Complete && (out.FinishReason != "" || out.Model != "" || out.ID != "")
}

// orText is a value, the text where it is null.
func orText(v cty.Value, text string) cty.Value {
	if v.IsNull() {
		return cty.StringVal(text)
	}
	return v
}

func progressVal(list []providers.Progress) cty.Value {
	if list == nil {
		return read.Null
	}
	return read.TupleVal(list, func(p providers.Progress) cty.Value {
		total := read.Null
		if p.Total != 0 {
			total = cty.NumberFloatVal(p.Total)
		}
		return cty.ObjectVal(map[string]cty.Value{"progress": cty.NumberFloatVal(p.Progress), "total": total, "message": read.TextOrNull(p.Message)})
	})
}

// An Ended is an attempt that has ended, as its end tells it.
type Ended struct {
	Outcome string
	Failure *failure.Failure // nil for none
	Told    *event.Failed    // the same for the trace
	Family  string
	Meta    wire.Meta
	Status  int
	Headers map[string]string
	Output  *providers.Output
}

// Ended says what an attempt met.
func (m *Recall) Ended(x *Ended) *event.AttemptEnd {
	out := x.Output
	end := &event.AttemptEnd{
		Failed: x.Told, StatusCode: cmp.Or(event.StatusOf(x.Failure), x.Status), Outcome: x.Outcome, By: x.Meta.By, Entry: x.Meta.Entry, FaultType: x.Meta.Fault,
		Headers: x.Headers, Chunks: out.Chunks, Complete: out.Complete, FinishReason: out.FinishReason,
		ToolCalls: out.ToolCalls, Usage: event.Usage{Usage: out.Usage}, CostUSD: out.CostUSD,
	}
	if x.Family == "llm" {
		end.Model = out.Model
	}
	if x.Family != "llm" && len(out.Chunks) == 0 && len(out.Body) > 0 {
		end.Content = contentOf(m, out.Body)
	} else {
		end.Content = contentOf(m, out.Content)
	}
	for _, chunk := range out.Chunks {
		m.kept += len(chunk)
	}
	return end
}
