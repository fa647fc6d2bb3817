package coverage

import (
	"encoding/json"
	"io"

	"github.com/scenario-lang/scenario/interp"
)

// Schema names the form of what WriteJSON writes.
const Schema = "scenario.coverage/1"

type jsonCell struct {
	Schema   string         `json:"schema"`
	Type     string         `json:"type"`
	Workflow string         `json:"workflow"`
	File     string         `json:"file"`
	Line     int            `json:"line"`
	Address  string         `json:"address"`
	Group    string         `json:"group"`
	State    State          `json:"state"`
	Guarded  bool           `json:"guarded"`
	By       []jsonEvidence `json:"by,omitempty"`
}

type jsonEvidence struct {
	File     string      `json:"file"`
	Scenario string      `json:"scenario"`
	Line     int         `json:"line"`
	Kind     string      `json:"kind,omitempty"`
	Lines    []int       `json:"lines,omitempty"`
	Checks   []jsonCheck `json:"checks,omitempty"`
}

type jsonCheck struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	Line int    `json:"line"`
}

type jsonPolicy struct {
	Type     string          `json:"type"`
	Workflow string          `json:"workflow"`
	File     string          `json:"file"`
	Line     int             `json:"line"`
	Kind     string          `json:"kind"`
	Name     string          `json:"name"`
	Uses     map[string]bool `json:"uses"`
}

type jsonUnreached struct {
	Type     string `json:"type"`
	Workflow string `json:"workflow"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	What     string `json:"what"`
}

type jsonAccount struct {
	Type      string `json:"type"`
	Checked   int    `json:"checked"`
	Met       int    `json:"met"`
	Open      int    `json:"open"`
	Possible  int    `json:"possible"`
	Percent   int    `json:"percent"`
	Scenarios int    `json:"scenarios"`
}

// WriteJSON writes one object a line: a cell, a policy, what was never evaluated, and
// last the account.
func WriteJSON(w io.Writer, tables []*Table) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	scenarios := 0
	for _, t := range tables {
		scenarios += t.Scenarios
		if err := t.writeJSON(out); err != nil {
			return err
		}
	}
	n := CountOf(tables...)
	return out.Encode(jsonAccount{"account", n.Checked, n.Met, n.Open, n.Possible(), n.Percent(), scenarios})
}

func (t *Table) writeJSON(out *json.Encoder) error {
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			if c.State == Impossible {
				continue
			}
			cell := jsonCell{Schema, "cell", t.Workflow, r.File, r.Line, r.Address, string(c.Group), c.State, r.Guarded, nil}
			for _, e := range c.By {
				cell.By = append(cell.By, jsonEvidence{e.File, e.Scenario, e.Line, e.Kind, e.Lines, checksOf(e.Checks)})
			}
			if err := out.Encode(cell); err != nil {
				return err
			}
		}
	}
	for _, p := range t.Policies {
		uses := map[string]bool{}
		for _, u := range p.Uses {
			uses[u.Name] = u.Seen
		}
		if err := out.Encode(jsonPolicy{"policy", t.Workflow, p.Range.Filename, p.Range.Start.Line, p.Kind, p.Name, uses}); err != nil {
			return err
		}
	}
	for _, p := range t.Unreached {
		if err := out.Encode(jsonUnreached{"unreached", t.Workflow, p.Range.Filename, p.Range.Start.Line, p.What}); err != nil {
			return err
		}
	}
	for _, c := range t.Idle {
		if err := out.Encode(jsonUnreached{"unreached", t.Workflow, c.Range.Filename, c.Range.Start.Line, "invariant " + c.Name}); err != nil {
			return err
		}
	}
	return nil
}

func checksOf(list []interp.Reading) []jsonCheck {
	var checks []jsonCheck
	for _, r := range list {
		checks = append(checks, jsonCheck{r.Kind, r.Name, r.Range.Start.Line})
	}
	return checks
}
