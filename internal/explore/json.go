package explore

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/interp"
)

// Schema names the form of what WriteJSON writes.
const Schema = "scenario.explore/1"

// A Told names a find among those of all files.
type Told struct {
	File     string `json:"file"`
	Scenario string `json:"scenario"`
	Oracle   string `json:"oracle"`
	Name     string `json:"name"`
}

// Tell is the name of a find.
func Tell(w *World, f *Find) Told { return Told{w.File, w.Name, f.Oracle, f.Name} }

type jsonFind struct {
	Schema string `json:"schema"`
	Type   string `json:"type"`
	Told
	Message string       `json:"message"`
	Line    int          `json:"line"`
	K       int          `json:"k"`
	Known   bool         `json:"known"`
	Faults  []ToldStrike `json:"faults"`
	// Breaks are all that broke the same, for --baseline: of an earlier exploration it
	// says what is known.
	Breaks  []string `json:"breaks"`
	Emitted string   `json:"emitted,omitempty"`
	Times   int      `json:"times,omitempty"`
	Of      int      `json:"of,omitempty"`
}

// A ToldStrike is a strike as JSON has it.
type ToldStrike struct {
	Address string         `json:"address,omitempty"`
	Lane    string         `json:"lane,omitempty"`
	N       int            `json:"n,omitempty"`
	Outage  string         `json:"outage,omitempty"`
	From    string         `json:"from,omitempty"`
	To      string         `json:"to,omitempty"`
	Event   string         `json:"event,omitempty"`
	At      string         `json:"at,omitempty"`
	Kind    string         `json:"kind"`
	Args    map[string]any `json:"args,omitempty"`
	After   string         `json:"after,omitempty"`
}

// TellStrike is a strike as JSON has it.
func TellStrike(x *Strike) ToldStrike {
	out := ToldStrike{Address: x.Address, Lane: x.Lane, N: x.N}
	if x.Events != nil {
		out.Kind, out.Event, out.At = x.Kind(), x.Events[0].Text(), x.Events[0].At.String()
		if len(x.Events) > 1 {
			out.To = x.Events[1].At.String()
		}
		return out
	}
	if x.Wrong != "" {
		out.Kind, out.Args = KindWrong, map[string]any{"as": x.Wrong}
		return out
	}
	out.Kind, out.Args = x.Fault.Name, x.Fault.Given(x.Args)
	if x.HasAfter {
		out.After = x.After.String()
	}
	if o := x.Outage; o != nil {
		out.Address, out.Outage, out.From = "", "all of "+o.Where(), o.From.String()
		if o.To > 0 {
			out.To = o.To.String()
		}
	}
	return out
}

type jsonSurvival struct {
	Schema   string `json:"schema"`
	Type     string `json:"type"`
	File     string `json:"file"`
	Scenario string `json:"scenario"`
	Address  string `json:"address"`
	Kind     string `json:"kind"`
	Status   string `json:"status"`
}

type jsonAccount struct {
	Schema     string  `json:"schema"`
	Type       string  `json:"type"`
	Runs       int     `json:"runs"`
	Behaviours int     `json:"behaviours"`
	Merged     int     `json:"merged"`
	Shrinking  int     `json:"shrinking"`
	Unfit      int     `json:"not_applicable"`
	Unanswered int     `json:"unanswered"`
	Undecided  int     `json:"undecided"`
	Diverged   int     `json:"diverged,omitempty"`
	Flaky      int     `json:"flaky,omitempty"`
	Missed     int     `json:"missed,omitempty"`
	Withdrawn  int     `json:"withdrawn,omitempty"`
	Void       int     `json:"void,omitempty"`
	Levels     []Level `json:"levels"`
	// Beyond is about how many triples there are.
	Beyond   int  `json:"beyond,omitempty"`
	Complete bool `json:"complete"`
	// CPU is the processor time in milliseconds, which differs from one run to the next.
	CPU int64 `json:"cpu_ms,omitempty"`

	Model *Agreement `json:"model,omitempty"`
	// Untried are what scenarios tolerate of which no run met anything.
	Untried []string `json:"untried,omitempty"`
	// Idle, Unbreakable and Unmet are the invariants of which the search shows nothing: no run
	// evaluated them, no fault can break them, no run met the premise.
	Idle        []toldInvariant `json:"never_evaluated,omitempty"`
	Unbreakable []toldInvariant `json:"shows_nothing,omitempty"`
	Unmet       []toldInvariant `json:"premise_never_met,omitempty"`
}

// A toldInvariant is an invariant as JSON has it.
type toldInvariant struct {
	Name string `json:"name"`
	File string `json:"file"`
	Line int    `json:"line"`
}

func tellInvariants(list []interp.InvariantCount) (out []toldInvariant) {
	for _, c := range list {
		out = append(out, toldInvariant{c.Name, c.Range.Filename, c.Range.Start.Line})
	}
	return out
}

// WriteJSON writes what searches found out, an object a line: finds, what is not
// survived, and the account of all of them at the end, with the processor time that they
// took where that is known.
func WriteJSON(w io.Writer, reports []*Report, cpu time.Duration) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, r := range reports {
		for _, f := range r.Finds {
			line := jsonFind{Schema: Schema, Type: "find", Told: Tell(r.World, f), Message: f.Message, Line: f.Range.Start.Line, K: f.K(), Known: f.Known, Breaks: f.Breaks, Emitted: f.Emitted, Times: f.Times, Of: f.Of}
			for i := range f.Set {
				line.Faults = append(line.Faults, TellStrike(&f.Set[i]))
			}
			if err := enc.Encode(line); err != nil {
				return err
			}
		}
		for _, p := range r.Survival.Places {
			for _, status := range slices.Sorted(maps.Keys(p.Kinds)) {
				for _, kind := range p.Kinds[status] {
					if err := enc.Encode(jsonSurvival{Schema, "survival", r.World.File, r.World.Name, p.Address, kind, status}); err != nil {
						return err
					}
				}
			}
		}
	}
	a := Sum(reports)
	flaky, withdrawn := 0, 0
	for _, r := range reports {
		flaky, withdrawn = flaky+len(r.Flaky), withdrawn+len(r.Withdrawn)
	}
	return enc.Encode(jsonAccount{
		Schema: Schema, Type: "account", Runs: a.Runs, Behaviours: a.Behaviours, Merged: a.Merged, Shrinking: a.Shrinking, Unfit: a.Unfit, Unanswered: a.Unanswered,
		Undecided: a.Undecided, Diverged: a.Diverged, Flaky: flaky, Missed: a.Missed, Withdrawn: withdrawn, Void: a.Void, Levels: a.Levels, Beyond: a.Beyond, Complete: a.Complete() && !slices.ContainsFunc(reports, func(r *Report) bool { return r.Interrupted }), CPU: cpu.Milliseconds(), Model: agreed(reports), Untried: Untried(reports),
		Idle: tellInvariants(idle(reports)), Unbreakable: tellInvariants(unbreakable(reports)), Unmet: tellInvariants(unmet(reports)),
	})
}
