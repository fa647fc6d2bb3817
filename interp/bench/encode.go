package bench

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// values are the parts of a trial as results and files name them.
func (t *Trial) values() map[string]any {
	breakdown := make(map[string]any, len(t.Breakdown))
	for key, v := range t.Breakdown {
		breakdown[key] = v
	}
	modes := make([]any, len(t.FailureModes))
	for i, m := range t.FailureModes {
		modes[i] = map[string]any{"code": m.Code, "detail": m.Detail, "severity": m.Severity}
	}
	values := map[string]any{
		"breakdown": breakdown, "cost_usd": t.CostUSD, "elapsed_ms": t.Elapsed.Milliseconds(), "failure_modes": modes, "passed": t.Passed, "score": t.Score.Score,
	}
	if t.Exchanged {
		values["passes_as_another"] = true
	}
	if t.Instead != (Instead{}) {
		values["passes_instead"] = t.Instead.values()
	}
	if t.Nothing != "" {
		values["shows_nothing"] = t.Nothing
	}
	t.Look().addTo(values)
	return values
}

// AppendJSON implements trace.Value.
func (t Trial) AppendJSON(dst []byte) []byte { return trace.AppendValue(dst, t.values()) }

// MarshalJSON implements json.Marshaler.
func (t Trial) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil), nil }

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *Trial) UnmarshalJSON(text []byte) error {
	var in struct {
		Breakdown    map[string]float64 `json:"breakdown"`
		CostUSD      float64            `json:"cost_usd"`
		ElapsedMS    int64              `json:"elapsed_ms"`
		FailureModes []FailureMode      `json:"failure_modes"`
		Kept         *keptIn            `json:"kept"`
		Passed       bool               `json:"passed"`
		Score        float64            `json:"score"`
		Exchanged    bool               `json:"passes_as_another"`
		Instead      Instead            `json:"passes_instead"`
		Nothing      string             `json:"shows_nothing"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*t = Trial{
		Score:   Score{Passed: in.Passed, Score: in.Score, Breakdown: in.Breakdown, FailureModes: in.FailureModes, CostUSD: in.CostUSD, Exchanged: in.Exchanged, Instead: in.Instead, Nothing: in.Nothing},
		Elapsed: time.Duration(in.ElapsedMS) * time.Millisecond,
		Kept:    in.Kept.kept(),
	}
	return nil
}

// AppendJSON implements trace.Value: the report as conditions read it, for
// programs. What differs from run to run of equal results is not in it but
// the times of programs.
func (r *Report) AppendJSON(dst []byte) []byte { return trace.AppendValue(dst, r.values()) }

// WriteJSON writes what AppendJSON appends, a piece at a time: of many cases the
// whole would be as large as all that is kept of them. A piece never ends within a
// character.
func (r *Report) WriteJSON(write func(piece []byte) error) error {
	values := r.values()
	lists := [][]CaseResult{r.Cases}
	names := []string{"cases"}
	values["cases"] = caseList(nil)
	if a := r.Against; a != nil {
		values["against"].(map[string]any)["before"] = caseList(nil)
		lists, names = [][]CaseResult{a.Before, r.Cases}, []string{"before", "cases"}
	}
	rest := trace.AppendValue(nil, values)
	for i, list := range lists {
		// No string has this in it: its quotes would be escaped.
		empty := []byte(`"` + names[i] + `":[]`)
		at := bytes.Index(rest, empty) + len(empty) - 1
		if err := caseList(list).write(rest[:at], write); err != nil {
			return err
		}
		rest = rest[at:]
	}
	return write(rest)
}

// pieceBytes is about how large the pieces are.
const pieceBytes = 64 << 10

// write writes what begins with some text and goes on with the cases of a list.
func (l caseList) write(begin []byte, write func([]byte) error) error {
	piece := append(make([]byte, 0, pieceBytes), begin...)
	for i := range l {
		if i > 0 {
			piece = append(piece, ',')
		}
		if piece = trace.AppendValue(piece, l[i].parts()); len(piece) < pieceBytes {
			continue
		}
		if err := write(piece); err != nil {
			return err
		}
		piece = piece[:0]
	}
	return write(piece)
}

// values are the parts of the report as files name them.
func (r *Report) values() map[string]any {
	gates, byK := make([]any, len(r.Gates)), make([]any, len(r.ByK))
	for i, g := range r.Gates {
		gates[i] = map[string]any{"error": orNil(g.Error), "name": g.Name, "passed": g.Passed, "reasons": g.Reasons}
	}
	for i, p := range r.ByK {
		byK[i] = map[string]any{"all": p.All, "at": p.At, "k": p.K}
	}
	values := map[string]any{
		"bench": r.Bench, "block_severity_failure_modes": r.Blocking, "cases": caseList(r.Cases), "complete": r.Complete, "cost_usd": r.CostUSD,
		"exit_code": r.ExitCode(), "gates": gates, "lower_bound_95": r.LowerBound, "mean_score": r.MeanScore, "partial_reason": orNil(r.PartialReason),
		"pass_all": r.PassAll, "pass_at": r.PassAt, "pass_k": byK, "pass_rate": r.PassRate.values(), "passed": r.Passed, "run_id": r.RunID, "warnings": r.Warnings,
	}
	if r.Of > 0 {
		values["of"] = r.Of
	}
	if a := r.Against; a != nil {
		values["against"] = map[string]any{
			"added": a.Added, "around": a.Around, "before": caseList(a.Before), "broken": a.Broken, "chance": a.Chance, "common": a.Common, "difference": a.Difference.values(), "fixed": a.Fixed, "level": a.Level, "lower": a.Lower,
			"other_input": a.OtherInput, "other_rubric": a.OtherRubric, "removed": a.Removed, "unknown": a.Unknown, "verdict": string(a.Verdict()),
		}
	}
	return values
}

// A caseList is encoded case by case: of 10,000 of them the parts would take more
// memory than what is kept.
type caseList []CaseResult

// AppendJSON implements trace.Value.
func (l caseList) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = trace.AppendValue(dst, l[i].parts())
	}
	return append(dst, ']')
}

// parts are those of a case as files name them.
func (c *CaseResult) parts() map[string]any {
	trials := make([]any, len(c.Trials))
	for i := range c.Trials {
		trials[i] = c.Trials[i]
	}
	values := c.values()
	values["id"], values["ran"], values["trials"] = c.ID, c.Ran, trials
	if failed := c.Failed(); failed > 0 && failed < len(trials) {
		values["failed_trials"] = failed
	}
	if text := c.Input.JSON(); text != nil {
		values["input"] = rawValue(text)
	} else {
		c.Input.addTo(values, "input_text")
	}
	if c.Sums != (Sums{}) {
		values["input_sum"], values["rubric_sum"] = c.Sums.Input, c.Sums.Rubric
		if c.Sums.Around != "" {
			values["around_sum"] = c.Sums.Around
		}
	}
	return values
}

// MarshalJSON implements json.Marshaler.
func (r *Report) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

func (i Interval) values() map[string]any {
	return map[string]any{"high": i.High, "low": i.Low, "value": i.Value}
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}
