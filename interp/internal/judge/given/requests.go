package given

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// senders are the steps of which an attempt may be one: its step, those that may call its
// target, or all that dial; nil where others may, too.
func (f *File) senders(a *attempt) (list []*plan.Step) {
	switch {
	case f.o.Driven():
		return nil
	case a.step != nil:
		return []*plan.Step{a.step}
	}
	for _, s := range f.steps() {
		g := s.Step.Gateway
		if g != nil && (a.target == nil || slices.Contains(g.Targets, a.target)) {
			list = append(list, s.Step)
		}
	}
	return list
}

// sentBy reports whether something is true of each step that may have made an attempt.
func (f *File) sentBy(a *attempt, is func(*plan.Step) bool) bool {
	list := f.senders(a)
	return len(list) > 0 && !slices.ContainsFunc(list, func(s *plan.Step) bool { return !is(s) })
}

// requestPart is the request of an attempt. What of it no step that may have made it ever
// sets, and what each of them says alike, is what the file says, whatever they read and
// whichever of several targets they call.
func (f *File) requestPart(a *attempt) *part {
	methods := f.methods(a)
	return &part{f: f, attr: func(name string) given {
		switch name {
		case "method":
			if len(methods) == 1 {
				return given{cty.StringVal(methods[0]), ofDeclared}
			}
			ofKind := a.step != nil && a.step.Kind != plan.KindHTTP && !f.o.Driven() // a protocol has its own
			return when(ofKind || f.sends(a), cty.NilVal, ofDeclared)
		case "statement":
			return when(f.sentBy(a, func(s *plan.Step) bool { return s.Family != "sql" }), null, NoSubject("a step that asks a database"))
		case "body":
			return when(f.sentBy(a, sendsNoBody), cty.StringVal(""), NoSubject("a body in the requests"))
		case "json":
			return when(f.sentBy(a, sendsNoBody), null, NoSubject("a body in the requests"))
		}
		return free
	}, child: func(name string) *part {
		switch {
		case name == "method" && len(methods) > 1:
			return &part{f: f, words: methods}
		case name == "headers" && a.step != nil && f.sentBy(a, sendsTheseFields):
			return &part{f: f, whole: true, why: ofFields, child: func(string) *part { return nil }}
		}
		return nil
	}}
}

// methods are those of the requests that may be an attempt, sorted, nil where the file does
// not say one of them.
func (f *File) methods(a *attempt) (list []string) {
	known := f.sentBy(a, func(s *plan.Step) bool {
		m := methodOf(s)
		list = append(list, m)
		return m != ""
	})
	if !known {
		return nil
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// methodOf is the method of every request of a step, "" where the file does not say it.
func methodOf(s *plan.Step) string {
	switch s.Family {
	case "llm":
		return http.MethodPost
	case "http":
		if s.Args["method"] == nil {
			return http.MethodGet
		}
		if v, written := dsl.Literal(dsl.Bare(s.Args["method"].Expr)); written && !v.IsNull() && v.Type() == cty.String {
			return strings.ToUpper(v.AsString())
		}
	}
	return ""
}

func sendsNoBody(s *plan.Step) bool {
	return s.Family == "http" && s.Args["body"] == nil && s.Args["json"] == nil
}

// keyField is the field of a request that says that it may be sent again.
const keyField = "idempotency-key"

// fieldsOf are the names of the header fields that the requests of a step have by a target and
// by what the step itself gives, in lower case and sorted; nil where they are computed.
func fieldsOf(s *plan.Step, t *plan.Target) []string {
	list := []string{}
	for name := range t.Provider.Headers {
		list = append(list, strings.ToLower(name))
	}
	if s.Args["headers"] != nil {
		fields, written := dsl.Bare(s.Args["headers"].Expr).(*hclsyntax.ObjectConsExpr)
		if !written {
			return nil
		}
		for _, i := range fields.Items {
			name, diags := dsl.Evaluate(i.KeyExpr, nil)
			if diags.HasErrors() || name.Type() != cty.String || name.IsNull() {
				return nil
			}
			list = append(list, strings.ToLower(name.AsString()))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// sendsNoKey reports whether no request of a step has an Idempotency-Key: none is given,
// and the engine adds none.
func sendsNoKey(s *plan.Step) bool {
	return s.Gateway != nil && !slices.ContainsFunc(s.Gateway.Targets, func(t *plan.Target) bool {
		fields := fieldsOf(s, t)
		return fields == nil || slices.Contains(fields, keyField)
	})
}

// sendsTheseFields reports whether all requests of a step have the same header fields, whatever
// is in them: those that the file gives, and those of the protocol.
func sendsTheseFields(s *plan.Step) bool {
	if s.Family != "http" && s.Family != "llm" {
		return false
	}
	first := s.Gateway.Targets[0]
	return !slices.ContainsFunc(s.Gateway.Targets, func(t *plan.Target) bool {
		fields := fieldsOf(s, t)
		return fields == nil || t.Provider.Kind != first.Provider.Kind || !slices.Equal(fields, fieldsOf(s, first))
	})
}

// endpointPart is an endpoint of a program, whose requests are those that its match chooses:
// what that asks for, each of them has. A script that has to be used asks for so many.
func (f *File) endpointPart(name string) *part {
	s := f.o.Steps[name]
	if s == nil || s.Step.Endpoint == nil || !f.o.Driven() {
		return nil
	}
	leaves, other := s.Step.Endpoint.Match.Leaves, s.Step.Family != "sql"
	request := matched(f, leaves, nil)
	said := request.attr
	request.attr = func(name string) given {
		if name == "statement" && other {
			return given{null, NoSubject("a database behind the endpoint")}
		}
		return said(name)
	}
	asked, one := f.mustBeAsked(s), func(name string) given {
		switch t, by := oneTarget(s.Step), oneProvider(s.Step); {
		case name == "target" && t != nil:
			return given{cty.StringVal(t.Name), ofOne}
		case name == "provider" && by != nil:
			return given{cty.StringVal(by.Name), ofOne}
		}
		return free
	}
	never := f.unfailed(s)
	attempt := func(at int) *part {
		return &part{f: f, attr: func(name string) given {
			switch name {
			case "iteration":
				return given{null, NoSubject("a loop around the endpoint")}
			case "n":
				return when(at >= 0, cty.NumberIntVal(int64(at)+1), ofNumber)
			}
			if v, is := ofUnfailed[name]; is && never != "" {
				return given{v, never}
			}
			return one(name)
		}, child: func(name string) *part {
			switch name {
			case "request":
				return request
			case "response":
				return &part{f: f, attr: func(name string) given {
					return when(name == "sqlstate" && other, null, NoSubject("a database behind the endpoint"))
				}}
			}
			return nil
		}}
	}
	lists := func(name string) *part {
		switch name {
		case "attempts":
			return &part{f: f, asked: asked, elem: attempt}
		case "calls":
			return f.programCalls(s, never, min(asked, 1))
		}
		return nil
	}
	return &part{f: f, attr: func(name string) given {
		if v, is := ofUnretried[name]; is && never != "" {
			return given{v, never}
		}
		if asked == 0 {
			return free // that it was asked at all shows something
		}
		return one(name)
	}, child: func(name string) *part {
		if name == "lanes" {
			return &part{f: f, elem: func(int) *part { return &part{f: f, child: lists} }}
		}
		return lists(name)
	}}
}

// matched are the parts of a request of which a match says what they are.
func matched(f *File, leaves []plan.Leaf, at []string) *part {
	below := func(name string) (list []plan.Leaf) {
		path := append(slices.Clone(at), name)
		for _, l := range leaves {
			if len(l.Path) >= len(path) && slices.Equal(l.Path[:len(path)], path) {
				list = append(list, l)
			}
		}
		return list
	}
	return &part{f: f, attr: func(name string) given {
		for _, l := range below(name) {
			if len(l.Path) == len(at)+1 && !l.Pattern {
				return given{l.Want, ofMatch}
			}
		}
		return free
	}, child: func(name string) *part {
		if list := below(name); len(list) > 0 {
			return matched(f, list, append(slices.Clone(at), name))
		}
		return nil
	}, elem: func(i int) *part {
		return matched(f, below(strconv.Itoa(i)), append(slices.Clone(at), strconv.Itoa(i)))
	}, sure: elements(leaves, len(at))}
}

// elements is how many elements a list has at least of which leaves are parts, at a depth.
func elements(leaves []plan.Leaf, depth int) (n int) {
	for _, l := range leaves {
		if len(l.Path) > depth {
			if i, err := strconv.Atoi(l.Path[depth]); err == nil {
				n = max(n, i+1)
			}
		}
	}
	return n
}

// mustBeAsked is how often a program has to ask an endpoint: as often as its script has
// answers that have to be used.
func (f *File) mustBeAsked(s *observe.StepResult) (n int) {
	if f.o.Way != plan.Exec {
		return 0
	}
	return f.mustBeUsed(s)
}

// mustAsk is how often a step of a workflow has to dial, as its script asks for it.
func (f *File) mustAsk(s *observe.StepResult) int {
	if f.o.Driven() || s.Outer != nil || s.Step.Gateway == nil || f.p.Instances > 1 {
		return 0
	}
	return f.mustBeUsed(s)
}

// mustBeUsed is how many entries of the script of a step have to be used: gates ask for it.
func (f *File) mustBeUsed(s *observe.StepResult) (n int) {
	sc := f.p.ScriptFor(s.Name, "")
	if sc == nil || sc.Address != s.Name {
		return 0
	}
	for _, e := range sc.Entries {
		gate := plan.GateUnusedReply
		if e.Fault != nil {
			gate = plan.GateUnfiredFault
		}
		if !e.Optional && !f.p.Allow[gate] {
			n += max(1, e.Times)
		}
	}
	return n
}
