package tally

import (
	"math"
	"testing"

	"github.com/hashicorp/hcl/v2"
)

// Shows that work is counted up to the limit and not beyond, however it is cut
// into pieces, and that what is too much stays too much.
func TestLimit(t *testing.T) {
	for _, piece := range []int64{1, 7, 1000} {
		tally := New(1000)
		for spent := piece; spent <= 1000; spent += piece {
			if !tally.Spend(piece, named("a")) || tally.Over() {
				t.Fatalf("pieces of %d: over at %d", piece, spent)
			}
		}
		if tally.Spend(1000%piece+1, named("a")) || !tally.Over() || tally.Spend(0, named("a")) {
			t.Errorf("pieces of %d: %d is within 1000", piece, tally.Spent())
		}
	}
}

// Shows that no cost is large enough to wrap around the sum.
func TestNoOverflow(t *testing.T) {
	tally := New(math.MaxInt64 / 4)
	for range 10 {
		if tally.Spend(math.MaxInt64, named("a")) {
			t.Fatal("it is within the limit")
		}
	}
	tally = New(1 << 20)
	for range 100 {
		tally.Spend(math.MaxInt64, named("a"))
	}
	if !tally.Over() {
		t.Error("it is within the limit again")
	}
}

// Shows that the part that takes most of the work is named with its share, and of
// equal parts the first by its place.
func TestMost(t *testing.T) {
	tally := New(100_000)
	at := func(line int) func() Part {
		return func() Part { return Part{Name: "x", Range: hcl.Range{Start: hcl.Pos{Line: line, Byte: line}}} }
	}
	for range 1000 {
		tally.Spend(10, named("little"))
		tally.Spend(70, at(7))
	}
	if most, percent := tally.Most(); most.Range.Start.Line != 7 || percent < 82 || percent > 92 || most.String() != "x (line 7)" {
		t.Errorf("%s took %d percent, want line 7 with about 87", most, percent)
	}
	tally = New(10)
	tally.Spend(5, at(2))
	tally.Spend(5, at(1))
	if most, percent := tally.Most(); most.Range.Start.Line != 1 || percent != 50 {
		t.Errorf("of equal parts %s took %d percent", most, percent)
	}
}

// Shows that nothing is limited where there is no limit.
func TestNone(t *testing.T) {
	var tally *Tally
	if !tally.Spend(math.MaxInt64, named("a")) || tally.Over() || tally.Spent() != 0 {
		t.Error("no tally has a limit")
	}
}

func named(name string) func() Part { return func() Part { return Part{Name: name} } }
