package failure

import (
	"fmt"

	"github.com/scenario-lang/scenario/internal/edits"
)

// didYouMean ends a message with the candidate nearest to name, or adds
// nothing where none is near. The earlier of two equally near ones wins.
func didYouMean(name string, candidates []string) string {
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
