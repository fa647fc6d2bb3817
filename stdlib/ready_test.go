package stdlib

import (
	"fmt"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// Shows that a schema is made ready once for many values, and that few are kept.
func TestSchemasAreKeptReady(t *testing.T) {
	schema := cty.StringVal(`{"type": "string", "minLength": 3}`)
	first, err := schemaOf(schema)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := schemaOf(schema); again != first {
		t.Error("a schema was made ready again")
	}
	for i := range 3 * mostReady {
		if _, err := schemaOf(cty.StringVal(fmt.Sprintf(`{"type": "string", "minLength": %d}`, 100+i))); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(ready.schemas); n > mostReady {
		t.Errorf("%d schemas are kept, and %d at most", n, mostReady)
	}
}
