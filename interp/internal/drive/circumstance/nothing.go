package circumstance

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/internal/says"
	"github.com/scenario-lang/scenario/providers"
)

// outwardMost bounds the paths that are looked at.
const outwardMost = 64

// Outward are the paths with .. that the scenario gives its program in answers, such as the arguments of tools, in
// requests and in its input, in the order in which they come. Those of its command lead to what is there.
func Outward(p *plan.Plan, obs *observe.Observed, stdin string) (list []string) {
	add := func(text string) {
		if plain, err := url.PathUnescape(text); err == nil {
			text = plain
		}
		text = strings.ReplaceAll(text, `\`, "/")
		if i := strings.Index(text, "../"); i < 0 || strings.ContainsAny(text, "\n\x00") || strings.Contains(text[:i], "://") {
			return
		}
		if len(list) < outwardMost && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	named := func(_, value string) { add(value) }
	says.JSON(stdin, named)
	serving := p.Sut.Serving()
	events := obs.Log.Events()
	for i := range events {
		e := &events[i]
		switch x := e.Payload.(type) {
		case *event.AttemptStart:
			if x.Request == nil || serving == nil || x.Provider != serving.Name || x.Asker != nil {
				continue
			}
			if u, err := url.Parse(x.URL); err == nil {
				add(u.EscapedPath())
				query := u.Query()
				for _, name := range read.SortedNames(query) {
					for _, v := range query[name] {
						add(v)
					}
				}
			}
			says.JSON(x.Body, named)
		case *event.AttemptEnd:
			if reply := Replied(p, e.Step, e.Target, x); reply != nil {
				says.Reply(reply, named)
			}
		}
	}
	return list
}

// Unoffered are the names of tools that an answer asks for although the request offers others, each once.
func Unoffered(p *plan.Plan, obs *observe.Observed) (list []string) {
	offered := map[string][]string{}
	events := obs.Log.Events()
	for i := range events {
		e := &events[i]
		at := e.Step + " " + strconv.Itoa(e.Attempt)
		switch x := e.Payload.(type) {
		case *event.AttemptStart:
			if x.Request != nil && x.Asker != nil {
				offered[at] = ToolsIn(x.Body)
			}
		case *event.AttemptEnd:
			reply := Replied(p, e.Step, e.Target, x)
			if reply == nil || len(offered[at]) == 0 {
				continue
			}
			for _, call := range reply.ToolCalls {
				if !slices.Contains(offered[at], call.Name) && !slices.Contains(list, call.Name) {
					list = append(list, call.Name)
				}
			}
		}
	}
	return list
}

// ToolsIn are the names of the tools that a request offers a model, by the forms of the vendors.
func ToolsIn(body string) (names []string) {
	var request struct {
		Tools []struct {
			Name     string
			Function struct{ Name string }
			Declared []struct{ Name string } `json:"functionDeclarations"`
		}
	}
	if !strings.Contains(body, `"tools"`) || json.Unmarshal([]byte(body), &request) != nil {
		return nil
	}
	for _, t := range request.Tools {
		for _, name := range []string{t.Name, t.Function.Name} {
			if name != "" {
				names = append(names, name)
			}
		}
		for _, f := range t.Declared {
			names = append(names, f.Name)
		}
	}
	return names
}

// Asks reports whether a step asks a provider.
func Asks(s *observe.StepResult, p *plan.Provider) bool {
	return s.Step.Gateway != nil && slices.ContainsFunc(s.Step.Gateway.Targets, func(t *plan.Target) bool { return t.Provider == p })
}

// Replied is the reply of a script that an answer of a step, by a target or "" for any, is; nil for none.
func Replied(p *plan.Plan, step, target string, end *event.AttemptEnd) *providers.Output {
	s := p.ScriptFor(step, target)
	if end.By != "script" || s == nil || end.Entry < 1 || end.Entry > len(s.Entries) {
		return nil
	}
	return s.Entries[end.Entry-1].Reply
}

// Signed says whether the server gets a signed body whose text the scenario writes out: one that is encoded is written
// as most programs write JSON, so one that signs what it has read, and written again, accepts it as well.
func Signed(p *plan.Plan, obs *observe.Observed) []Trial {
	serving := p.Sut.Serving()
	if serving == nil {
		return nil
	}
	t := Trial{Of: "the text of signed bodies"}
	for _, s := range obs.Order {
		if !Asks(s, serving) {
			continue
		}
		field := ""
		for name := range FieldsOf(p, s.Step) {
			if read.IsSignature(name) && (field == "" || name < field) {
				field = name
			}
		}
		switch {
		case field == "":
		case s.Step.Args["body"] != nil:
			t.Made = true
		case s.Step.Args["json"] != nil && t.Why == "":
			t.Why = fmt.Sprintf("%s has a signature in %s and a body that is encoded, as most programs write JSON: a server that signs what it has read and written again passes as well.\nhint: write the text of the body out, with spaces and another order of its members, and sign that: body = \"{ \\\"b\\\": 1, \\\"a\\\": 2 }\"", called(p, s.Name), field)
		}
	}
	if t.Why == "" && !t.Made {
		return nil
	}
	return []Trial{t}
}

// FieldsOf are the header fields that a step declares, as far as the file alone tells them.
func FieldsOf(p *plan.Plan, s *plan.Step) map[string]string {
	a := s.Args["headers"]
	if a == nil || a.Expr == nil {
		return nil
	}
	v, diags := dsl.Evaluate(a.Expr, p.Static)
	if diags.HasErrors() || v.IsNull() || !v.CanIterateElements() {
		return nil
	}
	fields := map[string]string{}
	for name, value := range v.AsValueMap() {
		if value.IsWhollyKnown() && !value.IsNull() && value.Type() == cty.String {
			fields[name] = value.AsString()
		}
	}
	return fields
}

// A Chosen value is a word of a header field with which a scenario tells its server what it wants, such as the
// language.
type Chosen struct{ By, Field, Value string }

// ChosenBy are those of the steps and calls to the server under test.
func ChosenBy(p *plan.Plan, obs *observe.Observed) (list []Chosen) {
	serving := p.Sut.Serving()
	if serving == nil {
		return nil
	}
	for _, s := range obs.Order {
		if !Asks(s, serving) {
			continue
		}
		fields := FieldsOf(p, s.Step)
		for _, name := range read.SortedNames(fields) {
			if read.IsSignature(name) || slices.Contains([]string{"content-type", "accept", "authorization", "cookie", "user-agent"}, strings.ToLower(name)) {
				continue
			}
			for _, word := range strings.FieldsFunc(fields[name], func(c rune) bool { return strings.ContainsRune(",; =", c) }) {
				list = append(list, Chosen{called(p, s.Name), name, word})
			}
		}
	}
	return list
}

// A RuledOut is a text that a check rules out of what the program wrote.
type RuledOut struct {
	Check, Text string
	// Unread is the stream to which the program wrote it nevertheless, and that no check reads.
	Unread StandardStream
}

// A StandardStream is one that a program writes: the attribute of sut that has it. The zero one is none.
type StandardStream string

// The streams that a program writes.
const (
	Stderr StandardStream = "stderr"
	Stdout StandardStream = "stdout"
)

// Called is the name of a stream in messages.
func (s StandardStream) Called() string {
	if s == Stderr {
		return "standard error"
	}
	return "standard output"
}

// FromOutput are the texts that checks rule out of standard output, standard error or the logs.
func FromOutput(p *plan.Plan, obs *observe.Observed) (list []RuledOut) {
	reads := p.Needs.Of("sut")
	unread := func(text string) StandardStream {
		for _, stream := range []struct {
			of   StandardStream
			text string
		}{{Stderr, obs.Sut.Stderr}, {Stdout, obs.Sut.Stdout}} {
			if reads.Of(string(stream.of)) == nil && reads.Of("logs") == nil && strings.Contains(stream.text, text) {
				return stream.of
			}
		}
		return ""
	}
	for _, a := range p.Asserts {
		dsl.EachExpr(a.Condition, func(e hclsyntax.Expression) {
			not, is := e.(*hclsyntax.UnaryOpExpr)
			if !is || not.Op != hclsyntax.OpLogicalNot {
				return
			}
			f, is := dsl.Bare(not.Val).(*hclsyntax.FunctionCallExpr)
			if !is || f.Name != "strcontains" || len(f.Args) != 2 {
				return
			}
			source := string(dsl.AppendSource(nil, f.Args[0]))
			v, written := dsl.Literal(dsl.Bare(f.Args[1]))
			if written && !v.IsNull() && v.Type() == cty.String && len(v.AsString()) >= 4 && (strings.Contains(source, "sut.std") || strings.Contains(source, "sut.logs")) {
				list = append(list, RuledOut{a.Name, v.AsString(), unread(v.AsString())})
			}
		})
	}
	return list
}
