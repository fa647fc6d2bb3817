package cli

import (
	"testing"
)

// Shows that of two causes the first of this order wins: 130/143 › 6 › 3 ›
// 4 › 7 › 1 › 5 › 0.
func TestExitPrecedence(t *testing.T) {
	order := []ExitCode{130, 143, 6, 3, 4, 7, 1, 5, 0}
	for i, a := range order {
		for _, b := range order[i:] {
			if Worst(a, b) != a || Worst(b, a) != a {
				t.Errorf("of %d and %d the code is %d and %d, want %d", a, b, Worst(a, b), Worst(b, a), a)
			}
		}
	}
}

// Shows that every code is explained, once.
func TestExitMeanings(t *testing.T) {
	explained := map[ExitCode]int{}
	for _, m := range Meanings() {
		explained[m.Code]++
	}
	for _, code := range []ExitCode{0, 1, 2, 3, 4, 5, 6, 7, 130, 143} {
		if explained[code] != 1 {
			t.Errorf("exit code %d is explained %d times", code, explained[code])
		}
	}
}
