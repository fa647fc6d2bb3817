package main

import (
	"bytes"
	"context"
	"testing"
)

// Shows that the program prints what the recording holds: the times are those
// of its chunks and of the Retry-After of its first answer.
func TestEmbed(t *testing.T) {
	const want = `a refusal, then two answers: 1000 of 1000 runs passed, each took 3.75s of its own time
classify: success, delays [2s]
  attempt 1 at 0s: status 429
  attempt 2 at 2.12s: status 200
  "question"
answer: success, delays []
  attempt 1 at 0s: status 200
  "Rayleigh scattering of sunlight."
`
	var b bytes.Buffer
	if err := run(context.Background(), &b); err != nil || b.String() != want {
		t.Errorf("%v\n%s", err, b.String())
	}
}
