package explore

import (
	"strings"
	"testing"
)

// Whoever asks is told after each run how far the level under way is, whose size is known
// when it begins: after its last run all of it is done.
func TestProgress(t *testing.T) {
	for _, parallel := range []int{1, 4} {
		var told []Progress
		o := Options{MaxK: 2, Runs: 1 << 20, Parallel: parallel, Kinds: []string{"connection_refused", "http_error"}, Progress: func(p Progress) { told = append(told, p) }}
		r := Explore(Interpreted(planOf(t, strings.ReplaceAll(modelled, "RETRIES", "1")), nil), o)
		last, levels := Progress{}, map[int]Progress{}
		for _, p := range told {
			if p.K < last.K || p.K == last.K && p.Made != last.Made+1 || p.K > last.K && p.Made != 1 || p.Finds < last.Finds || p.Made > p.Of {
				t.Fatalf("after %+v comes %+v", last, p)
			}
			last, levels[p.K] = p, p
		}
		for k, l := range r.Account.Levels {
			if p := levels[k+1]; p.Made != l.Tried || p.Of != l.Sets || l.Tried != l.Sets {
				t.Errorf("level %d: %+v, and the account has %+v", k+1, p, l)
			}
		}
		if first := told[0]; first.Of < 10 || last.Finds == 0 || last.Finds > len(r.Finds) {
			t.Errorf("the first is %+v, the last %+v, and there are %d finds", first, last, len(r.Finds))
		}
	}
}

// A search that is ended from outside says what it made until then.
func TestInterrupted(t *testing.T) {
	done := make(chan struct{})
	o := Options{MaxK: 2, Runs: 1 << 20, Done: done}
	o.Progress = func(p Progress) {
		if p.K == 2 && p.Made == 40 {
			close(done)
		}
	}
	r := Explore(Interpreted(planOf(t, strings.ReplaceAll(modelled, "RETRIES", "1")), done), o)
	var b strings.Builder
	if err := WriteText(&b, []*Report{r}, o, 0); err != nil {
		t.Fatal(err)
	}
	l := r.Account.Levels
	if !r.Interrupted || len(l) != 2 || l[0].Tried != l[0].Sets || l[1].Tried != 40 || l[1].Sets < 100 || !strings.Contains(b.String(), ", 40 of ") || len(r.Finds) == 0 {
		t.Errorf("%+v\n%s", r.Account, b.String())
	}
}
