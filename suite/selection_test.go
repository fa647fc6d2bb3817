package suite

import (
	"fmt"
	"testing"
)

// Shows that every scenario is in exactly one shard and that no shard is far
// from its share.
func TestShards(t *testing.T) {
	const scenarios, shards = 3000, 4
	var sizes [shards]int
	for n := range scenarios {
		in := 0
		for i := range shards {
			s := &Selection{Shard: uint64(i + 1), Shards: shards}
			if s.InShard("a/b.scenario.hcl", fmt.Sprintf("scenario %d", n)) {
				sizes[i]++
				in++
			}
		}
		if in != 1 {
			t.Fatalf("scenario %d is in %d shards", n, in)
		}
	}
	for i, size := range sizes {
		// Six standard deviations of a fair draw: sqrt(3000 * 1/4 * 3/4) = 23.7.
		if size < 750-142 || size > 750+142 {
			t.Errorf("shard %d has %d of %d scenarios", i+1, size, scenarios)
		}
	}
}

// Shows that the file counts as well as the name, and that the division is the
// one that other machines compute: the digests come from sha256sum.
func TestShardIsStable(t *testing.T) {
	for _, c := range []struct {
		place, name string
		sum         uint64 // first eight bytes of SHA-256 of place, NUL, name
	}{
		{"a.scenario.hcl", "one", 0x079fe2127b78de72},
		{"b.scenario.hcl", "one", 0xf407d7ffbdce9396},
		{"a.scenario.hcl", "two", 0xde611eb9b4a4f6d2},
	} {
		for shards := uint64(1); shards < 9; shards++ {
			s := &Selection{Shard: c.sum%shards + 1, Shards: shards}
			if !s.InShard(c.place, c.name) {
				t.Errorf("%s:%s is not in shard %d/%d", c.place, c.name, s.Shard, shards)
			}
		}
	}
}
