package recording

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/scenario-lang/scenario/cassette/convert"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/dotted"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// Met makes a scenario file of what programs asked, and what they were answered: one
// scenario for each result, with a script in the place of its scripts and its
// cassette. It imports the file of the results, whose text src is. The error is that
// text's hcl.Diagnostics.
func Met(path string, src []byte, results []*interp.Result) (Promoted, error) {
	file, diags := hclwrite.ParseConfig(dotted.Plain(src, path), path, hcl.InitialPos)
	if diags.HasErrors() {
		return Promoted{}, diags
	}
	text := hclwrite.NewEmptyFile()
	text.Body().SetAttributeRaw("import", valueTokens([]any{"./" + filepath.Base(path)}))
	var out Promoted
	for _, r := range results {
		declared := file.Body().FirstMatchingBlock("scenario", []string{r.Plan.Name})
		scripts, whole := scriptsOf(r.Events)
		if declared == nil || !whole {
			out.LeftOut = append(out.LeftOut, r.Plan)
			continue
		}
		draftOf(text.Body(), declared, scripts, r)
		out.Scenarios++
	}
	out.Text = dsl.Format(text.Bytes())
	return out, nil
}

// draftOf writes a scenario again with what it met as its scripts.
func draftOf(out *hclwrite.Body, declared *hclwrite.Block, scripts []*convert.Block, r *interp.Result) {
	out.AppendNewline()
	body := out.AppendNewBlock("scenario", []string{r.Plan.Name + ", as it was met"}).Body()
	for _, attr := range []string{"run", "inputs", "seed", "allow"} {
		if at := declared.Body().GetAttribute(attr); at != nil {
			body.SetAttributeRaw(attr, at.Expr().BuildTokens(nil))
		}
	}
	first := len(body.Attributes()) == 0
	apart := func() {
		if !first {
			body.AppendNewline()
		}
		first = false
	}
	for _, b := range declared.Body().Blocks() {
		if b.Type() == "sut" {
			apart()
			body.AppendBlock(withoutSecrets(b))
		}
	}
	for _, s := range scripts {
		apart()
		writeBlock(body, s)
	}
	apart()
	if p := r.Program; p != nil && p.ExitCode != nil && *p.ExitCode != 0 {
		check := body.AppendNewBlock("assert", []string{"it ends as it did"}).Body()
		check.SetAttributeRaw("condition", hclwrite.TokensForIdentifier(fmt.Sprintf("sut.exit_code == %d", *p.ExitCode)))
		return
	}
	writeBlock(body, &convert.Block{Type: "expect", Labels: []string{"run"}, Attrs: []convert.Attr{{Name: "status", Value: trace.Status(r.Events)}}})
}

// attempt is what a trace says of one attempt of a program.
type attempt struct {
	Type, Step, Lane, System string
	Attempt                  int
	Outcome, Kind, Cause     string
	Status                   int `json:"status_code"`
	Headers                  map[string]string
	Content, Model           string
	FinishReason             string `json:"finish_reason"`
	Chunks                   []string
	Complete, Stream         bool
	ToolCalls                []struct{ ID, Name, Arguments string } `json:"tool_calls"`
	Usage                    map[string]int
	asked                    *attempt
}

// scriptsOf are the scripts that answer what was asked again, in the order of the
// endpoints' first requests; whole is false where no script can.
func scriptsOf(events []trace.Event) (scripts []*convert.Block, whole bool) {
	asked, by, lanes := map[string]*attempt{}, map[string]*convert.Block{}, map[string]map[string]bool{}
	var ends []*attempt
	for _, e := range events {
		if e.Type != trace.AttemptStart && e.Type != trace.AttemptEnd {
			continue
		}
		a := &attempt{}
		if json.Unmarshal(e.AppendJSON(nil), a) != nil {
			return nil, false
		}
		key := fmt.Sprint(a.Step, " ", a.Attempt)
		if e.Type == trace.AttemptStart {
			asked[key] = a
			if lanes[a.Step] == nil {
				lanes[a.Step] = map[string]bool{}
				by[a.Step] = &convert.Block{Type: "on", Labels: []string{a.Step}}
				scripts = append(scripts, by[a.Step])
			}
			lanes[a.Step][a.Lane] = true
			continue
		}
		a.asked = asked[key]
		ends = append(ends, a)
	}
	slices.SortStableFunc(ends, func(a, b *attempt) int { return a.Attempt - b.Attempt })
	for _, a := range ends {
		entry := a.entry()
		if entry == nil {
			return nil, false
		}
		if len(lanes[a.Step]) > 1 {
			entry.Attrs = append(entry.Attrs, convert.Attr{Name: "optional", Value: true}) // in the other lanes
			entry.Blocks = append(entry.Blocks, &convert.Block{Type: "match", Attrs: []convert.Attr{{Name: "condition", Value: inLane(a.asked.Lane)}}})
		}
		by[a.Step].Blocks = append(by[a.Step].Blocks, entry)
	}
	return scripts, true
}

// inLane is the condition of an entry for one lane.
func inLane(name string) convert.Expr {
	return convert.Expr(fmt.Sprintf("request.lane == %s", hclwrite.TokensForValue(scalar(name)).Bytes()))
}

// entry is what answers the same again, nil where nothing in a script does.
func (a *attempt) entry() *convert.Block {
	b := &convert.Block{Type: "fault"}
	set := func(name string, value any) { b.Attrs = append(b.Attrs, convert.Attr{Name: name, Value: value}) }
	switch {
	case a.asked == nil || a.asked.System == "mcp" || a.asked.System == "postgresql":
		return nil
	case a.Status == 0 && a.Kind == "timeout":
		b.Labels = []string{"timeout"}
	case a.Status == 0 && a.Outcome != "success":
		b.Labels = []string{convert.ResetFault}
	case a.Status >= 400:
		b.Labels = []string{convert.StatusFault}
		set("status_code", a.Status)
		a.setHeaders(set)
		if a.Content != "" {
			set("body", a.Content)
		}
	case !a.Complete && a.asked.Stream:
		b.Labels = []string{convert.CutFault}
		set("chunks", texts(append(slices.Clone(a.Chunks), "…")))
		set("after_chunks", len(a.Chunks))
		if a.Kind == "stream_incomplete" {
			set("end", "clean")
		}
	default:
		b.Type = "reply"
		a.reply(set)
	}
	return b
}

func (a *attempt) reply(set func(string, any)) {
	if a.asked.System == "" || a.asked.System == "http" {
		if a.Status != 200 {
			set("status_code", a.Status)
		}
		a.setHeaders(set)
		set("body", a.Content)
		return
	}
	if len(a.Chunks) > 1 {
		set("chunks", texts(a.Chunks))
	} else if a.Content != "" {
		set("content", a.Content)
	}
	var calls []any
	for _, c := range a.ToolCalls {
		calls = append(calls, []convert.Attr{{Name: "id", Value: c.ID}, {Name: "name", Value: c.Name}, {Name: "arguments", Value: c.Arguments}})
	}
	if calls != nil {
		set("tool_calls", calls)
	}
	if a.FinishReason != "" {
		set("finish_reason", a.FinishReason)
	}
}

// setHeaders writes the fields that a client may read, but for those that are
// computed or hidden.
func (a *attempt) setHeaders(set func(string, any)) {
	var fields []convert.Attr
	for _, name := range slices.Sorted(maps.Keys(a.Headers)) {
		switch value := a.Headers[name]; {
		case name == "content-type" && strings.HasPrefix(value, "application/json") && a.Status >= 400:
		case name == "content-type", name == "location", name == "etag", strings.HasPrefix(name, "retry-after"), strings.HasPrefix(name, "x-ratelimit-"), strings.HasPrefix(name, "x-should-retry"):
			fields = append(fields, convert.Attr{Name: name, Value: value})
		}
	}
	if fields != nil {
		set("headers", fields)
	}
}

func texts(list []string) []any {
	all := make([]any, len(list))
	for i, s := range list {
		all[i] = s
	}
	return all
}
