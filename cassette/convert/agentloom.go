package convert

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/scenario-lang/scenario/cassette/agentloom"
	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/foreign"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// importAgentLoom reads response files of AgentLoom: answers by the id of a
// step, or by the hash of a request. A cassette block plays such a file as it
// is; the import makes scripts of it that can be edited.
var importAgentLoom = importer{name: "agentloom", is: foreign.IsAgentLoom, read: readAgentLoom}

var requestHash = pattern.New(`^[0-9a-f]{64}$`)

func readAgentLoom(r *importReader, root *yaml.Node) error {
	scripts, warnings, err := agentloom.Parse(root)
	if err != nil {
		return err
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if key := root.Content[i]; strings.HasPrefix(key.Value, "_") && key.Value != "_version" {
			r.note(key, "the key "+strconv.Quote(flaw.Shorten(key.Value)), "is left out: it says nothing about an answer")
		}
	}
	r.out.Notes = append(r.out.Notes, warnings...)
	d := &Draft{Provider: "openai", Model: "gpt-4o-mini"}
	names := namer{}
	for _, s := range scripts {
		d.Cases = append(d.Cases, r.loomCase(s, names))
	}
	if len(d.Cases) == 0 {
		return flaw.New(root.Line, "give a step an answer", "there is nothing to import")
	}
	r.out.Draft = d
	return nil
}

// loomCase is the script of one key. The file has no requests, so the prompt is
// to be written.
func (r *importReader) loomCase(s *agentloom.Script, names namer) *Case {
	name, at := s.Key, &yaml.Node{Line: s.Line}
	step := &DraftStep{Name: identifier(s.Key), Safe: true, Endless: true}
	if requestHash().MatchString(s.Key) {
		name = "request " + s.Key[:8]
		step.Name = "answer"
		step.Notes = []string{"Request " + s.Key + "."}
		r.note(at, "the hash of a request", "does not say what was asked: write the prompt into the step")
	} else {
		r.note(at, "a step id", "says nothing about the request: write the prompt into the step")
	}
	step.Request = []Attr{{"prompt", "…"}}
	for _, t := range s.Turns {
		step.Entries = append(step.Entries, r.loomEntry(t, step))
	}
	return &Case{Name: names.unique(name), Steps: []*DraftStep{step}}
}

func (r *importReader) loomEntry(t agentloom.Turn, step *DraftStep) *Entry {
	e := &Entry{}
	if t.Provider != "" && t.Provider != "openai" {
		r.note(&yaml.Node{Line: t.Line}, "provider = "+strconv.Quote(t.Provider), "is left out: all steps go to the provider that the file begins with")
	}
	if t.HasReply {
		e.Reply = loomReply(t)
	}
	if t.Fault != nil {
		e.Fault, e.Args = t.Fault.Kind, loomArgs(t.Fault)
		e.Fails, e.Again, e.Refused = e.judge()
		if e.Fault == "stream_truncate" {
			step.stream()
		}
	}
	return e
}

func loomReply(t agentloom.Turn) []Attr {
	reply := []Attr{{"content", t.Content}}
	if len(t.ToolCalls) > 0 {
		reply = append(reply, Attr{"tool_calls", callTree(t.ToolCalls)})
	}
	if t.FinishReason != "" && t.FinishReason != "stop" {
		reply = append(reply, Attr{"finish_reason", t.FinishReason})
	}
	if u := t.Usage; u != nil {
		reply = append(reply, Attr{"usage", []Attr{{"prompt_tokens", u.Prompt}, {"completion_tokens", u.Completion}, {"total_tokens", u.Total}}})
	}
	if t.Model != "" {
		reply = append(reply, Attr{"model", t.Model})
	}
	if t.CostUSD != 0 {
		reply = append(reply, Attr{"cost_usd", t.CostUSD})
	}
	if t.Latency > 0 {
		reply = append(reply, Attr{"latency", wait(t.Latency)})
	}
	return reply
}

// callTree is the value of tool_calls. Arguments are written as the object that
// their text is; text that is none stays as it is.
func callTree(calls []agentloom.ToolCall) []any {
	list := make([]any, len(calls))
	for i, c := range calls {
		var fields []Attr
		if c.ID != "" {
			fields = append(fields, Attr{"id", c.ID})
		}
		var arguments any = c.Arguments
		if tree := yamlnode.FromJSON([]byte(c.Arguments)); tree != nil {
			arguments = treeValue(tree)
		}
		list[i] = append(fields, Attr{"name", c.Name}, Attr{"arguments", arguments})
	}
	return list
}

func loomArgs(f *agentloom.FaultDecl) []Attr {
	var args []Attr
	if f.After != nil {
		args = append(args, Attr{"after", wait(*f.After)})
	} else if f.Kind == "timeout" {
		args = append(args, Attr{"after", "0s"})
	}
	for _, key := range slices.Sorted(maps.Keys(f.Args)) {
		value := f.Args[key]
		if h, ok := value.(map[string]string); ok {
			var fields []Attr
			for _, name := range slices.Sorted(maps.Keys(h)) {
				fields = append(fields, Attr{name, h[name]})
			}
			value = fields
		}
		args = append(args, Attr{key, value})
	}
	return args
}
