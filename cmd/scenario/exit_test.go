package main

import (
	"testing"
)

// Shows that of two causes the first of this order wins: 130/143 › 6 › 3 ›
// 4 › 7 › 1 › 5 › 0.
func TestExitPrecedence(t *testing.T) {
	order := []exitCode{130, 143, 6, 3, 4, 7, 1, 5, 0}
	for i, a := range order {
		for _, b := range order[i:] {
			if worst(a, b) != a || worst(b, a) != a {
				t.Errorf("of %d and %d the code is %d and %d, want %d", a, b, worst(a, b), worst(b, a), a)
			}
		}
	}
}

// Shows that every code is explained, once.
func TestExitMeanings(t *testing.T) {
	explained := map[exitCode]int{}
	for _, m := range meanings() {
		explained[m.code]++
	}
	for _, code := range []exitCode{0, 1, 2, 3, 4, 5, 6, 7, 130, 143} {
		if explained[code] != 1 {
			t.Errorf("exit code %d is explained %d times", code, explained[code])
		}
	}
}
