package interp

import (
	"strings"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/zclconf/go-cty/cty"
)

// sensitive lists what must be hidden of a sensitive variable: its value as it
// was given, and every text and number in it. Values that cannot be told from
// other text are named in a warning.
func (c *compiler) sensitive(b *dsl.Block, v cty.Value) []string {
	if c.secrets.variables == nil {
		c.secrets.variables = map[string]bool{}
	}
	c.secrets.variables[b.Name()] = true
	var list []string
	if text, given := c.opts.Vars[b.Name()]; given && v.Type() != cty.Bool {
		list = append(list, text, strings.TrimSpace(text))
	}
	list = leaves(list, v)
	if v.IsKnown() && !v.IsNull() && !empty(v) && redact.New(list) == nil {
		c.warnf(b.DefRange, "Value that cannot be hidden", "The value of the sensitive variable %q is true or false or has fewer than %d bytes. It would turn up everywhere, so it is hidden nowhere but among the variables of a plan.", b.Name(), redact.ShortestSecret)
	}
	return list
}

func empty(v cty.Value) bool {
	switch {
	case v.Type() == cty.String:
		return v.AsString() == ""
	case v.CanIterateElements():
		return v.LengthInt() == 0
	}
	return false
}

// leaves adds the texts and numbers of a value.
func leaves(list []string, v cty.Value) []string {
	switch {
	case !v.IsKnown() || v.IsNull():
	case v.Type() == cty.String:
		list = append(list, v.AsString())
	case v.Type() == cty.Number:
		list = append(list, dsl.Render(v, 0))
	case v.CanIterateElements():
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			list = leaves(list, e)
		}
	}
	return list
}
