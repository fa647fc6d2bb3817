package interp

import (
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

func BenchmarkValidateX(b *testing.B) {
	source := typical(b)
	for b.Loop() {
		f, _ := dsl.Parse(typicalFile, source)
		Compile(f, Options{})
	}
}
