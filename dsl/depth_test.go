package dsl

import (
	"strings"
	"testing"
)

// What a look at the bytes calls shallow is so by its tokens: nothing that is
// too deep slips through in the disguise of a text or a comment.
func FuzzShallow(f *testing.F) {
	for _, seed := range []string{
		`a = "${f("x")}" # ${[`, "a = <<E\n${[\nE\n", `a = "\"[" /* " */ ]`, `a = "$${[" ? 1 : -1`, `a = "%{ if x }[%{ endif }"`, "a = [\n!!x,\n]\n", `"${"${"${"`, "{ [*] // }\n",
		"(0()0/*0", "(\xe80\"", // each was shallow once
	} {
		f.Add(seed, uint8(157))
	}
	f.Fuzz(func(t *testing.T, part string, times uint8) {
		src := []byte(strings.Repeat(part, int(times)))
		if !shallow(src) {
			return
		}
		if rng, deep := deepByTokens("x", src); deep {
			t.Errorf("shallow, and too deep at %s", rng)
		}
	})
}
