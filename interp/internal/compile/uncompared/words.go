package uncompared

import (
	"regexp"
	"strings"
)

// ordinary are sentences that have no word in common, and nothing that is a secret.
var ordinary = []string{"why is the sky so blue", "refund my last order please", "summarise this document for them"}

// HidesWords reports whether a pattern matches words of all sorts.
func HidesWords(pattern *regexp.Regexp) bool {
	for _, sentence := range ordinary {
		if strings.TrimSpace(pattern.FindString(sentence)) == "" {
			return false
		}
	}
	return true
}
