package unwatched

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// A place is where the program could tell a value: what a step asks, or the output of the run.
type place struct {
	name string
	kind plan.Kind
	at   []int // of its events
	q    *event.Request
	out  cty.Value
}

// A way is one in which a value could stand in a place.
type way struct {
	name  string
	aside bool // many a check is not about it
	put   func(events []trace.Event) bool
}

// people are the words by which a title names a model, and the output of a run.
var (
	models  = []string{"model", "models", "llm", "prompt", "assistant", "agent"}
	outputs = []string{"output", "answer", "result", "response", "caller"}
)

// places are those in which a value could be that was given, in the order in which they come: those that the title
// names, and all if it names none. What was recorded is compared with the recording.
func (l *look) places(t title, v value) (list []place) {
	if l.o.Plan.Recording != nil {
		return nil
	}
	var named []place
	for i := v.at + 1; i < len(l.events); i++ {
		e := &l.events[i]
		p, is := place{}, false
		switch x := e.Payload.(type) {
		case *event.AttemptStart:
			s := l.o.Steps[e.Step]
			if s == nil || x.Request == nil {
				continue
			}
			p = place{name: "what " + e.Step + " asks", kind: s.Step.Kind, q: x.Request}
			is = t.has(e.Step) || t.has(x.Request.Provider) || t.has(x.Request.Tool) || p.kind == plan.KindLLM && t.hasAny(models)
		case *event.RunEnd:
			p = place{name: "the output", out: x.Output.OrNull()}
			if e.Step != "" || p.out.IsNull() {
				continue
			}
			is = t.has(l.o.Plan.Workflow.Name) || t.hasAny(outputs)
		default:
			continue
		}
		add := func(to *[]place) {
			at := slices.IndexFunc(*to, func(o place) bool { return o.name == p.name })
			if at < 0 && len(*to) < placesMost {
				at, *to = len(*to), append(*to, p)
			}
			if at >= 0 {
				(*to)[at].at = append((*to)[at].at, i)
			}
		}
		add(&list)
		if is {
			add(&named)
		}
	}
	if len(named) > 0 {
		return named
	}
	return list
}

// size is how much its bodies are, as events.
func (p place) size() int {
	if p.q == nil {
		return 0
	}
	return len(p.q.Body) * len(p.at) / 64
}

// textsMost is behind how many texts of a place a value is put.
const textsMost = 6

// says are the members of a request to a model in which something is said.
var says = []string{"content", "text", "prompt", "system", "input", "instructions", "instruction"}

// ways are those in which a value could stand in a place.
func (p place) ways(v value) (list []way) {
	if p.q == nil {
		return p.outputWays(v)
	}
	base := map[plan.Kind]string{plan.KindMCP: "params.arguments", plan.KindSQL: "args"}[p.kind]
	texts := 0
	for _, s := range spots(p.q.Body) {
		switch {
		case s.object && s.path == base && (p.kind == plan.KindHTTP || p.kind == plan.KindMCP):
			for name, member := range v.members() {
				list = append(list, way{name: []string{"as a member", "in an object"}[name], put: p.insert(s, member)})
			}
		case s.object, !strings.HasPrefix(s.path, base), texts == textsMost:
		case p.kind == plan.KindLLM && !slices.Contains(says, s.path[strings.LastIndexByte(s.path, '.')+1:]):
		default:
			texts++
			list = append(list, way{name: "behind " + strings.TrimPrefix(strings.TrimPrefix(s.path, base), "."), put: p.insert(s, v.quoted())})
		}
	}
	if p.kind == plan.KindHTTP {
		list = append(list, way{name: "in the query", aside: len(list) > 0, put: p.change(func(q *event.Request) {
			sign := "?"
			if strings.Contains(q.URL, "?") {
				sign = "&"
			}
			q.URL += sign + url.QueryEscape(v.key) + "=" + url.QueryEscape(v.text)
		})})
	}
	return list
}

// members are a value as one of an object: by its own key, and in an object of its own.
func (v value) members() []string {
	raw := v.text
	if !v.number {
		quoted, _ := json.Marshal(v.text) // never fails for a string
		raw = string(quoted)
	}
	own := strconv.Quote(v.key) + ":" + raw
	return []string{own, strconv.Quote(v.around()) + ":{" + own + "}"}
}

// around is the key of an object that a value could stand in.
func (v value) around() string {
	if v.parent == "" {
		return "details"
	}
	return v.parent
}

// quoted is a value as it stands in a text of JSON, behind another one.
func (v value) quoted() string {
	quoted, _ := json.Marshal(" " + v.text) // never fails for a string
	return strings.Trim(string(quoted), `"`)
}

// insert puts a text into the bodies of all requests of a place, where they have such a spot.
func (p place) insert(at spot, text string) func(events []trace.Event) bool {
	return p.change(func(q *event.Request) {
		for _, s := range spots(q.Body) {
			if s.path != at.path || s.object != at.object {
				continue
			}
			comma := ""
			if s.object && !s.empty {
				comma = ","
			}
			q.Body = q.Body[:s.at] + text + comma + q.Body[s.at:]
			return
		}
	})
}

// change changes all requests of a place.
func (p place) change(f func(q *event.Request)) func(events []trace.Event) bool {
	return func(events []trace.Event) (changed bool) {
		for _, at := range p.at {
			was := events[at].Payload.(*event.AttemptStart)
			q := *was.Request
			f(&q)
			changed = changed || q.Body != was.Request.Body || q.URL != was.Request.URL
			events[at].Payload = &event.AttemptStart{Request: &q, Decision: was.Decision, Asker: was.Asker}
		}
		return changed
	}
}

// outputWays are those in which a value could stand in the output of a run.
func (p place) outputWays(v value) (list []way) {
	add := func(name string, out cty.Value) {
		list = append(list, way{name: name, put: func(events []trace.Event) bool {
			at := p.at[len(p.at)-1]
			end := *events[at].Payload.(*event.RunEnd)
			end.Output = event.Value{Value: out}
			events[at].Payload = &end
			return true
		}})
	}
	out, _ := p.out.UnmarkDeep()
	switch ty := out.Type(); {
	case ty == cty.String:
		add("behind it", cty.StringVal(out.AsString()+" "+v.text))
	case ty.IsObjectType():
		with := func(key string, e cty.Value) cty.Value {
			attrs := out.AsValueMap()
			if attrs == nil {
				attrs = map[string]cty.Value{}
			}
			attrs[key] = e
			return cty.ObjectVal(attrs)
		}
		add("as a member", with(v.key, cty.StringVal(v.text)))
		add("in an object", with(v.around(), cty.ObjectVal(map[string]cty.Value{v.key: cty.StringVal(v.text)})))
		attrs := out.AsValueMap()
		for _, name := range read.SortedNames(attrs) {
			if e := attrs[name]; e.Type() == cty.String && e.IsKnown() && !e.IsNull() && len(list) < textsMost {
				add("behind "+name, with(name, cty.StringVal(e.AsString()+" "+v.text)))
			}
		}
	}
	return list
}

// A spot is where something can be put into a text of JSON: behind a text, or before the members of an object.
type spot struct {
	path          string
	at            int
	object, empty bool
}

// spots are those of a text, nil where it is no JSON.
func spots(text string) (list []spot) {
	d := json.NewDecoder(strings.NewReader(text))
	if !visit(d, "", 0, &list) || strings.TrimSpace(text[d.InputOffset():]) != "" {
		return nil
	}
	return list
}

// deepest bounds how deep a text is looked into.
const deepest = 32

func visit(d *json.Decoder, path string, depth int, list *[]spot) bool {
	t, err := d.Token()
	if err != nil || depth > deepest {
		return false
	}
	at := int(d.InputOffset())
	switch t := t.(type) {
	case string:
		*list = append(*list, spot{path: path, at: at - 1})
	case json.Delim:
		if t == '{' {
			*list = append(*list, spot{path: path, at: at, object: true, empty: !d.More()})
		}
		for i := 0; d.More(); i++ {
			inner := path + "[" + strconv.Itoa(i) + "]"
			if t == '{' {
				name, err := d.Token()
				if err != nil {
					return false
				}
				inner = strings.TrimPrefix(path+"."+name.(string), ".")
			}
			if !visit(d, inner, depth+1, list) {
				return false
			}
		}
		_, err = d.Token()
		return err == nil
	}
	return true
}
