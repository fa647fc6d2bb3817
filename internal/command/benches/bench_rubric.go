package benches

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/bench"
)

// unscoredMax is after how many answers without a score, and none with one, the
// rubric is the suspect.
const unscoredMax = 3

// An unscored watches the first trials of a bench: where the rubric gives none of the
// first answers a score, it has a mistake more often than the answers have, and whoever
// waits for the rest is told so while there is something to stop.
type unscored struct {
	n    int
	over bool
}

// ended notes a trial, and says what is wrong once that is clear, "" otherwise.
func (u *unscored) ended(t *trial) string {
	if u.over || slices.ContainsFunc(t.FailureModes, func(m bench.FailureMode) bool { return strings.HasPrefix(m.Code, "sut.") }) {
		return ""
	}
	i := slices.IndexFunc(t.FailureModes, func(m bench.FailureMode) bool { return m.Code == bench.RubricMalformed })
	if i < 0 {
		u.over = true
		return ""
	}
	u.n++
	if u.over = u.n == unscoredMax; !u.over {
		return ""
	}
	return strings.Join(strings.Fields(t.FailureModes[i].Detail), " ")
}

// tell writes that the rubric scored none of the first answers, with the place of the part
// of it that cannot be told.
func (u *unscored) tell(a *cli.App, p *interp.Plan, why string) {
	at, source := p.UntoldAt(why)
	said := &hcl.Diagnostic{
		Severity: hcl.DiagWarning, Subject: at,
		Summary: fmt.Sprintf("%s: the rubric gave none of the first %d answers a score: %s", p.Name, unscoredMax, why),
		Detail:  "hint: if the rubric is wrong, stop here and mend it; --rescore last then scores the answers that there are, and --resume runs the other cases",
	}
	sources := map[string][]byte{}
	if at != nil {
		sources[at.Filename] = source
	}
	harness.WriteDiagnostics(a, hcl.Diagnostics{said}, sources, nil, false)
}

// tellUnanswered says that the system answered no trial: whatever the exit code is,
// nothing was measured.
func tellUnanswered(w io.Writer, result *interp.Result) {
	if result.Bench == nil {
		return
	}
	n, why := 0, ""
	for _, c := range result.Bench.Cases {
		for _, t := range c.Trials {
			i := slices.IndexFunc(t.FailureModes, func(m bench.FailureMode) bool { return strings.HasPrefix(m.Code, "sut.") })
			if i < 0 {
				return
			}
			if n++; n == 1 {
				why = strings.TrimSuffix(t.FailureModes[i].Code+": "+t.FailureModes[i].Detail, ": ")
			}
		}
	}
	if n > 0 {
		fmt.Fprintf(w, "Warning: %s: sut answered in none of %s, so that nothing was measured: %s\n", cli.Visible(result.Bench.Bench), cli.Plural(n, "trial"), cli.Visible(strings.Join(strings.Fields(why), " ")))
	}
}

// shortSum identifies a text.
func shortSum(text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
