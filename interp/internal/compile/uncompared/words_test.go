package uncompared

import (
	"regexp"
	"testing"
)

// Shows which patterns of what to hide leave nothing of what a request asks.
func TestHidesWords(t *testing.T) {
	for pattern, want := range map[string]bool{
		`.+`: true, `\w+`: true, `[a-z]{3,}`: true, `(?i)[A-Z]+`: true, `.{8,}`: true, `\S+`: true, `[^0-9]+`: true, `\b\w+\b`: true,
		`\s+`: false, `[0-9]+`: false, `\b\d{4} \d{4}\b`: false, `sk-[a-z]+`: false, `[A-Za-z0-9_-]{32,}`: false,
		`[a-z]+@[a-z.]+`: false, `(?i)order-[a-z0-9]+`: false, `\bthe\b`: false, `[A-Z]{2}\d{2}`: false, `[a-f0-9]{8}`: false,
	} {
		if got := HidesWords(regexp.MustCompile(pattern)); got != want {
			t.Errorf("%s: %v, want %v", pattern, got, want)
		}
	}
}
