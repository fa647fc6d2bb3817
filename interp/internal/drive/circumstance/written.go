package circumstance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A Piece is a part of what a program wrote, as it came.
type Piece struct {
	// At is the time of the run.
	At time.Duration
	// Stderr says that it was written to standard error, and Size how many bytes it has.
	Stderr bool
	Size   int
}

// Came is when things came from a program.
type Came struct {
	// Pieces are those of both streams, in their order, and Whole says that none is missing.
	Pieces []Piece
	Whole  bool
	// Streams are those that the program, a server, answered the scenario with.
	Streams []Stream
}

// An Output is what a program writes to its two streams.
type Output struct{ Stdout, Stderr string }

// Holds says whether a condition would hold if a program had written something else.
type Holds func(hclsyntax.Expression, Output) bool

// What bounds the texts of requests that are looked for in what a program wrote, and how long one is at least.
const (
	sentMost = 64
	sentLeft = 1 << 20
	sentLong = 12
)

// Early says of a check that looks for something in what the program wrote that this holds of what the program
// had written before its first answer was over, or had sent itself by then, such as its own prompt: it does not
// show that the program says it because of the answer. "" for none, and where what was looked for has nothing to
// do with an answer: neither answers has it nor what the program wrote later.
func Early(p *plan.Plan, obs *observe.Observed, came Came, answers string, holds Holds) string {
	first, faults, sent := firstAnswer(obs)
	if first < 0 {
		return ""
	}
	wrote := Output{obs.Sut.Stdout, obs.Sut.Stderr}
	n := came.before(first, wrote)
	early, late := Output{wrote.Stdout[:n[0]], wrote.Stderr[:n[1]]}, Output{wrote.Stdout[n[0]:], wrote.Stderr[n[1]:]}
	for _, text := range sent {
		for _, s := range []struct{ early, late *string }{{&early.Stdout, &late.Stdout}, {&early.Stderr, &late.Stderr}} {
			if strings.Contains(*s.late, text) { // as where a program writes in blocks
				*s.early += "\n" + text + "\n"
				*s.late = strings.ReplaceAll(*s.late, text, "")
			}
		}
	}
	if early == (Output{}) {
		return ""
	}
	said := answers + "\n" + faults
	for _, a := range p.Asserts {
		if searches(a.Condition) && !negates(a.Condition) && holds(a.Condition, early) && !holds(a.Condition, Output{}) && (holds(a.Condition, late) || holds(a.Condition, Output{said, said})) {
			return fmt.Sprintf("assert %q looks for something in what the program wrote, and the program had written that before its first answer was over, or had sent it itself, as in its prompt: the check holds whatever is answered.\nhint: look for more of what the program says then, such as \"queue: shipping\", or for the whole of a line", a.Name)
		}
	}
	return ""
}

// before is how many bytes of each stream had come by a time; 0 where nobody knows.
func (c Came) before(at time.Duration, wrote Output) (n [2]int) {
	var all [2]int
	for _, piece := range c.Pieces {
		i := 0
		if piece.Stderr {
			i = 1
		}
		if all[i] += piece.Size; piece.At <= at {
			n[i] = all[i]
		}
	}
	for i, text := range []string{wrote.Stdout, wrote.Stderr} {
		if !c.Whole || all[i] != len(text) {
			n[i] = 0
		}
	}
	return n
}

// firstAnswer is a time before the first answer to a program that ended, the middle between its request and it, less
// than 0 for none. faults are what the faults of the run are called, and sent are texts that the program had sent by
// then.
func firstAnswer(obs *observe.Observed) (first time.Duration, faults string, sent []string) {
	first = -1
	began := map[string]time.Duration{}
	left := sentLeft
	events := obs.Log.Events()
	for i := range events {
		e := &events[i]
		at := fmt.Sprintf("%s %d", e.Step, e.Attempt)
		switch x := e.Payload.(type) {
		case *event.AttemptStart:
			if x.Request == nil || x.Asker == nil || first >= 0 {
				continue
			}
			began[at] = e.At
			if left -= len(x.Body); left < 0 {
				continue
			}
			eachPlain(x.Body, func(_, _, _, text string) {
				if text = strings.TrimSpace(text); len(text) >= sentLong && len(sent) < sentMost {
					sent = append(sent, text)
				}
			})
		case *event.AttemptEnd:
			if x.Served == nil {
				continue
			}
			if x.FaultType != "" {
				faults += x.FaultType + "\n"
			}
			if first >= 0 {
				continue
			}
			// When the program sees the answer, and when what it wrote is read, is known by the clock alone, so what comes
			// near the end of the answer counts as later.
			if first = (began[at] + e.At - x.Late) / 2; x.EndedBy == "client" || len(x.Chunks) > 1 {
				first = began[at] // what the program saw before, and when it gave up, is not known
			}
		}
	}
	return first, faults, sent
}

// searching are functions that look for something in a text, and shaping those that only give it another form.
var (
	searching = []string{"strcontains", "regexmatch", "regexall", "startswith", "endswith"}
	shaping   = []string{"lower", "upper", "trimspace", "length"}
)

// searches reports whether all that an expression reads of what the program wrote is looked through by functions.
func searches(e hclsyntax.Expression) bool {
	in, all := map[hcl.Range]bool{}, 0
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, is := e.(*hclsyntax.FunctionCallExpr)
		if !is || !slices.Contains(searching, f.Name) {
			return
		}
		for _, arg := range f.Args {
			for bare := dsl.Bare(arg); ; {
				if g, is := bare.(*hclsyntax.FunctionCallExpr); is && slices.Contains(shaping, g.Name) && len(g.Args) == 1 {
					bare = dsl.Bare(g.Args[0])
					continue
				}
				if t, is := bare.(*hclsyntax.ScopeTraversalExpr); is && readsOutput(t.Traversal) {
					in[t.Range()] = true
				}
				break
			}
		}
	})
	for t := range dsl.Variables(e) {
		if readsOutput(t) {
			all++
		}
	}
	return all > 0 && len(in) == all
}

// readsOutput reports whether a traversal is what the program wrote.
func readsOutput(t hcl.Traversal) bool {
	name, _ := read.AttrName(t, 1)
	return t.RootName() == "sut" && (name == "stdout" || name == "stderr")
}

// negates reports whether an expression says that the program did not write something.
func negates(e hclsyntax.Expression) (does bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.UnaryOpExpr)
		if !is || x.Op != hclsyntax.OpLogicalNot {
			return
		}
		for t := range dsl.Variables(x.Val) {
			does = does || readsOutput(t)
		}
	})
	return does
}

// AsItCame says of a check that looks for something in what the program wrote that it holds only because the
// program writes an answer as it came, whole, such as a body of JSON behind "debug:": one that makes nothing of
// the answer passes as well. "" for none, and for a program that writes nothing else.
func AsItCame(p *plan.Plan, obs *observe.Observed, holds Holds) string {
	if !slices.ContainsFunc(p.Asserts, func(a *plan.Assertion) bool { return searches(a.Condition) }) {
		return ""
	}
	all := answersOf(p, obs)
	if len(all.bodies) == 0 && len(all.tools) == 0 {
		return ""
	}
	wrote := Output{obs.Sut.Stdout, obs.Sut.Stderr}
	var rest Output
	found := ""
	for _, s := range []struct {
		wrote string
		rest  *string
	}{{wrote.Stdout, &rest.Stdout}, {wrote.Stderr, &rest.Stderr}} {
		one := ""
		if *s.rest, one = all.without(s.wrote); found == "" {
			found = one
		}
	}
	if rest == wrote {
		return ""
	}
	for _, a := range p.Asserts {
		if searches(a.Condition) && !looksForJSON(a.Condition) && holds(a.Condition, wrote) && !holds(a.Condition, rest) {
			return fmt.Sprintf("assert %q looks for something in what the program wrote, and it holds only because the program writes an answer just as it came, %s: a program that makes nothing of the answer passes as well.\nhint: look for what the program itself says of it, such as \"Your card was declined\"", a.Name, found)
		}
	}
	return ""
}

// looksForJSON reports whether an expression looks for a value of JSON, or a part of its text.
func looksForJSON(e hclsyntax.Expression) (does bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if f, is := e.(*hclsyntax.FunctionCallExpr); is {
			does = does || f.Name == "jsonencode" || f.Name == "jsondecode"
		}
		if v, written := dsl.Literal(e); written && v.Type() == cty.String && !v.IsNull() {
			does = does || strings.ContainsAny(v.AsString(), `{"`) || strings.Contains(v.AsString(), "':")
		}
	})
	return does
}

// answered are the answers of a run, of which a program may write one as it came.
type answered struct {
	// bodies are those that are an object or a list of JSON, each as it is marshalled. tools are the names of the
	// tools that models asked for.
	bodies, tools map[string]bool
}

func answersOf(p *plan.Plan, obs *observe.Observed) answered {
	all := answered{map[string]bool{}, map[string]bool{}}
	left := sentLeft
	for _, n := range p.Endpoints {
		s := obs.Steps[n.Name]
		if s == nil {
			continue
		}
		for _, a := range s.Asked() {
			if a.End == nil {
				continue
			}
			for _, c := range a.End.ToolCalls {
				all.tools[c.Name] = true
			}
			if left -= len(a.End.Content); left < 0 {
				return all
			}
			if v, is := composite(a.End.Content); is {
				all.bodies[v] = true
			}
		}
	}
	return all
}

// composite is an object or a list of JSON that is not empty, marshalled in one way.
func composite(text string) (string, bool) {
	var v any
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") || json.Unmarshal([]byte(text), &v) != nil {
		return "", false
	}
	raw, err := json.Marshal(v)
	return string(raw), err == nil && len(raw) > 2
}

// dumpMax is how many bytes of an output are looked through for answers at most, and dumpLong how long one is.
const (
	dumpMax  = 16 << 20
	dumpLong = 64 << 10
)

// without is what a program wrote without the answers that stand in it as they came, and the beginning of the
// first of them; the whole where it wrote nothing else.
func (a answered) without(wrote string) (rest, first string) {
	var b strings.Builder
	left, from := dumpMax, 0
	for i := 0; i < len(wrote) && left > 0; i++ {
		if c := wrote[i]; c != '{' && c != '[' {
			continue
		}
		text, n, looked := valueAt(wrote[i:min(len(wrote), i+dumpLong)])
		if left -= looked; n == 0 {
			continue
		}
		if a.has(text) {
			if first == "" {
				first = strings.ToValidUTF8(wrote[i:i+min(n, 40)], "")
				if n > 40 {
					first += "…"
				}
			}
			b.WriteString(wrote[from:i])
			b.WriteString("\x00")
			from = i + n
			i += n - 1
		}
	}
	b.WriteString(wrote[from:])
	rest = b.String()
	for line := range strings.Lines(rest) {
		if !strings.Contains(line, "\x00") && strings.TrimSpace(line) != "" {
			return strings.ReplaceAll(rest, "\x00", ""), first
		}
	}
	return wrote, ""
}

// has reports whether a value is an answer: the body of one, or a message of a model that asks for a tool.
func (a answered) has(text string) bool {
	if raw, is := composite(text); is && a.bodies[raw] {
		return true
	}
	var v any
	if len(a.tools) == 0 || json.Unmarshal([]byte(text), &v) != nil {
		return false
	}
	called, message := false, false
	var within func(v any, depth int)
	within = func(v any, depth int) {
		if depth > deepest {
			return
		}
		switch v := v.(type) {
		case map[string]any:
			for name, e := range v {
				message = message || slices.Contains([]string{"tool_calls", "toolCalls", "choices", "function", "functionCall", "toolUse"}, name) || e == "tool_use" || e == "function_call"
				if text, is := e.(string); is {
					called = called || a.tools[text]
					continue
				}
				within(e, depth+1)
			}
		case []any:
			for _, e := range v {
				within(e, depth+1)
			}
		}
	}
	within(v, 0)
	return called && message
}

// valueAt is the object or the list with which a text begins, as JSON, how long it is there, 0 for none, and how
// many bytes were looked at. It may be written as JSON, or as Python and JavaScript show a value.
func valueAt(text string) (value string, n, looked int) {
	r := strings.NewReader(text)
	d := json.NewDecoder(r)
	var raw json.RawMessage
	err := d.Decode(&raw)
	looked = len(text) - r.Len()
	if err == nil {
		return string(raw), int(d.InputOffset()), looked
	}
	value, n, more := shown(text)
	if n > 0 && !json.Valid([]byte(value)) {
		n = 0
	}
	return value, n, looked + more
}

// shown makes JSON of a value as Python and JavaScript show it: with texts in single quotes, names that have
// none, and None, True and False.
func shown(text string) (value string, n, looked int) {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\'' || c == '"':
			end := i + 1
			for end < len(text) && text[end] != c {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) {
				return "", 0, len(text)
			}
			raw, _ := json.Marshal(strings.NewReplacer(`\'`, "'", `\"`, `"`, `\n`, "\n", `\\`, `\`).Replace(text[i+1 : end]))
			b.Write(raw)
			i = end + 1
		case c == '{' || c == '[':
			depth++
			b.WriteByte(c)
			i++
		case c == '}' || c == ']':
			depth--
			b.WriteByte(c)
			if i++; depth == 0 {
				return b.String(), i, i
			}
		case isWord(c):
			end := i
			for end < len(text) && (isWord(text[end]) || strings.IndexByte(".-+", text[end]) >= 0) {
				end++
			}
			b.WriteString(bare(text[i:end]))
			i = end
		case strings.IndexByte(" \t\r\n,:-", c) >= 0:
			b.WriteByte(c)
			i++
		default:
			return "", 0, i
		}
	}
	return "", 0, len(text)
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// bare is a word of a shown value as JSON has it.
func bare(word string) string {
	switch word {
	case "None", "null", "undefined":
		return "null"
	case "True", "true":
		return "true"
	case "False", "false":
		return "false"
	}
	if json.Valid([]byte(word)) {
		return word
	}
	return `"` + word + `"`
}
