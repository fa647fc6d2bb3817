package plan

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A Request is what a program asked, as the expressions of its endpoint read it.
// What is empty, zero or nil was not in the request and reads as null.
type Request struct {
	// Method is that of HTTP or of a server's protocol.
	Method string
	// URL and Host are those of the provider's base_url, never a listener's, and
	// Path is what comes below that of base_url.
	URL, Host, Path string
	Query, Headers  map[string]string // names of header fields in lower case
	Body            string
	Model, Prompt   string
	// Stream says whether a stream was asked for, nil where that is no question.
	Stream          *bool
	Turn            int
	Tool, Statement string
	// Lane is where the request belongs, in a match alone.
	Lane string
}

// RequestFields are what an expression can ask of a request.
var RequestFields = []read.Field[Request]{
	read.Attr("method", read.Nullable(read.TextShape), "The method.", func(r *Request) cty.Value { return read.TextOrNull(r.Method) }),
	read.Attr("url", read.Nullable(read.TextShape), "The URL at the service itself.", func(r *Request) cty.Value { return read.TextOrNull(r.URL) }),
	read.Attr("path", read.Nullable(read.TextShape), "The path below that of base_url.", func(r *Request) cty.Value { return read.TextOrNull(r.Path) }),
	read.Attr("host", read.Nullable(read.TextShape), "The host of the service itself.", func(r *Request) cty.Value { return read.TextOrNull(r.Host) }),
	read.Attr("query", read.OpenShape, "The query parameters.", func(r *Request) cty.Value { return read.TextMap(r.Query) }),
	read.Attr("headers", read.OpenShape, "The header fields, names in lower case.", func(r *Request) cty.Value { return read.TextMap(r.Headers) }),
	read.Attr("body", read.Nullable(read.TextShape), "The body as text.", func(r *Request) cty.Value { return read.TextOrNull(r.Body) }),
	read.Attr("json", read.AnyShape, "The body as a value, null where it is not JSON.", func(r *Request) cty.Value { return read.JsonValue(r.Body) }),
	read.Attr("model", read.Nullable(read.TextShape), "The model that is asked for.", func(r *Request) cty.Value { return read.TextOrNull(r.Model) }),
	read.Attr("prompt", read.Nullable(read.TextShape), "The text of the user's last message.", func(r *Request) cty.Value { return read.TextOrNull(r.Prompt) }),
	read.Attr("stream", read.Nullable(read.BoolShape), "Whether a stream is asked for.", func(r *Request) cty.Value {
		if r.Stream == nil {
			return read.Null
		}
		return cty.BoolVal(*r.Stream)
	}),
	read.Attr("turn", read.Nullable(read.NumberShape), "1 plus the assistant's messages since the user's last one.", func(r *Request) cty.Value { return read.NumberOrNull(r.Turn) }),
	read.Attr("tool", read.Nullable(read.TextShape), "The tool, prompt or resource of an MCP server.", func(r *Request) cty.Value { return read.TextOrNull(r.Tool) }),
	read.Attr("statement", read.Nullable(read.TextShape), "The statement for a database.", func(r *Request) cty.Value { return read.TextOrNull(r.Statement) }),
	read.Attr("lane", read.Nullable(read.TextShape), "The lane, in a match.", func(r *Request) cty.Value { return read.TextOrNull(r.Lane) }),
}

// RequestShape is the shape of the root request.
var RequestShape = read.ShapeOf("request", RequestFields)

// Over evaluates an expression over a request. What the request has not is
// null, also below: request.json.a.b is where there is no a.
func (r *Request) Over(static *hcl.EvalContext, e hclsyntax.Expression) (cty.Value, hcl.Diagnostics) {
	var needs read.Needs
	needs.Add(e)
	ctx := static.NewChild()
	ctx.Variables = map[string]cty.Value{}
	if need := needs.Of("request"); need != nil {
		ctx.Variables["request"] = padded(read.Object(RequestFields, r, need), need)
	}
	return e.Value(ctx)
}

// padded is a value with nulls in the places where names are read that it does
// not have.
func padded(v cty.Value, need *read.Needs) cty.Value {
	switch {
	case need == nil || !v.IsKnown():
		return v
	case v.IsNull():
		if len(need.Kids) == 0 || need.All {
			return v
		}
		v = cty.EmptyObjectVal
	}
	switch t := v.Type(); {
	case t.IsObjectType():
		attrs := v.AsValueMap()
		if attrs == nil {
			attrs = map[string]cty.Value{}
		}
		for _, kid := range need.Kids {
			old, there := attrs[kid.Name]
			if !there {
				old = read.Null
			}
			attrs[kid.Name] = padded(old, kid.Part)
		}
		for name, old := range attrs {
			if need.Elem != nil && need.Find(name) == nil {
				attrs[name] = padded(old, need.Elem)
			}
		}
		return cty.ObjectVal(attrs)
	case t.IsTupleType() && need.Elem != nil:
		list := v.AsValueSlice()
		for i := range list {
			list[i] = padded(list[i], need.Elem)
		}
		return cty.TupleVal(list)
	}
	return v
}
