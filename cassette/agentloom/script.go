package agentloom

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/internal/python"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"gopkg.in/yaml.v3"
)

// A Script is what a response file answers for one key.
type Script struct {
	// Key is the id of a step, or, where no step is called so, the hash of a
	// request; see [Prompt.Hashes].
	Key string
	// Line is where it begins in the file.
	Line int
	// Turns are its answers in order. Past the last one, that is repeated.
	Turns []Turn
}

// A Turn is one answer of a [Script]: a reply, a fault, or a fault with the
// reply that it disturbs.
type Turn struct {
	Line int
	// HasReply says that there is an answer's content.
	HasReply     bool
	Content      string
	Provider     string
	Model        string // that of the request where it is empty
	FinishReason string
	ToolCalls    []ToolCall
	Usage        *Usage // nil where nothing is said
	CostUSD      float64
	Latency      time.Duration
	Fault        *FaultDecl
}

// A ToolCall is a call that the recorded model asked for. Arguments is JSON.
type ToolCall struct{ ID, Name, Arguments string }

// Usage counts tokens.
type Usage struct{ Prompt, Completion, Total int }

// A FaultDecl is a declared fault, by the names of the catalogue of faults.
type FaultDecl struct {
	Line int
	Kind string
	// Args has status_code and after_chunks as int, headers as
	// map[string]string, body, raw and end as string; only those given.
	Args map[string]any
	// After is the wait before the fault, nil where it is not given.
	After *time.Duration
}

var (
	turnKeys  = []string{"content", "provider", "model", "usage", "cost_usd", "latency_ms", "finish_reason", "tool_calls", "fault"}
	usageKeys = []string{"prompt_tokens", "completion_tokens", "total_tokens"}
	callKeys  = []string{"id", "name", "arguments"}
	// loomFaults are the types of fault, with their keys beside after_ms.
	loomFaults = map[string][]string{
		"timeout":            nil,
		"http_error":         {"status_code", "headers", "body"},
		"malformed_response": {"raw"},
		"stream_truncate":    {"after_chunks", "raise"},
		"connection_reset":   {"raise"},
		"partial_response":   nil,
	}
)

// Parse reads a response file of AgentLoom, with warnings about what
// a reader should know of it. JSON closes, so a file that was cut is none.
func Parse(root *yaml.Node) (scripts []*Script, warnings []string, err error) {
	scripts = []*Script{}
	if err := python.CheckKeys(root); err != nil {
		return nil, nil, err
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if strings.HasPrefix(key.Value, "_") {
			continue // metadata
		}
		r := loomReader{warnings: &warnings, what: "the answer of " + strconv.Quote(flaw.Shorten(key.Value))}
		turns := r.turns(value)
		if r.err != nil {
			return nil, nil, r.err
		}
		if len(turns) > 0 {
			scripts = append(scripts, &Script{Key: key.Value, Line: key.Line, Turns: turns})
		} else {
			r.warn("line %d: the list for %s is empty and answers nothing", key.Line, strconv.Quote(flaw.Shorten(key.Value)))
		}
	}
	return scripts, warnings, nil
}

// A loomReader reads the value of one key and keeps the first flaw.
type loomReader struct {
	warnings *[]string
	what     string
	err      error
}

func (r *loomReader) warn(format string, args ...any) {
	*r.warnings = append(*r.warnings, fmt.Sprintf(format, args...))
}

func (r *loomReader) turns(n *yaml.Node) []Turn {
	list := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		list = n.Content
	}
	var turns []Turn
	for _, item := range list {
		turns = append(turns, r.turn(item))
	}
	return turns
}

func (r *loomReader) turn(n *yaml.Node) Turn {
	t := Turn{Line: n.Line}
	if n.Kind != yaml.MappingNode {
		r.wrong(n, "", "an object")
		return t
	}
	r.known(n, r.what, turnKeys)
	t.HasReply = yamlnode.Lookup(n, "content") != nil || yamlnode.Lookup(n, "tool_calls") != nil
	t.Content, t.Provider = r.text(n, "content"), r.text(n, "provider")
	t.Model, t.FinishReason = r.text(n, "model"), r.text(n, "finish_reason")
	t.CostUSD = r.number(n, "cost_usd")
	t.Latency = r.duration(n, "latency_ms")
	t.Usage = r.usage(yamlnode.Lookup(n, "usage"))
	t.ToolCalls = r.calls(yamlnode.Lookup(n, "tool_calls"))
	if f := yamlnode.Lookup(n, "fault"); !yamlnode.IsNull(f) {
		t.Fault = r.fault(f)
	} else if !t.HasReply && r.err == nil {
		r.err = flaw.New(n.Line, "give it content, tool_calls or a fault", "%s has neither content nor a fault", r.what)
	}
	return t
}

func (r *loomReader) usage(n *yaml.Node) *Usage {
	if yamlnode.IsNull(n) {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		r.wrong(n, "usage", "an object")
		return nil
	}
	r.known(n, "the usage in "+r.what, usageKeys)
	u := &Usage{Prompt: r.whole(n, "prompt_tokens"), Completion: r.whole(n, "completion_tokens"), Total: r.whole(n, "total_tokens")}
	if yamlnode.Lookup(n, "total_tokens") == nil {
		u.Total = u.Prompt + u.Completion
	}
	return u
}

func (r *loomReader) calls(n *yaml.Node) []ToolCall {
	if yamlnode.IsNull(n) {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		r.wrong(n, "tool_calls", "a list")
		return nil
	}
	var calls []ToolCall
	for _, item := range n.Content {
		if item.Kind != yaml.MappingNode {
			r.wrong(item, "tool_calls", "a list of objects")
			return nil
		}
		r.known(item, "a tool call in "+r.what, callKeys)
		calls = append(calls, ToolCall{ID: r.text(item, "id"), Name: r.text(item, "name"), Arguments: r.arguments(yamlnode.Lookup(item, "arguments"))})
	}
	return calls
}

// arguments is the JSON text that goes over the wire for an object.
func (r *loomReader) arguments(n *yaml.Node) string {
	switch {
	case yamlnode.IsNull(n):
		return "{}"
	case n.Kind == yaml.ScalarNode && python.KindOf(n) == python.Text:
		return n.Value
	}
	e := python.Encoder{Max: math.MaxInt}
	if err := e.Encode(n); err != nil {
		r.wrong(n, "arguments", "an object")
	}
	return string(e.Out)
}

func (r *loomReader) fault(n *yaml.Node) *FaultDecl {
	if n.Kind != yaml.MappingNode {
		r.wrong(n, "fault", "an object")
		return nil
	}
	f := &FaultDecl{Line: n.Line, Kind: r.text(n, "type"), Args: map[string]any{}}
	keys, known := loomFaults[f.Kind]
	if !known {
		r.keep(flaw.New(n.Line, "the types are "+strings.Join(slices.Sorted(maps.Keys(loomFaults)), ", "), "%s has a fault of the unknown type %s", r.what, strconv.Quote(flaw.Shorten(f.Kind))))
		return nil
	}
	r.known(n, fmt.Sprintf("the fault %s in %s", f.Kind, r.what), append([]string{"type", "after_ms"}, keys...))
	for _, key := range keys {
		if v := yamlnode.Lookup(n, key); !yamlnode.IsNull(v) {
			r.argument(f, n, key)
		}
	}
	if !yamlnode.IsNull(yamlnode.Lookup(n, "after_ms")) {
		d := r.duration(n, "after_ms")
		f.After = &d
	}
	return f
}

func (r *loomReader) argument(f *FaultDecl, n *yaml.Node, key string) {
	switch key {
	case "status_code", "after_chunks":
		f.Args[key] = r.whole(n, key)
	case "headers":
		f.Args[key] = r.headers(yamlnode.Lookup(n, key))
	case "raise":
		r.raised(f, yamlnode.Lookup(n, key))
	default:
		f.Args[key] = r.text(n, key)
	}
}

// raised says how the connection ends for the exception that the client of the
// original met. Only a broken connection has a form on the wire; others are
// played as one, with a warning.
func (r *loomReader) raised(f *FaultDecl, n *yaml.Node) {
	name := n.Value[strings.LastIndexByte(n.Value, '.')+1:]
	broken := []string{"ConnectionError", "ConnectionResetError", "BrokenPipeError", "ConnectError", "ReadError", "RemoteProtocolError", "StreamError"}
	if !slices.Contains(broken, name) {
		r.warn("line %d: raise = %s is played as a connection that is reset", n.Line, strconv.Quote(flaw.Shorten(n.Value)))
	}
	if f.Kind == "stream_truncate" {
		f.Args["end"] = "reset"
	}
}

func (r *loomReader) headers(n *yaml.Node) map[string]string {
	if n.Kind != yaml.MappingNode {
		r.wrong(n, "headers", "an object")
		return nil
	}
	h := map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i].Value, n.Content[i+1]
		if value.Kind != yaml.ScalarNode {
			r.wrong(value, "headers", "an object of strings")
			return nil
		}
		h[name] = value.Value
	}
	if text := httptext.HeaderFlaw(listed(h)); text != "" {
		r.keep(flaw.New(n.Line, flaw.Inspect, "%s: %s", r.what, text))
	}
	return h
}

func listed(h map[string]string) map[string][]string {
	all := make(map[string][]string, len(h))
	for name, value := range h {
		all[name] = []string{value}
	}
	return all
}

// text reads a text; other scalars are their own text, as Python's str has it.
func (r *loomReader) text(n *yaml.Node, key string) string {
	v := yamlnode.Lookup(n, key)
	switch {
	case yamlnode.IsNull(v):
		return ""
	case v.Kind != yaml.ScalarNode:
		r.wrong(v, key, "a string")
		return ""
	}
	return v.Value
}

func (r *loomReader) number(n *yaml.Node, key string) float64 {
	v := yamlnode.Lookup(n, key)
	if yamlnode.IsNull(v) {
		return 0
	}
	f, err := strconv.ParseFloat(v.Value, 64)
	if v.Kind != yaml.ScalarNode || err != nil || f < 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		r.wrong(v, key, "a number of 0 or more")
	}
	return f
}

func (r *loomReader) whole(n *yaml.Node, key string) int {
	f := r.number(n, key)
	if f != math.Trunc(f) || f > math.MaxInt32 {
		r.wrong(yamlnode.Lookup(n, key), key, "an integer of 0 or more")
		return 0
	}
	return int(f)
}

// duration reads milliseconds, at most a year of them.
func (r *loomReader) duration(n *yaml.Node, key string) time.Duration {
	const year = 365 * 24 * time.Hour
	ms := r.number(n, key)
	if ms > float64(year/time.Millisecond) {
		r.wrong(yamlnode.Lookup(n, key), key, "a number of milliseconds of at most a year")
		return 0
	}
	return time.Duration(ms * float64(time.Millisecond))
}

func (r *loomReader) wrong(n *yaml.Node, key, want string) {
	if key != "" {
		key += " in "
	}
	r.keep(flaw.New(n.Line, flaw.Inspect, "%s%s must be %s", key, r.what, want))
}

func (r *loomReader) keep(err error) {
	if r.err == nil {
		r.err = err
	}
}

// known reports keys that nobody reads, and refuses one that stands twice.
func (r *loomReader) known(n *yaml.Node, where string, keys []string) {
	if err := python.CheckKeys(n); err != nil {
		r.keep(err)
	}
	*r.warnings = append(*r.warnings, yamlnode.KeyWarnings(n, where, keys...)...)
}
