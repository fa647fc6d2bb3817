package cassette

import (
	"context"
	"errors"
	"testing"
)

// Where answers are repeated, the last one to the same request is played again,
// and another request is a miss as before. What was never played stays unused.
func TestRepeats(t *testing.T) {
	for _, own := range []bool{true, false} {
		item := func(attempt int, answer string) *Interaction {
			it := recorded("poll", attempt, `{"a":1}`, answer)
			if !own {
				it.Step = ""
			}
			return it
		}
		c := &Cassette{Own: own, Interactions: []*Interaction{item(1, `{"n":1}`), item(2, `{"n":2}`)}}
		for i, it := range c.Interactions {
			it.Index = i + 1
		}
		p, err := NewPlayer(c, Options{Repeats: true})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []int{1, 2, 2, 2} {
			it, err := p.Take(context.Background(), call("poll", "main", chatURL, `{"a":1}`))
			if err != nil || it.Index != want {
				t.Fatalf("own %v, call %d: %v, %v, want interaction %d", own, i+1, it, err, want)
			}
		}
		var miss *Miss
		want := Unmatched
		if own {
			want = Drifted
		}
		if _, err := p.Take(context.Background(), call("poll", "main", chatURL, `{"a":2}`)); !errors.As(err, &miss) || miss.Gate != want {
			t.Errorf("own %v: %v, want the gate %s", own, err, want)
		}
		if played := p.Played(); len(played) != 2 || len(p.Unused()) != 0 {
			t.Errorf("own %v: played %v", own, played)
		}
	}
}
