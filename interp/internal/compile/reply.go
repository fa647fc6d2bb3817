package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/compile/strike"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
)

// reply turns the attributes of a reply into the output that the provider's
// adapter renders.
func (sc *scenarioCompiler) reply(b *dsl.Block, steps []*plan.Step) *providers.Output {
	kind := steps[0].Gateway.Targets[0].Provider.Kind
	for _, st := range steps {
		if st.Gateway.Family() != kind.Family {
			sc.Errorf(b.DefRange, "Reply for two kinds of step", "The script is for every step, and one reply cannot answer both step %q, which is %s, and step %q, which is %s. Write a script for each.", steps[0].Name, steps[0].Describe(), st.Name, st.Describe())
			return nil
		}
	}
	for _, a := range b.Attrs {
		if read.Contains(strike.EntryAttrs, a.Name) {
			continue
		}
		if !slices.ContainsFunc(kind.Reply, func(known schema.Attr) bool { return known.Name == a.Name }) {
			var names []string
			for _, known := range kind.Reply {
				names = append(names, known.Name)
			}
			sc.Errorf(a.NameRange, "Unknown attribute", "The reply of a provider of kind %q has no attribute %q.%s It has: %s.", kind.Name, a.Name, cmp.Or(dsl.DidYouMean(a.Name, names), answersOtherwise(a.Name)), strings.Join(names, ", "))
			return nil
		}
	}
	r := sc.Read(b)
	if r.Has("chunk_delay") && !slices.ContainsFunc(steps, func(st *plan.Step) bool { return st.Stream || st.Endpoint != nil }) {
		r.Errorf("chunk_delay", "Attribute without a stream", "\"chunk_delay\" is the wait between the chunks of a stream, and step %q asks for none: set stream = true there, or give the reply a latency.", steps[0].Name)
	}
	if a := b.Attr("json"); a != nil {
		sc.jsonInString(a, "the client reads a string without attributes")
	}
	out, err := kind.ReplyOutput(r.Values(strike.EntryAttrs...))
	if err != nil {
		at, said := b.DefRange, sentence(err.Error())
		if a := b.Attr(attributeOf(err.Error())); a != nil {
			at = a.NameRange
			if object, ok := a.Expr.(*hclsyntax.ObjectConsExpr); ok && strings.Contains(said, "must be a list of objects") {
				said += fmt.Sprintf(" Write %s = [%s].", a.Name, dsl.Excerpt(object))
			}
		}
		sc.Errorf(at, "Wrong reply", "%s", said)
		return nil
	}
	return &out
}

// attributeOf is the attribute that a message about a reply begins with.
func attributeOf(said string) string {
	return said[:len(said)-len(strings.TrimLeft(said, "abcdefghijklmnopqrstuvwxyz_"))]
}

// jsonInString warns of a body whose JSON is a string that says an object or a list: who
// reads it gets a string.
func (c *compiler) jsonInString(a *dsl.Attr, reads string) {
	instead := ""
	switch v, written := dsl.Literal(a.Expr); {
	case written && !v.IsNull() && v.Type() == cty.String:
		instead = render.Shorten(dsl.AsObject(v.AsString()), 200)
	case beginsAsJSON().MatchString(beginning(a.Expr)):
		instead = "{ NAME = value } without quotes around it"
	}
	if instead != "" {
		c.Warnf(a.Expr.Range(), "JSON in a string", "The value of json is encoded as JSON. This is a string, so %s. Write json = %s, or use body for text that is already JSON.", reads, instead)
	}
}

// beginsAsJSON matches the beginning of an object or a list of JSON.
var beginsAsJSON = pattern.New(`^\s*(\{\s*"|\[\s*[\[{"])`)

func (sc *scenarioCompiler) replay(b *dsl.Block) *plan.Replay {
	r := sc.Read(b)
	if sc.block.First("cassette") == nil {
		sc.Errorf(b.DefRange, "Replay without a cassette", "A replay is a recorded answer: give the scenario a cassette block.")
	}
	rep := &plan.Replay{Interaction: r.Int("interaction")}
	if r.Has("latency") {
		d := r.Duration("latency")
		rep.Latency = &d
	}
	return rep
}
