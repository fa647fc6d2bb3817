package failure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/edits"
)

// didYouMean ends a message with the candidate nearest to name, or adds
// nothing where none is near. The earlier of two equally near ones wins. The name of an
// exception and a class of statuses in another form stand for what they mean.
func didYouMean(name string, candidates []string) string {
	if word := otherForm(name); slices.Contains(candidates, word) || word == classMeant(name) && word != "" {
		return fmt.Sprintf(". Did you mean %q?", word)
	}
	best, bestDistance := "", len(name)/3+2
	for _, c := range candidates {
		if d := edits.Between(name, c); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(". Did you mean %q?", best)
}

// otherForm is what a name of another library means: 5xx for 50x, timeout for
// TimeoutError, "" for most names.
func otherForm(name string) string {
	lower := strings.ToLower(name)
	if class := classMeant(lower); class != "" {
		return class
	}
	for _, ending := range []string{"error", "exception"} {
		if word, ok := strings.CutSuffix(lower, ending); ok {
			lower = strings.TrimSuffix(word, "_")
			break
		}
	}
	if lower == "network" {
		return string(Connection)
	}
	if lower == strings.ToLower(name) {
		return ""
	}
	return lower
}

// classMeant is the class 5xx for 50x, 5** and 5XX, "" for any other text.
func classMeant(text string) string {
	if len(text) == 3 && text[0] >= '1' && text[0] <= '5' && strings.ContainsRune("0xX*", rune(text[1])) && strings.ContainsRune("xX*", rune(text[2])) {
		return text[:1] + "xx"
	}
	return ""
}
