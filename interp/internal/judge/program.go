package judge

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// asksProgram replaces the queries about what the program said of itself: an answer
// about something of which it never said anything is marked.
func (l *look) asksProgram() {
	for _, name := range []string{"sut.metric", "sut.spans", "sut.logs"} {
		f, asked := l.checker.ctx.Functions[name]
		if !asked {
			continue
		}
		l.functions[name] = function.New(&function.Spec{
			Params: f.Params(), VarParam: f.VarParam(),
			Type: f.ReturnTypeForValues,
			Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
				v, err := f.Call(args)
				if err != nil || !isEmpty(v) {
					return v, err
				}
				if why := l.checker.run.Obs.SaidOfNone(name, args); why != "" {
					return v.Mark(none(why)), nil
				}
				return v, nil
			},
		})
	}
}
