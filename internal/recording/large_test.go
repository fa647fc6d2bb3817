package recording

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette/convert"
	"github.com/scenario-lang/scenario/dsl"
)

// Shows that what becomes no scenario file is refused before it is laid out, wherever in
// the blocks it stands, and that what is within the bounds is not.
func TestTooLarge(t *testing.T) {
	nested := func(depth int, object bool) any {
		var v any = 1
		for range depth {
			if object {
				v = []convert.Attr{{Name: "a", Value: v}}
			} else {
				v = []any{v}
			}
		}
		return v
	}
	reply := func(v any) []*convert.Block {
		return []*convert.Block{{Type: "scenario", Labels: []string{"s"}, Blocks: []*convert.Block{{Type: "reply", Attrs: []convert.Attr{{Name: "json", Value: v}}}}}}
	}
	many := make([]any, valuesMax)
	huge := strings.Repeat("x", dsl.MaxFileSize)
	for name, row := range map[string]struct {
		blocks []*convert.Block
		want   string
	}{
		"nothing":        {reply(nil), ""},
		"some levels":    {reply(nested(50, true)), ""},
		"as deep as may": {reply(nested(dsl.MaxNesting-2, true)), ""},
		"a level more":   {reply(nested(dsl.MaxNesting-1, true)), "nested more than"},
		"deep objects":   {reply(nested(9000, true)), "nested more than"},
		"deep lists":     {reply(nested(9000, false)), "nested more than"},
		"a long list":    {reply(many), "100,000 values"},
		"as long as may": {reply(many[:valuesMax-3]), ""},
		"a value more":   {reply(many[:valuesMax-2]), "100,000 values"},
		"half of it":     {reply(many[:valuesMax/2]), ""},
		"many blocks":    {scenarios(valuesMax + 1), "100,000 values"},
		"a long text":    {reply(huge), "4 MiB"},
		"texts":          {reply([]any{huge[:len(huge)/2], huge[:len(huge)/2]}), "4 MiB"},
		"an expression":  {reply(convert.Expr(huge)), "4 MiB"},
		"a long label":   {[]*convert.Block{{Type: "scenario", Labels: []string{huge}}}, "4 MiB"},
		"a long comment": {[]*convert.Block{{Type: "scenario", Notes: []string{huge}}}, "4 MiB"},
		"a long name":    {reply([]convert.Attr{{Name: huge, Value: 1}}), "4 MiB"},
	} {
		got := TooLarge(row.blocks)
		if (got == "") != (row.want == "") || !strings.Contains(got, row.want) {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
		if name == "some levels" && len(Draft("", row.blocks)) == 0 {
			t.Errorf("%s: no text", name)
		}
	}
}

func scenarios(n int) []*convert.Block {
	list := make([]*convert.Block, n)
	for i := range list {
		list[i] = &convert.Block{Type: "scenario"}
	}
	return list
}
