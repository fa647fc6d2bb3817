package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/scenario-lang/scenario/interp"
)

// Shows that every scenario is in exactly one shard and that no shard is far
// from its share.
func TestShards(t *testing.T) {
	const scenarios, shards = 3000, 4
	var sizes [shards]int
	for n := range scenarios {
		in := 0
		for i := range shards {
			s := &selection{shard: uint64(i + 1), shards: shards}
			if s.sharded("a/b.scenario.hcl", fmt.Sprintf("scenario %d", n)) {
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
			s := &selection{shard: c.sum%shards + 1, shards: shards}
			if !s.sharded(c.place, c.name) {
				t.Errorf("%s:%s is not in shard %d/%d", c.place, c.name, s.shard, shards)
			}
		}
	}
}

// Shows that a scenario which is selected alone has the recording that answers
// its bench, and that the recording is not opened where nobody selected plays it.
func TestSelectionOfABench(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(repository, "scenarios", "bench"))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	test := func(args ...string) int {
		a, end := surroundings(func(p *interp.Plan) *interp.Result { return interp.Run(p, interp.RunOptions{}) })
		return end(a.execute(append([]string{"test", "triage.scenario.hcl"}, args...))).code
	}
	if code := test("--run", "six of eight"); code != 0 {
		t.Errorf("alone it ends with %d", code)
	}
	if err := os.WriteFile("triage.yaml", []byte("no cassette"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code := test("--run", "a script in the place"); code != 0 {
		t.Errorf("without need of the recording it ends with %d", code)
	}
	if code := test("--run", "six of eight"); code != int(exitCassette) {
		t.Errorf("with a broken recording it ends with %d", code)
	}
	if code := test(); code != int(exitCassette) {
		t.Errorf("all with a broken recording end with %d", code)
	}
}
