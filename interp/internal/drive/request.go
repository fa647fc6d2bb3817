package drive

import (
	"net/http"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/internal/encoded"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/providers"
)

// A request is what a program asked, as expressions and matches read it: with
// the address of the provider and without what only finds the endpoint.
type request struct {
	// http is as the provider would get it, and path is its path below that of
	// the provider.
	http *http.Request
	body []byte
	legible
	path string
	in   providers.Input
	turn int
	lane string
	// known is what it repeats, nil for one that is not remembered.
	known *known
	// found says by which rules it was found whose request it is.
	found Found

	json   cty.Value // decoded when it is first read
	asJSON bool
}

// A legible is the body of a request below its content codings, and the coding under which
// it stays; "" for none.
type legible struct {
	plain   []byte
	encoded string
}

// value is the body as JSON, null where it is none.
func (r *request) value() cty.Value {
	if !r.asJSON {
		r.json, r.asJSON = read.JsonValue(string(r.plain)), true
	}
	return r.json
}

// field is one attribute of request, by the names of the language.
func (r *request) field(name string) cty.Value {
	switch name {
	case "method":
		if method := r.in.RPC.Method; method != "" {
			return read.Text(method) // that of HTTP is always POST
		}
		return read.Text(r.http.Method)
	case "url":
		return read.Text(r.http.URL.String())
	case "path":
		return read.Text(r.path)
	case "host":
		return read.Text(r.http.URL.Host)
	case "query":
		attrs := map[string]cty.Value{}
		for name, values := range r.http.URL.Query() {
			attrs[name] = read.Text(strings.Join(values, ","))
		}
		return cty.ObjectVal(attrs)
	case "headers":
		attrs := map[string]cty.Value{}
		for name, values := range r.http.Header {
			attrs[strings.ToLower(name)] = read.Text(plan.HeaderText(strings.Join(values, ", ")))
		}
		return cty.ObjectVal(attrs)
	case "body":
		return read.Text(string(r.plain))
	case "json":
		return r.value()
	case "model":
		return read.TextOrNull(r.in.Model)
	case "prompt":
		return read.TextOrNull(r.in.Prompt())
	case "stream":
		return cty.BoolVal(r.in.Stream)
	case "turn":
		return read.NumberOrNull(r.turn)
	case "tool":
		return read.TextOrNull(r.in.RPC.Subject())
	case "statement":
		return read.TextOrNull(r.in.Statement)
	case "lane":
		return read.Text(r.lane)
	}
	return read.Null
}

// requestFields are the attributes of request in expressions.
var requestFields = []string{"method", "url", "path", "host", "query", "headers", "body", "json", "model", "prompt", "stream", "turn", "tool", "statement", "lane"}

// object is request as an expression reads it. Whatever an expression names
// below it and is not there is null.
func (r *request) object(n *read.Needs) cty.Value {
	attrs := map[string]cty.Value{}
	for _, name := range requestFields {
		if part := n.Of(name); part != nil {
			attrs[name] = filled(r.field(name), part)
		}
	}
	return cty.ObjectVal(attrs)
}

// filled is a value in which every attribute that is read is there.
func filled(v cty.Value, n *read.Needs) cty.Value {
	if n.Whole() || len(n.Kids) == 0 {
		return v
	}
	attrs := map[string]cty.Value{}
	if !v.IsNull() && v.Type().IsObjectType() {
		for name, part := range v.AsValueMap() {
			attrs[name] = part
		}
	} else if !v.IsNull() {
		return v
	}
	for _, kid := range n.Kids {
		inner, there := attrs[kid.Name]
		if !there {
			inner = read.Null
		}
		attrs[kid.Name] = filled(inner, kid.Part)
	}
	return cty.ObjectVal(attrs)
}

// at is the value at a path of a match, null where there is none.
func (r *request) at(path []string) cty.Value {
	switch path[0] {
	case "query":
		return read.TextOrNull(r.http.URL.Query().Get(path[1]))
	case "headers":
		return read.TextOrNull(plan.HeaderText(strings.Join(r.http.Header.Values(path[1]), ", ")))
	}
	v := r.field(path[0])
	for _, name := range path[1:] {
		v = below(v, name)
	}
	return v
}

// below is an attribute or an element of a value, null for none.
func below(v cty.Value, name string) cty.Value {
	if v.IsNull() || !v.IsKnown() {
		return read.Null
	}
	switch ty := v.Type(); {
	case ty.IsObjectType():
		if ty.HasAttribute(name) {
			return v.GetAttr(name)
		}
	case ty.IsTupleType():
		key, err := cty.ParseNumberVal(name)
		if err != nil {
			break
		}
		if i := cty.NumberIntVal(int64(v.LengthInt())); key.LessThan(i).True() && key.GreaterThanOrEqualTo(cty.Zero).True() {
			return v.Index(key)
		}
	}
	return read.Null
}

// A difference is the first thing in which a request is not what a match asks
// for.
type difference struct {
	path   []string
	want   string
	actual string
	// pattern says that many values would have been right.
	pattern bool
}

func (d *difference) String() string {
	return strings.Join(d.path, ".") + " is " + d.actual + ", not " + d.want
}

// differs is the first difference of a request from a match, nil where it fits.
// A condition that cannot be evaluated does not hold.
func (r *request) differs(m *plan.Match, condition func() bool) *difference {
	for i := range m.Leaves {
		leaf := &m.Leaves[i]
		if got := r.of(leaf); !leafFits(leaf, got) {
			return &difference{leaf.Path, render.Value(leaf.Want, 80), render.Value(got, 80), leaf.Pattern}
		}
	}
	if m.Condition != nil && !condition() {
		return &difference{[]string{"condition"}, "true", "false", false}
	}
	return nil
}

// nearness is how many fields of a match a request has more than it lacks.
func (r *request) nearness(m *plan.Match) (n int) {
	for i := range m.Leaves {
		if leaf := &m.Leaves[i]; leafFits(leaf, r.of(leaf)) {
			n++
		} else {
			n--
		}
	}
	return n
}

// of is what a request has of what a leaf asks for. A path with an escape in it, such as %2F, asks for the path as it
// was sent; any other one is compared with the path that this means.
func (r *request) of(leaf *plan.Leaf) cty.Value {
	if leaf.Path[0] == "path" && !leaf.Want.IsNull() && leaf.Want.Type() == cty.String && escape().MatchString(leaf.Want.AsString()) {
		sent := r.http.URL.EscapedPath()
		return read.Text(strings.TrimPrefix(sent, strings.TrimSuffix(r.http.URL.Path, r.path)))
	}
	return r.at(leaf.Path)
}

// escape is an escaped character of a path.
var escape = pattern.New(`%[0-9A-Fa-f]{2}`)

// leafFits reports whether a value is what a leaf asks for.
func leafFits(leaf *plan.Leaf, got cty.Value) bool {
	want := leaf.Want
	switch {
	case want.IsNull():
		return got.IsNull()
	case got.IsNull() || !got.IsKnown() || !got.Type().Equals(want.Type()):
		return false
	case want.Type() != cty.String:
		return got.RawEquals(want)
	}
	pattern, text := want.AsString(), got.AsString()
	switch statement := leaf.Path[0] == "statement"; {
	case statement && leaf.Pattern:
		return read.FitsStatement(pattern, text, like)
	case statement:
		return read.Folded(pattern) == read.Folded(text)
	case leaf.Pattern:
		return like(pattern, text)
	}
	return pattern == text
}

// like reports whether a text is one of a pattern, in which * is any run of
// characters.
func like(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	if !strings.HasPrefix(text, parts[0]) {
		return false
	}
	text = text[len(parts[0]):]
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return strings.HasSuffix(text, last)
}

// undo reads the body, which nothing else of a request has to be read for.
func (a *Asked) undo() {
	a.plain, a.encoded = encoded.Undo(a.Request.Header, a.Body)
}
