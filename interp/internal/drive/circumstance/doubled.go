package circumstance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Files are those that a program may have read.
type Files struct {
	// Lists are tables and lists, a line or an element for each thing. Data are those, and other texts that are no
	// program, and Sources the rest.
	Lists, Data, Sources []string
	// Whole says that no file was left out.
	Whole bool
}

// Handed is what a program was given by its command and its scenario.
type Handed struct {
	// Command is what was started.
	Command []string
	// Texts are its arguments and the values of its environment, and Stdin is its input.
	Texts []string
	Stdin string
}

// What bounds the values that a check counts, and how much of what a program was given is looked through.
const (
	doubledValues = 1 << 10
	doubledMax    = 16 << 20
)

// Doubled are the endpoints of which a check says that a program sends them nothing twice, by counting distinct
// values. Made says that the run asks for something twice: a value, or an element of a list, was given twice, a
// request to the server under test came again, the command starts a program twice, or an attempt failed. Why is
// there where nothing does: a program that looks for no duplicates passes as well. files are asked for only where
// a check counts.
func Doubled(p *plan.Plan, obs *observe.Observed, handed Handed, files func() Files) (list []Trial) {
	if p.Recording != nil {
		return nil
	}
	made := func(endpoint string) { list = append(list, Trial{Of: doubledOf(endpoint), Made: true}) }
	o := offered(p, obs)
	if o.twice || listsTwice(handed.Stdin) || slices.ContainsFunc(handed.Texts, listsTwice) || slices.ContainsFunc(handed.Command, startsTwice) {
		for _, n := range p.Endpoints {
			made(n.Name)
		}
		return list
	}
	counts := countedOnce(p, obs)
	if len(counts) == 0 {
		return nil
	}
	near := Files{}
	if !o.failed {
		near = files()
	}
	o.given = append(o.given, append(slices.Clone(handed.Texts), handed.Stdin))
	for _, c := range counts {
		if o.failed || slices.ContainsFunc(near.Lists, listsTwice) {
			made(c.endpoint)
			continue
		}
		t := tokens{of: c.values, found: map[string]bool{}, left: doubledMax}
		for _, texts := range o.given {
			t.count(texts)
		}
		known := len(t.found) == len(c.values)
		t.count(near.Data)
		for _, s := range slices.Concat(near.Sources, handed.Command) {
			t.count([]string{s})
		}
		switch {
		case t.twice:
			made(c.endpoint)
		case t.left < 0, !near.Whole && !known, len(t.found) == 0 && generated(c.values):
			// nobody knows where the values are from, or each is made up
		default:
			list = append(list, Trial{Of: doubledOf(c.endpoint), Why: fmt.Sprintf("assert %q counts distinct values of what the program sends to %s, so that nothing is sent twice, and nothing in the run asks for that: no value was given twice, and no request failed, so that it would be sent again. A program that looks for no duplicates passes as well.\nhint: give the program one of the values twice, in its input or in an answer; or let a request fail after the service has done what it asks for, such as with fault \"connection_reset\" {}", c.assert, c.endpoint)})
		}
	}
	return list
}

func doubledOf(endpoint string) string { return "duplicates to " + endpoint }

// counted are the values of the requests to an endpoint that a check counts.
type counted struct {
	assert, endpoint string
	values           map[string]bool
}

// countedOnce are those of checks that do not hold where one of the values is sent twice.
func countedOnce(p *plan.Plan, obs *observe.Observed) (list []counted) {
	var ctx *hcl.EvalContext
	for _, a := range p.Asserts {
		dsl.EachExpr(a.Condition, func(e hclsyntax.Expression) {
			x, is := e.(*hclsyntax.BinaryOpExpr)
			if !is || !dsl.IsEqual(x.Op) && x.Op != hclsyntax.OpGreaterThanOrEqual {
				return
			}
			for _, sides := range [][2]hclsyntax.Expression{{x.LHS, x.RHS}, {x.RHS, x.LHS}} {
				of, number := distinctOf(sides[0])
				if of == nil {
					continue
				}
				endpoint := sentTo(of)
				s := obs.Steps[endpoint]
				if s == nil || s.Step.Endpoint == nil || s.Step.Kind == plan.KindLLM || !sends(s) {
					continue
				}
				other := dsl.Bare(sides[1])
				if !readsOf(other, endpoint) && (!number || !countsAll(p, endpoint)) {
					continue
				}
				if ctx == nil {
					ctx = obs.ObservedContext(p.Needs, nil)
				}
				if v, diags := dsl.Evaluate(of, ctx); !diags.HasErrors() {
					if values := plainOf(v); values != nil {
						list = append(list, counted{a.Name, endpoint, values})
					}
				}
			}
		})
	}
	return list
}

// distinctOf is the list of which an expression is the distinct elements, or how many there are; nil for any other.
func distinctOf(e hclsyntax.Expression) (of hclsyntax.Expression, number bool) {
	f, is := dsl.Bare(e).(*hclsyntax.FunctionCallExpr)
	if is && f.Name == "length" && len(f.Args) == 1 {
		number = true
		f, is = dsl.Bare(f.Args[0]).(*hclsyntax.FunctionCallExpr)
	}
	if !is || f.Name != "distinct" && f.Name != "toset" || len(f.Args) != 1 {
		return nil, false
	}
	return dsl.Bare(f.Args[0]), number
}

// unlike are words of what is another one in each request, whatever it is about.
var unlike = []string{"idempotency", "nonce", "trace", "request", "correlation", "signature", "timestamp", "jti"}

// sentTo is the endpoint whose requests a list is of, if it lists a part of each that says what is asked for; ""
// for any other list.
func sentTo(e hclsyntax.Expression) (endpoint string) {
	for t := range dsl.Variables(e) {
		name, _ := read.AttrName(t, 1)
		if t.RootName() != "endpoint" || endpoint != "" && endpoint != name {
			return ""
		}
		endpoint = name
	}
	requests, other := false, false
	through := func(t hcl.Traversal) {
		for i := range t {
			name, _ := read.AttrName(t, i)
			if !requests {
				requests = name == "request"
				continue
			}
			other = other || name == "headers" || slices.ContainsFunc(read.WordsIn(name), func(w string) bool { return slices.Contains(unlike, w) })
		}
	}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			through(x.Traversal)
		case *hclsyntax.RelativeTraversalExpr:
			through(x.Traversal)
		}
	})
	if !requests || other {
		return ""
	}
	return endpoint
}

// readsOf reports whether an expression reads an endpoint.
func readsOf(e hclsyntax.Expression, endpoint string) bool {
	for t := range dsl.Variables(e) {
		if name, _ := read.AttrName(t, 1); t.RootName() == "endpoint" && name == endpoint {
			return true
		}
	}
	return false
}

// countsAll reports whether a check says how often an endpoint is asked.
func countsAll(p *plan.Plan, endpoint string) (counts bool) {
	for _, x := range p.Expects {
		counts = counts || x.Address == endpoint && slices.ContainsFunc(x.Attrs, func(a *dsl.Attr) bool { return a.Name == "attempts" || a.Name == "calls" })
	}
	for _, a := range p.Asserts {
		dsl.EachExpr(a.Condition, func(e hclsyntax.Expression) {
			if f, is := e.(*hclsyntax.FunctionCallExpr); is && f.Name == "length" && len(f.Args) == 1 {
				if _, nested := dsl.Bare(f.Args[0]).(*hclsyntax.FunctionCallExpr); !nested && readsOf(f.Args[0], endpoint) {
					counts = true
				}
			}
		})
	}
	return counts
}

// sends reports whether a program asks an endpoint for something that it would not ask for twice: not only for
// what it reads.
func sends(s *observe.StepResult) bool {
	return slices.ContainsFunc(s.Asked(), func(a observe.Asked) bool {
		return a.Request.Method != http.MethodGet && a.Request.Method != http.MethodHead && a.Request.Method != http.MethodOptions
	})
}

// plainOf are the plain values of the elements of a list of which no two are equal, each that only one of them
// has; nil where it has fewer than two elements, or one of them has no value of its own.
func plainOf(v cty.Value) map[string]bool {
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() || v.LengthInt() < 2 {
		return nil
	}
	of, seen := map[string]int{}, map[string]bool{} // of is the element that has it, from 1; -1 for several
	n := 0
	for _, e := range v.AsValueSlice() {
		n++
		raw, err := json.Marshal(dsl.GoValue(e))
		if err != nil || seen[string(raw)] || e.IsNull() || len(of) > doubledValues {
			return nil
		}
		seen[string(raw)] = true
		add := func(_, _, _, text string) {
			for _, text := range plainIn(text) {
				switch text = normal(text); {
				case text == "":
				case of[text] != 0 && of[text] != n:
					of[text] = -1
				default:
					of[text] = n
				}
			}
		}
		if text := ""; json.Unmarshal(raw, &text) == nil {
			eachPlain(text, add)
		} else {
			eachPlain(string(raw), add)
		}
	}
	values, own := map[string]bool{}, map[int]bool{}
	for text, n := range of {
		if n > 0 {
			values[text], own[n] = true, true
		}
	}
	if len(own) < n {
		return nil
	}
	return values
}

// plainIn are the values of an address or a form, or a text as it is.
func plainIn(text string) []string {
	u, err := url.Parse(text)
	if err == nil && u.Scheme != "" && u.Host != "" {
		list := strings.Split(strings.Trim(u.Path, "/"), "/")
		for _, values := range u.Query() {
			list = append(list, values...)
		}
		return list
	}
	if form, err := url.ParseQuery(text); err == nil && strings.Contains(text, "=") && !strings.ContainsAny(text, " \n") {
		var list []string
		for _, values := range form {
			list = append(list, values...)
		}
		return list
	}
	return []string{text}
}

func normal(text string) string {
	return strings.Trim(strings.TrimSpace(strings.ToLower(text)), ".-_+")
}

// generated reports whether values are such as a program makes up: long numbers, and ids of random digits.
func generated(values map[string]bool) bool {
	for text := range values {
		bare := strings.ReplaceAll(text, "-", "")
		if len(bare) >= 10 && strings.Trim(bare, "0123456789abcdef") == "" {
			return true
		}
	}
	return false
}

// tokens counts values in texts.
type tokens struct {
	of, found map[string]bool
	// twice says that one of them stands twice in texts of one kind, and left is how many bytes are looked through
	// at most: less than 0 says that some were not.
	twice bool
	left  int
}

// count looks through texts of one kind.
func (t *tokens) count(texts []string) {
	cells, words := map[string]bool{}, map[string]bool{}
	for _, text := range texts {
		if t.left -= len(text); t.left < 0 {
			return
		}
		for _, at := range []struct {
			seen map[string]bool
			ends func(rune) bool
		}{{cells, endsCell}, {words, endsWord}} {
			for part := range strings.FieldsFuncSeq(text, at.ends) {
				if part = normal(part); t.of[part] {
					t.twice = t.twice || at.seen[part]
					t.found[part], at.seen[part] = true, true
				}
			}
		}
	}
}

// endsCell reports whether a character ends a cell of a table or a text in a source, and endsWord whether it
// is none of a key or an address.
func endsCell(c rune) bool { return strings.ContainsRune(",;|\t\n\r\"'`:={}[]()<>", c) }

func endsWord(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("@.-_+", c)
}

// startsTwice reports whether a word of a command is a text of a shell that may start a program twice.
func startsTwice(text string) bool {
	seen := map[string]bool{}
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(";&|()`'\"", c) }) {
		switch word {
		case "for", "while", "until", "xargs", "parallel":
			return true
		}
		if strings.ContainsAny(word, "./") && seen[word] {
			return true
		}
		seen[word] = true
	}
	return false
}

// offer is what a run gives a program: whether something comes twice, or failed, and the texts, by where they are
// from.
type offer struct {
	twice, failed bool
	given         [][]string
}

func offered(p *plan.Plan, obs *observe.Observed) (o offer) {
	serving := p.Sut.Serving()
	of := map[string]int{}
	seen := map[string]bool{}
	again := func(key string) {
		o.twice = o.twice || seen[key]
		seen[key] = true
	}
	left := doubledMax
	keep := func(from, text string) {
		if left -= len(text); left < 0 {
			o.twice = true // nobody knows
			return
		}
		if _, known := of[from]; !known {
			of[from] = len(o.given)
			o.given = append(o.given, nil)
		}
		o.given[of[from]] = append(o.given[of[from]], text)
	}
	events := obs.Log.Events()
	for i := range events {
		e := &events[i]
		switch x := e.Payload.(type) {
		case *event.AttemptStart:
			if x.Request == nil || x.Asker != nil || serving == nil || x.Provider != serving.Name {
				continue
			}
			q := taken(x.Request)
			again("whole " + q.whole)
			if q.ids != "" {
				again("ids " + q.shape)
			}
			if key := x.Headers["idempotency-key"]; key != "" {
				again("key " + key)
			}
			keep("", x.URL+"\n"+x.Body)
		case *event.AttemptEnd:
			o.failed = o.failed || x.FaultType != "" || x.Outcome != read.StatusSuccess
			if x.Served == nil {
				continue
			}
			text := x.Content
			if raw, err := json.Marshal(x.ToolCalls); err == nil && len(x.ToolCalls) > 0 {
				text += "\n" + string(raw)
			}
			if strings.ContainsAny(text, "[\n") && !strings.Contains(text, "[]") {
				again("answer of " + e.Step + "\n" + text)
				o.twice = o.twice || listsTwice(text)
			}
			keep(e.Step, text)
		case *event.Fault:
			o.failed = true
		}
	}
	return o
}

// listsTwice reports whether a text has an element of a list of JSON twice, or a line where it is no JSON.
func listsTwice(text string) bool {
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) == nil && !d.More() {
		return holdsTwice(v, 0)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		line = normal(line)
		if !strings.ContainsFunc(line, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) {
			continue
		}
		if seen[line] {
			return true
		}
		seen[line] = true
	}
	return false
}

// deepest is how deep lists are looked for.
const deepest = 8

// holdsTwice reports whether a list in a value has two elements that are equal, or have one id.
func holdsTwice(v any, depth int) bool {
	if depth > deepest {
		return false
	}
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if holdsTwice(e, depth+1) {
				return true
			}
		}
	case []any:
		seen := map[string]bool{}
		for _, e := range v {
			raw, err := json.Marshal(e)
			if err != nil {
				continue
			}
			keys := []string{strings.ToLower(string(raw))}
			if m, is := e.(map[string]any); is && m["id"] != nil {
				keys = append(keys, fmt.Sprint("id ", m["id"]))
			}
			for _, k := range keys {
				if seen[k] {
					return true
				}
				seen[k] = true
			}
			if holdsTwice(e, depth+1) {
				return true
			}
		}
	}
	return false
}
