package observe

import (
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Every kind of step says what can be read of its result, and each attribute of
// its shape has a value.
func TestEveryKindIsReadable(t *testing.T) {
	for _, k := range append(plan.StepKinds(), plan.KindHandler) {
		row, ok := kinds()[k]
		if !ok {
			t.Errorf("kind %q has no row in observe/kinds.go", k)
			continue
		}
		if k == plan.KindHandler {
			continue // its own shape is the one of the steps inside it
		}
		if shown := len(row.shape.Attrs) + len(row.shape.Never); len(row.fields) != shown {
			t.Errorf("kind %q has %d attributes and a shape of %d", k, len(row.fields), shown)
		}
		for _, f := range row.fields {
			if row.shape.Attrs[f.Name] == nil && row.shape.Never[f.Name] == "" {
				t.Errorf("kind %q: the shape does not know %q", k, f.Name)
			}
		}
	}
}
