package explore

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// writeJudged says what the runs with faults were held to, so that nobody takes "nothing
// found" for more than it says.
func writeJudged(b *strings.Builder, reports []*Report, o Options) {
	own, tolerating := map[hcl.Range]bool{}, false
	for _, r := range reports {
		for _, c := range r.Base.Invariants {
			if c.Range.Filename != StandardRules {
				own[c.Range] = true
			}
		}
		tolerating = tolerating || toleranceOf(r.World.Plan, "") != nil
	}
	if len(reports) == 0 {
		return
	}
	judged := []string{"no invariant of the file"}
	if len(own) > 0 {
		judged[0] = counted(len(own), "invariant")
	}
	if !o.NoStandard {
		judged = append(judged, StandardRules)
	}
	if tolerating {
		judged = append(judged, "tolerates")
	}
	fmt.Fprintf(b, "Checked under faults: %s, gates such as deadlock; expect and assert only without a fault.", strings.Join(judged, ", "))
	if len(own) == 0 {
		b.WriteString(" Say in an invariant what must always hold.")
	}
	b.WriteString("\n")
}
