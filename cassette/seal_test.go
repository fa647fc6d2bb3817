package cassette

import "testing"

// However long an edited body is, its pieces are those of it: none is longer than
// what is left, and together they are the body.
func TestRefitted(t *testing.T) {
	chunks := []Chunk{{At: 1, Len: 0}, {At: 2, Len: 5}, {At: 3, Len: 7}, {At: 4, Len: 2}}
	for size := range 30 {
		got := refitted(chunks, size)
		if why := chunkFlaw(got, size); why != "" || len(got) != len(chunks) {
			t.Errorf("%d bytes: %v: %s", size, got, why)
		}
	}
	if got := refitted(chunks, 20); got[1].Len != 5 || got[2].Len != 7 || got[3].Len != 8 || chunks[3].Len != 2 {
		t.Errorf("%v", got)
	}
}
