package mutate

import (
	"encoding/json"
	"io"
	"time"

	"github.com/scenario-lang/scenario/internal/explore"
)

// Schema names the form of what WriteJSON writes.
const Schema = "scenario.mutate/1"

type jsonMutant struct {
	Schema      string `json:"schema"`
	Type        string `json:"type"`
	Verdict     string `json:"verdict"`
	Operator    string `json:"operator"`
	Declaration string `json:"declaration"`
	Change      string `json:"change"`
	File        string `json:"file"`
	Line        int    `json:"line"`
	// In and Scenario name the scenario that shows it, and the file of that.
	In       string `json:"in,omitempty"`
	Scenario string `json:"scenario,omitempty"`
	// Check is what is red; Why is why it does not compile.
	Check string `json:"check,omitempty"`
	Why   string `json:"why,omitempty"`
	// Overridden says of what is unread that scenarios bring their own in its place.
	Overridden bool `json:"overridden,omitempty"`
	// Original and Mutant are what happens first in one run and not in the other.
	Original string               `json:"original,omitempty"`
	Mutant   string               `json:"mutant,omitempty"`
	Assert   string               `json:"assert,omitempty"`
	Faults   []explore.ToldStrike `json:"faults,omitempty"`
	Runs     int                  `json:"runs,omitempty"`
	Complete bool                 `json:"complete"`
	Emitted  string               `json:"emitted,omitempty"`
}

type jsonAccount struct {
	Schema     string  `json:"schema"`
	Type       string  `json:"type"`
	Scenarios  int     `json:"scenarios"`
	Mutants    int     `json:"mutants"`
	Killed     int     `json:"killed"`
	Survived   int     `json:"survived"`
	Unseen     int     `json:"unseen"`
	Equivalent int     `json:"equivalent"`
	Unshown    int     `json:"unshown"`
	Unread     int     `json:"unread"`
	Invalid    int     `json:"invalid"`
	Of         int     `json:"of"`
	Percent    float64 `json:"percent"`
	Complete   bool    `json:"complete"`
	// Unlooked is what no operator looks at.
	Unlooked []string `json:"unlooked,omitempty"`
	// Unchanged are the functions that no mutant changes.
	Unchanged []string `json:"unchanged,omitempty"`
	// CPU is the processor time in milliseconds, which differs from one run to the next.
	CPU int64 `json:"cpu_ms,omitempty"`
}

// WriteJSON writes what became of the mutants, an object a line, and the account at the
// end, with the processor time that it took where that is known.
func WriteJSON(w io.Writer, r *Report, cpu time.Duration) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, m := range r.Mutants {
		if m.Verdict == "" {
			continue
		}
		if err := enc.Encode(m.told()); err != nil {
			return err
		}
	}
	killed, of := r.Score()
	return enc.Encode(jsonAccount{
		Schema, "account", r.Scenarios, len(r.Mutants), killed, r.Count(Survived), r.Count(Unseen), r.Count(Equivalent), r.Count(Unshown), r.Count(Unread), r.Count(Invalid),
		of, r.Percent(), r.Tried() == len(r.Mutants), r.Unlooked, r.Unchanged, cpu.Milliseconds(),
	})
}

// partly reports whether there are faults, or other data, with which a mutant was not
// tried, and may be told from the original.
func (m *Mutant) partly() bool {
	return m.Verdict == Unshown || m.Verdict == Equivalent && !m.All || m.Verdict == Unseen && m.By == nil
}

func (m *Mutant) told() jsonMutant {
	out := jsonMutant{
		Schema: Schema, Type: "mutant", Verdict: string(m.Verdict), Operator: m.Operator, Declaration: m.Declaration, Change: m.Change, File: m.File, Line: m.Line,
		Check: m.Check, Why: m.Why, Overridden: m.Overridden, Runs: m.Tried, Complete: !m.partly(), Emitted: m.Emitted,
	}
	if m.By != nil {
		out.In, out.Scenario = m.By.File, m.By.Name
	}
	if d := m.Difference; d != nil {
		out.Original, out.Mutant, out.Assert = d.Of, d.By, d.Assert
	}
	for i := range m.Shown {
		out.Faults = append(out.Faults, explore.TellStrike(&m.Shown[i]))
	}
	return out
}
