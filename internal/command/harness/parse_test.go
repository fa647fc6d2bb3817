package harness

import (
	"testing"
)

// Shows that no text of --shard is taken for a part that does not exist.
func FuzzShard(f *testing.F) {
	for _, s := range []string{"1/1", "2/3", "0/1", "4/3", "/", "1/", "-1/2", "1/2/3", "99999999999/1", "+1/2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		i, n, err := parseShard(text)
		if err == nil && (i < 1 || i > n) {
			t.Errorf("%q is part %d of %d", text, i, n)
		}
	})
}
