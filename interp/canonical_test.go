package interp

import (
	"encoding/json"
	"testing"

	"github.com/scenario-lang/scenario/trace"
)

// A plan is the bytes that reading it and writing it again through maps gives.
func TestPlanIsCanonical(t *testing.T) {
	for _, p := range compileFile(t, typicalFile) {
		var v any
		if err := json.Unmarshal(p.JSON(), &v); err != nil {
			t.Fatal(err)
		}
		if again := trace.AppendValue(nil, v); string(again) != string(p.JSON()) {
			t.Errorf("got  %s\nwant %s", p.JSON(), again)
		}
	}
}
