// Package twice finds the values that a program can have from two sides in one run, so that no check can tell
// which of them was used: a price that the browser sends and the shop answers, a city before it is changed and
// after, a total that is given and can be computed as well.
//
//	for _, p := range twice.Values(observed) {
//		fmt.Println(p) // the answer of prices: cents, which is 1299 in the request of checkout, too
//	}
package twice

import (
	"cmp"
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
)

// most bounds how many values of a run are looked at, and how many are told of.
const (
	most = 4096
	told = 8
	// momentMost bounds the length of a value that is looked for in what is sent.
	momentMost = 300
)

// A given is a value of a run with its name and the path to it, and who gave it.
type given struct {
	name, path, value, by string
	// answer is the attempt that it answered, 0 for what a caller or an input gave.
	answer int
	// repeats says that the request that it answered has it: an order is answered with its number.
	repeats bool
}

// A sent value is one of a request of the program.
type sent struct {
	step, name, value string
	// after is how many values were given before.
	after int
	// text says that what it stands in has it as a text, too.
	text bool
}

// Values are those that a check is about, and that were given under one name both by the inputs or a caller and by an
// answer that does not repeat its request; or by two answers, where a check compares two values of that name. Then
// those of requests that the program can have in two ways, numbers that are alike in one answer, and values that are
// the default of what is passed on.
func Values(o *observe.Observed) (list []observe.RequestPart) {
	r, checks := collect(o), checked(o.Plan)
	list = sameName(r.given, checks)
	list = append(list, r.ways(checks, told-len(list))...)
	list = append(list, r.mixed(told-len(list))...)
	list = append(list, r.alike(checks, told-len(list))...)
	list = append(list, r.wholes(checks, told-len(list))...)
	list = append(list, r.ordered(namesOf(o.Plan), told-len(list))...)
	list = append(list, r.walked(namesOf(o.Plan), told-len(list))...)
	list = append(list, r.counted(told-len(list))...)
	list = append(list, r.constant(namesOf(o.Plan), told-len(list))...)
	list = append(list, r.tallied(checks, told-len(list))...)
	list = append(list, r.structured(namesOf(o.Plan), told-len(list))...)
	return append(list, defaults(o.Plan, r.sent, checks, told-len(list))...)
}

func sameName(all []given, checks *set) (list []observe.RequestPart) {
	all = slices.DeleteFunc(slices.Clone(all), func(g given) bool { return g.repeats || !telling(g.value) })
	type key struct{ name, value string }
	by := map[key]given{} // who has given it first, an input before an answer
	seen := map[[2]string]bool{}
	for _, g := range all {
		at := key{g.name, g.value}
		if first, is := by[at]; !is || g.answer == 0 && first.answer > 0 {
			by[at] = g
		}
	}
	for _, g := range all {
		first, what := by[key{g.name, g.value}], [2]string{g.by, g.name}
		another := first.answer == 0 || first.answer < g.answer && checks.compared[g.name]
		if g.answer == 0 || !another || seen[what] || len(list) == told || !checks.about(g) {
			continue
		}
		seen[what] = true
		where := first.by
		if first.by == g.by {
			where = "an earlier one"
		}
		list = append(list, observe.RequestPart{Of: g.by, Name: fmt.Sprintf("%s, which is %s in %s, too", g.name, g.value, where)})
	}
	return list
}

// A record is what was given in a run and what its program sent, each in its order.
type record struct {
	given []given
	sent  []sent
	words []given // of the program's input
	// made are the values of what the server under test answered.
	made []sent
	rows map[string][]row // nil before they are asked for
	// moments are values of answers and of requests in the order of the run, those of header fields too.
	moments []moment
	// periods and sizes are what answers say of how long something lasts, and of how large they are.
	periods []period
	sizes   []size
	// plain are the answers of a server of MCP that have a structured content, by whether each of
	// them has the text that is made of it.
	plain   map[string]bool
	turn    int  // of the request or the answer that is read
	program bool // it is that of a program, and no workflow
}

func collect(o *observe.Observed) *record {
	r := &record{words: wordsOf(o.Plan), program: o.Plan.Sut != nil, plain: map[string]bool{}}
	add := func(by string, answer int, asked string) func(path, value string) {
		return func(path, value string) {
			if text := value; answer > 0 && len(r.moments) < most && value != "" && len(value) < momentMost {
				if path == "Link" {
					text = nextOf(value)
				}
				r.moments = append(r.moments, moment{by: by, name: path, text: text, turn: r.turn})
			}
			if len(r.given) < most && value != "" {
				r.given = append(r.given, given{lastOf(path), path, value, by, answer, telling(value) && strings.Contains(asked, value)})
			}
		}
	}
	leaves("", read.Normalise(o.Plan.Inputs), add("the inputs", 0, ""))
	serving := o.Plan.Sut.Serving()
	asked, served, turns := map[string]string{}, map[string]bool{}, map[string]int{}
	answers := 0
	for _, e := range o.Log.Events() {
		at := e.Step + "\x00" + e.Call + "\x00" + strconv.Itoa(e.Attempt)
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			if p.Request == nil {
				continue
			}
			if serving != nil && p.Provider == serving.Name && p.Asker == nil {
				says.JSON(p.Body, add("the request of "+e.Step, 0, ""))
				served[at] = true
				continue
			}
			turns[at] = len(turns) + 1
			r.turn = 2 * turns[at]
			r.send(e.Step, p.Request)
			asked[at] = p.URL + "\n" + p.Body
			if plain, err := url.PathUnescape(p.URL); err == nil {
				asked[at] += "\n" + plain
			}
		case *event.AttemptEnd:
			if served[at] && len(r.made) < most {
				says.JSON(p.Content, func(path, value string) {
					r.made = append(r.made, sent{step: e.Step, name: path, value: value, text: quoted(p.Content, value)})
				})
			}
			text, is := asked[at]
			if is && len(r.periods) < most {
				r.periods = append(r.periods, periods("the answer of "+e.Step, p.Headers)...)
			}
			s := o.Plan.ScriptFor(e.Step, e.Target)
			if !is || p.By != "script" || p.StatusCode >= 400 || s == nil || p.Entry < 1 || p.Entry > len(s.Entries) || s.Entries[p.Entry-1].Reply == nil {
				continue
			}
			answers++
			r.turn = 2*turns[at] + 1
			reply := *s.Entries[p.Entry-1].Reply
			// A model can ask for anything, also for what it was told.
			for _, call := range reply.ToolCalls {
				says.JSON(call.Arguments, add("the arguments of "+call.Name, answers, ""))
			}
			reply.ToolCalls = nil
			if reply.Structured != nil {
				others, known := r.plain["the answer of "+e.Step]
				r.plain["the answer of "+e.Step] = reply.Content == "" && (others || !known)
			}
			if len(r.sizes) < most && reply.Usage.Completion > 0 {
				r.sizes = append(r.sizes, sizeOf("the answer of "+e.Step, reply.Usage.Completion, reply.Content, reply.Chunks, len(r.sent)))
			}
			says.Reply(&reply, add("the answer of "+e.Step, answers, text))
			if tag := reply.Headers.Get("ETag"); tag != "" && len(r.moments) < most {
				r.moments = append(r.moments, moment{by: "the answer of " + e.Step, name: "ETag", text: tag, turn: r.turn})
			}
		}
	}
	slices.SortStableFunc(r.moments, func(a, b moment) int { return cmp.Compare(a.turn, b.turn) })
	return r
}

// inStatement is what a number in the text of a statement, or of a parameter of a query, is called.
const inStatement = "a number of its text"

// send notes the values of a request.
func (r *record) send(step string, q *event.Request) {
	note := func(name, value string, place int) {
		if len(r.moments) < most && value != "" && len(value) < momentMost {
			r.moments = append(r.moments, moment{sent: true, by: step, name: name, text: value, turn: r.turn, place: place})
		}
	}
	for _, name := range read.SortedNames(q.Headers) {
		if !strings.EqualFold(name, "content-length") {
			note("header "+strings.ToLower(name), q.Headers[name], 0)
		}
	}
	place := 0
	add := func(name, value string) {
		if q.Statement != "" { // its parameters stand in an order
			place++
		}
		note(name, value, place)
		if len(r.sent) < most && value != "" {
			r.sent = append(r.sent, sent{step, name, value, len(r.given), quoted(q.Body, value)})
		}
	}
	within := func(text string) {
		for i, n := range digits().FindAllString(text, numbersMax) {
			note(inStatement, n, i+1)
		}
	}
	if u, err := url.Parse(q.URL); err == nil {
		note(address, u.RequestURI(), 0)
		for segment := range strings.SplitSeq(u.Path, "/") {
			add("the path", segment)
		}
		query := u.Query()
		for _, name := range read.SortedNames(query) {
			for _, v := range query[name] {
				add(name, v)
				if strings.ContainsAny(v, " :<>=") {
					within(v)
				}
			}
		}
	}
	within(q.Statement)
	says.JSON(q.Body, func(path, value string) { add(path, value) })
}

// quoted reports whether a text of JSON has a number with a fraction of zeros as a text, such as a version 2.0.
func quoted(text, value string) bool {
	return strings.HasSuffix(value, "0") && strings.Contains(value, ".") && strings.Contains(text, `"`+value+`"`)
}

// lastOf is the name with which a path ends.
func lastOf(path string) string {
	return strings.TrimSuffix(path[strings.LastIndexByte(path, '.')+1:], "[]")
}

// leaves gives the texts and numbers of a value with the paths to them.
func leaves(path string, v cty.Value, give func(path, value string)) {
	if v == cty.NilVal || v.IsNull() || !v.IsWhollyKnown() {
		return
	}
	path = strings.TrimPrefix(path, ".")
	switch ty := v.Type(); {
	case ty == cty.String:
		give(path, v.AsString())
	case ty == cty.Number:
		give(path, v.AsBigFloat().Text('f', -1))
	case ty.IsObjectType() || ty.IsMapType():
		members := v.AsValueMap()
		for _, name := range read.SortedNames(members) {
			leaves(path+"."+name, members[name], give)
		}
	case ty.IsTupleType() || ty.IsListType() || ty.IsSetType():
		for _, inner := range v.AsValueSlice() {
			leaves(path+"[]", inner, give)
		}
	}
}

// telling reports whether a value is one that two give by chance or by mistake, and no word that many use.
func telling(value string) bool {
	if len(value) < 3 || len(value) > 200 {
		return false
	}
	return len(strings.TrimRight(value, "0.")) >= 2 && strings.ContainsAny(value, "0123456789@ ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// A set of checks knows which values they are about.
type set struct {
	compared map[string]bool // of which conditions compare two
	computed map[string]bool // that parts of conditions come to
	text     string          // of the conditions
}

func checked(p *plan.Plan) *set {
	s := &set{compared: map[string]bool{}, computed: map[string]bool{}}
	var text []byte
	for _, c := range p.Conditions() {
		text = append(dsl.AppendSource(text, c), '\n')
		arithmetic(c, func(value string) { s.computed[value] = true })
		dsl.EachExpr(c, func(e hclsyntax.Expression) {
			switch x := e.(type) {
			case *hclsyntax.BinaryOpExpr:
				if name := lastName(dsl.Bare(x.LHS)); dsl.IsEqual(x.Op) && name != "" && name == lastName(dsl.Bare(x.RHS)) {
					s.compared[name] = true
				}
			case *hclsyntax.FunctionCallExpr:
				if x.Name == "distinct" || x.Name == "toset" {
					dsl.EachExpr(x, func(e hclsyntax.Expression) { s.compared[lastName(e)] = true })
				}
			}
		})
	}
	s.text = string(text)
	return s
}

// lastName is the name with which a path ends, "" for any other expression.
func lastName(e hclsyntax.Expression) string {
	t, is := e.(*hclsyntax.ScopeTraversalExpr)
	if !is || len(t.Traversal) < 2 {
		return ""
	}
	name, _ := read.AttrName(t.Traversal, len(t.Traversal)-1)
	return name
}

// about reports whether a check has the name of a value, and says the value or compares two of that name.
func (s *set) about(g given) bool {
	return strings.Contains(s.text, g.name) && (s.compared[g.name] || strings.Contains(s.text, g.value))
}
