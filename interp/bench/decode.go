package bench

import (
	"encoding/json"
)

// UnmarshalJSON reads what MarshalJSON wrote: all of the report but what only
// the call knew that made it, which is how many trials it kept.
func (r *Report) UnmarshalJSON(text []byte) error {
	var in struct {
		Bench         string
		RunID         string `json:"run_id"`
		Cases         []caseIn
		Complete      bool
		PartialReason string `json:"partial_reason"`
		Passed        int
		CostUSD       float64  `json:"cost_usd"`
		MeanScore     float64  `json:"mean_score"`
		LowerBound    float64  `json:"lower_bound_95"`
		PassRate      Interval `json:"pass_rate"`
		PassAt        float64  `json:"pass_at"`
		PassAll       float64  `json:"pass_all"`
		ByK           []PassK  `json:"pass_k"`
		Blocking      []string `json:"block_severity_failure_modes"`
		Gates         []GateResult
		Warnings      []string
		Against       *comparisonIn
		Of            int
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*r = Report{
		Bench: in.Bench, RunID: in.RunID, Complete: in.Complete, PartialReason: in.PartialReason, Passed: in.Passed, CostUSD: in.CostUSD,
		MeanScore: in.MeanScore, LowerBound: in.LowerBound, PassRate: in.PassRate, PassAt: in.PassAt, PassAll: in.PassAll, ByK: in.ByK,
		Blocking: in.Blocking, Gates: in.Gates, Warnings: in.Warnings, Against: in.Against.comparison(), Of: in.Of,
	}
	for _, c := range in.Cases {
		r.Cases = append(r.Cases, CaseResult(c))
	}
	return nil
}

// A comparisonIn is a comparison as files have it.
type comparisonIn struct {
	Common                               int
	Chance, Level                        float64
	Difference                           Interval
	Fixed, Broken, Lower, Added, Removed []string
	OtherInput                           []string `json:"other_input"`
	OtherRubric                          []string `json:"other_rubric"`
	Unknown, Around                      bool
	Before                               []caseIn
}

func (in *comparisonIn) comparison() *Comparison {
	if in == nil {
		return nil
	}
	c := &Comparison{
		Common: in.Common, Chance: in.Chance, Level: in.Level, Difference: in.Difference, Fixed: in.Fixed, Broken: in.Broken, Lower: in.Lower, Added: in.Added, Removed: in.Removed,
		OtherInput: in.OtherInput, OtherRubric: in.OtherRubric, Unknown: in.Unknown, Around: in.Around,
	}
	for _, k := range in.Before {
		c.Before = append(c.Before, CaseResult(k))
	}
	return c
}

// A caseIn is a case with members of its own beside those of a trial.
type caseIn CaseResult

func (c *caseIn) UnmarshalJSON(text []byte) error {
	if err := c.Trial.UnmarshalJSON(text); err != nil {
		return err
	}
	var in struct {
		ID         string
		Input      json.RawMessage
		InputText  string `json:"input_text"`
		InputBytes int    `json:"input_text_bytes"`
		InputSum   string `json:"input_sum"`
		RubricSum  string `json:"rubric_sum"`
		AroundSum  string `json:"around_sum"`
		Trials     []Trial
		Ran        bool
	}
	err := json.Unmarshal(text, &in)
	c.ID, c.Trials, c.Ran, c.Input = in.ID, in.Trials, in.Ran, Excerpt{Text: in.InputText, Bytes: in.InputBytes}
	c.Sums = Sums{in.InputSum, in.RubricSum, in.AroundSum}
	if len(in.Input) > 0 {
		c.Input = Excerpt{Text: compacted(in.Input)}
	}
	return err
}
