package policy

import (
	"hash/fnv"
	"math/rand/v2"
	"strconv"
)

// Draw returns the random stream that belongs to one purpose, step and number
// of a scenario with this seed. Streams are independent: a step more never
// shifts another's draws.
func Draw(seed uint64, purpose, step string, n int) *rand.Rand {
	h := fnv.New64a()
	for _, part := range []string{purpose, step, strconv.Itoa(n)} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
