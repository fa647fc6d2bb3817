package policy

import "testing"

// A stream depends on seed, purpose, step and number, on all of them and on
// nothing else: equal ones draw alike, however many other streams there are.
func TestDrawStreams(t *testing.T) {
	type key struct {
		seed          uint64
		purpose, step string
		n             int
	}
	first := func(k key) uint64 { return Draw(k.seed, k.purpose, k.step, k.n).Uint64() }
	keys := []key{
		{1, "jitter", "a", 1},
		{2, "jitter", "a", 1},
		{1, "bootstrap", "a", 1},
		{1, "jitter", "b", 1},
		{1, "jitter", "a", 2},
		{1, "jittera", "", 1},
		{1, "jitter", "a1", 1},
		{1, "jitter", "a", 11},
		{1, "", "jittera", 1},
	}
	seen := map[uint64]key{}
	for _, k := range keys {
		v := first(k)
		if other, dup := seen[v]; dup {
			t.Errorf("%v and %v draw alike", k, other)
		}
		seen[v] = k
	}
	for _, k := range keys {
		for n := range 50 {
			Draw(k.seed, k.purpose, k.step, 100+n).Uint64()
		}
		if _, same := seen[first(k)]; !same {
			t.Errorf("%v draws something else the second time", k)
		}
	}
}
