package bench

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"
)

// Shows that the test of the cases that flipped is McNemar's exact one: against sums of
// binomial coefficients in whole numbers, and 9 against 21 as R's binom.test(9, 30) has it.
func TestMcNemar(t *testing.T) {
	if got := mcNemar(9, 21); math.Abs(got-0.04277) > 0.00001 {
		t.Errorf("9 against 21: %v", got)
	}
	for _, c := range [][2]int{{0, 0}, {0, 1}, {1, 0}, {0, 10}, {5, 5}, {6, 16}, {15, 3}, {100, 140}, {600, 700}, {20, 1500}} {
		n, few := int64(c[0]+c[1]), int64(min(c[0], c[1]))
		sum := new(big.Int)
		for k := range few + 1 {
			sum.Add(sum, new(big.Int).Binomial(n, k))
		}
		all := new(big.Int).Lsh(big.NewInt(1), uint(n))
		want, _ := new(big.Rat).SetFrac(sum.Lsh(sum, 1), all).Float64()
		want = min(want, 1)
		if got := mcNemar(c[0], c[1]); math.Abs(got-want) > 1e-9*max(want, 1e-3) {
			t.Errorf("%d against %d: %v, want %v", c[0], c[1], got, want)
		}
	}
}

// Shows that a run is worse where more cases stopped passing than chance explains,
// though the mean of partial scores stands still; that many flips both ways are no
// difference of the whole, and that two tests which contradict each other are mixed.
func TestVerdictOfFlips(t *testing.T) {
	spec, _ := stub()
	compare := func(broken, fixed int, move func(i int) float64) *Comparison {
		before, cases := map[string]*CaseResult{}, []Case{}
		for i := range 30 {
			id := fmt.Sprintf("c%02d", i)
			cases = append(cases, Case{ID: id})
			before[id] = &CaseResult{ID: id, Ran: true, Sums: Sums{Input: "i", Rubric: "r"}, Trial: Trial{Score: Score{Passed: i >= fixed, Score: 0.5}}}
		}
		r := Summarise(spec, cases, func(c Case, _ int) (Trial, bool) {
			var i int
			fmt.Sscanf(c.ID, "c%d", &i)
			return Trial{Score: Score{Passed: i < 30-broken, Score: 0.5 + move(i)}}, true
		}, nil)
		for i := range r.Cases {
			r.Cases[i].Sums = Sums{Input: "i", Rubric: "r"}
		}
		return Compare(spec, r, before)
	}
	still := func(i int) float64 { return float64(i%2*2-1) / 10 }
	for _, c := range []struct {
		broken, fixed int
		move          func(int) float64
		want          Verdict
	}{
		{8, 0, still, Worse},
		{0, 8, still, Better},
		{8, 8, still, Even},
		{3, 0, still, Even},
		{0, 0, still, Even},
		{8, 0, func(i int) float64 { return 0.1 + float64(i%3)/100 }, Mixed},
		{0, 0, func(i int) float64 { return 0.1 + float64(i%3)/100 }, Better},
	} {
		got := compare(c.broken, c.fixed, c.move)
		if got.Verdict() != c.want || len(got.Broken) != c.broken || len(got.Fixed) != c.fixed {
			t.Errorf("%d broken, %d fixed: %s, want %s: %+v", c.broken, c.fixed, got.Verdict(), c.want, got)
		}
	}
}

// Shows that of a long error the first words and the last stay, each whole, within the
// length of a detail.
func TestShortened(t *testing.T) {
	short := strings.Repeat("é", maxDetail)
	if got := Shortened(short); got != short {
		t.Errorf("what fits was changed: %q", got)
	}
	long := "exit status 1: Traceback (most recent call last):\n" + strings.Repeat("  File \"agent.py\", line 12, in ask\n", 40) + "KeyError: 'choices'"
	got := Shortened(long)
	if !strings.HasPrefix(got, "exit status 1: Traceback (most") || !strings.HasSuffix(got, "in ask\nKeyError: 'choices'") || utf8.RuneCountInString(got) > maxDetail {
		t.Errorf("%q", got)
	}
	for _, word := range strings.Fields(got) {
		if word != "…" && !strings.Contains(" "+strings.Join(strings.Fields(long), " ")+" ", " "+word+" ") {
			t.Errorf("%q is no whole word of it", word)
		}
	}
	if got := Shortened(strings.Repeat("x", 1000)); got != strings.Repeat("x", maxDetail) {
		t.Errorf("one long word: %q", got)
	}
}

// Shows that of what a program wrote on standard error a trial keeps the beginning and
// the end, within its share, at whole characters, however often it is cut.
func TestLogKeepsBothEnds(t *testing.T) {
	log := "begins here\n" + strings.Repeat("ünder way\n", 5000) + "ValueError: no such city"
	k := &Kept{Log: Excerpt{Text: log}, Judged: Excerpt{Text: log}}
	for _, limit := range []int{16 << 10, 4096, 1000} {
		k = k.Within(limit)
		for _, e := range []Excerpt{k.Log, k.Judged} {
			if !strings.HasPrefix(e.Text, "begins here\n") || !strings.HasSuffix(e.Text, "\nValueError: no such city") || !strings.Contains(e.Text, "\n…\n") {
				t.Errorf("limit %d: %q", limit, e.Text)
			}
			if e.Bytes != len(log) || !e.Ends || len(e.Text) > limit/4 || !utf8.ValidString(e.Text) {
				t.Errorf("limit %d: %d bytes of %d, valid %v", limit, len(e.Text), e.Bytes, utf8.ValidString(e.Text))
			}
		}
	}
}
