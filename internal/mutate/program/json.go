package program

import (
	"encoding/json"
	"io"
)

// Schema names the form of what WriteJSON writes.
const Schema = "scenario.mutate/1"

type jsonMutant struct {
	Schema   string `json:"schema"`
	Type     string `json:"type"`
	Verdict  string `json:"verdict"`
	Operator string `json:"operator"`
	Change   string `json:"change"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	// In and Scenario name the scenario that shows it, and the file of that.
	In       string `json:"in,omitempty"`
	Scenario string `json:"scenario,omitempty"`
	// Check is what is red, and Difference in what the run of one that survived differs.
	Check      string `json:"check,omitempty"`
	Difference string `json:"difference,omitempty"`
}

type jsonSource struct {
	Schema  string `json:"schema"`
	Type    string `json:"type"`
	Verdict string `json:"verdict"`
	File    string `json:"file"`
	// Reason says why nothing in it was changed.
	Reason string `json:"reason,omitempty"`
	// Calls are those of which nothing was changed, although other parts of the file were.
	Calls string `json:"calls,omitempty"`
}

type jsonAccount struct {
	Schema    string  `json:"schema"`
	Type      string  `json:"type"`
	Scenarios int     `json:"scenarios"`
	Mutants   int     `json:"mutants"`
	Killed    int     `json:"killed"`
	Survived  int     `json:"survived"`
	Unseen    int     `json:"unseen"`
	Unrun     int     `json:"unrun"`
	Invalid   int     `json:"invalid"`
	Crashed   int     `json:"crashed"`
	Of        int     `json:"of"`
	Percent   float64 `json:"percent"`
	Complete  bool    `json:"complete"`
}

// WriteJSON writes what became of the mutants that were tried and the files that are unread or not changed, an object a line,
// and the account at the end.
func WriteJSON(w io.Writer, r *Report) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, m := range r.Mutants {
		if m.Verdict == "" {
			continue
		}
		out := jsonMutant{
			Schema: Schema, Type: "mutant", Verdict: string(m.Verdict), Operator: m.Operator, Change: m.Change, File: m.Of.Shown, Line: m.Line,
			Check: m.Check, Difference: m.Difference,
		}
		if m.By != nil {
			out.In, out.Scenario = m.By.File, m.By.Name
		}
		if err := enc.Encode(out); err != nil {
			return err
		}
	}
	for _, s := range r.Unread {
		if err := enc.Encode(jsonSource{Schema, "source", "unread", s.Shown, "", ""}); err != nil {
			return err
		}
	}
	for _, u := range r.Unchanged {
		if err := enc.Encode(jsonSource{Schema, "source", "unchanged", u.Shown, u.Why, u.Calls}); err != nil {
			return err
		}
	}
	killed, of := r.Score()
	return enc.Encode(jsonAccount{
		Schema, "account", r.Scenarios, len(r.Mutants), killed, r.Count(Survived), r.Count(Unseen), r.Count(Unrun), r.Count(Invalid), r.Count(Crashed),
		of, r.Percent(), r.Tried() == len(r.Mutants) && !r.Late,
	})
}
