package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/failure"
)

// A Case is one thing that the system is asked.
type Case struct {
	// ID names it in every report and is unique in a bench.
	ID string
	// Input is a JSON value, "null" or nil where there is none.
	Input json.RawMessage
	// File is where it was read, "" where it stands in the scenario file.
	File string
}

// Expected are the names that people give the member of an input which says what the
// answer has to be, the plainest first.
func Expected() []string {
	return []string{"expected", "expected_output", "expected_answer", "reference", "ideal", "correct_answer", "gold", "golden", "ground_truth", "want", "label", "answer", "solution", "target"}
}

// A Spec is what a bench asks for. [Defaults] has the values of the language.
type Spec struct {
	Name string
	// Seed is part of the run's id, and so of every draw.
	Seed uint64
	// Taxonomy knows the failure modes that a rubric may name.
	Taxonomy *failure.Taxonomy
	// BreakdownKeys are the only keys of a breakdown.
	BreakdownKeys []string
	// CaseTimeout limits the system under test in one trial of one case, and
	// RubricTimeout the rubric.
	CaseTimeout, RubricTimeout time.Duration
	// Concurrency is how many cases are under way at one time.
	Concurrency int
	// Trials is how often every case is run.
	Trials int
	// CostCap is in US dollars. Once more is spent no case begins.
	CostCap float64
	// Rate is how many trials may begin in a minute, 0 without a limit.
	Rate float64
	// Exclusive names what only one trial at a time may use, "" for nothing.
	Exclusive string
	// Idempotent says that a trial whose end nobody knows may run again.
	Idempotent bool
	Bound      Bound
	Gates      []Gate
	// Of is how many cases there are where a part of them was selected, else 0.
	Of int
}

// The methods of a lower bound.
const (
	MethodBCa    = "bca"
	MethodWilson = "wilson"
)

// A Bound says how the lower bound is computed.
type Bound struct {
	// Method is MethodBCa, the lower bound of the mean score, or MethodWilson,
	// that of the share of passed cases.
	Method    string
	Level     float64
	Resamples int
	// MinCases is how many cases it takes; with fewer the bound is 0.
	MinCases int
}

// A Gate is what a report must reach to be promoted.
type Gate struct {
	Name string
	// LowerBound is the threshold of the lower bound, 0 for none.
	LowerBound float64
	// MinPassed is how many cases must have passed.
	MinPassed int
	// PassAll is the least share of cases whose trials must all have passed, which
	// is pass^k of k trials; 0 for none.
	PassAll float64
}

// Defaults are the values of a bench that says nothing. The
// concurrency is the same on every machine, so that runs can be compared.
func Defaults() Spec {
	return Spec{
		Seed: 1, Taxonomy: failure.Cuga(), CaseTimeout: 10 * time.Minute, RubricTimeout: time.Minute, Concurrency: 4, Trials: 1, CostCap: 5, Idempotent: true,
		Bound: Bound{Method: MethodBCa, Level: 0.95, Resamples: 1000, MinCases: 5},
	}
}

// whole is the spec with one where it says fewer: trials and cases at a time. Of
// those that exclude each other one runs at a time.
func (s Spec) whole() Spec {
	s.Trials, s.Concurrency = max(1, s.Trials), max(1, s.Concurrency)
	if s.Exclusive != "" {
		s.Concurrency = 1
	}
	return s
}

// bannedInKeys are what no breakdown key may contain: what a model says of
// itself is no measurement.
var bannedInKeys = []string{"confidence", "llm", "self_reported", "model_says"}

// BannedKey returns what keeps a key out of a breakdown, "" where nothing does.
func BannedKey(key string) string {
	for _, part := range bannedInKeys {
		if strings.Contains(strings.ToLower(key), part) {
			return part
		}
	}
	return ""
}

// RunID derives the id of a run from the bench, its seed and its cases, in
// whatever order they are given.
func RunID(name string, seed uint64, cases []Case) string {
	ids := make([]string, len(cases))
	for i, c := range cases {
		ids[i] = c.ID
	}
	slices.Sort(ids)
	h := sha256.New()
	h.Write([]byte(name + "\x00" + strconv.FormatUint(seed, 10)))
	for _, id := range ids {
		h.Write([]byte("\x00" + id))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// sorted are the cases by id.
func sorted(cases []Case) []Case {
	byID := make([]*Case, len(cases)) // pointers, of which a program has the sorting anyway
	for i := range cases {
		byID[i] = &cases[i]
	}
	slices.SortFunc(byID, func(a, b *Case) int { return strings.Compare(a.ID, b.ID) })
	list := make([]Case, len(cases))
	for i, c := range byID {
		list[i] = *c
	}
	return list
}
