package cassette

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/wire"
)

// The gates that a miss may fail.
const (
	Unmatched    = "unmatched_call"
	Drifted      = "drifted"
	Ambiguous    = "ambiguous"
	OverConsumed = "over_consumed"
)

// A Miss says why no interaction answers a call.
type Miss struct {
	// Gate is the gate that fails.
	Gate string
	// Message says what was asked for, what comes nearest and how it differs,
	// and what to do next, over several lines.
	Message string
	// Nearest is the interaction that comes nearest among those not played
	// (under Drifted, the one that was due), nil where there is none. It
	// belongs to the cassette.
	Nearest *Interaction
	// Diffs are the fields in which Nearest differs.
	Diffs []match.FieldDiff
}

func (m *Miss) Error() string { return m.Message }

const (
	shownMax   = 5  // differences that a message shows
	nearestMax = 64 // interactions that are compared in full for one message
)

// unmatched is the miss of a call for whose step and request nothing is
// recorded.
func (p *Player) unmatched(call wire.Call, r match.Request) *Miss {
	m := &Miss{Gate: Unmatched}
	m.Nearest, m.Diffs = p.nearest(r)
	head := fmt.Sprintf("no interaction of %s answers %s", p.file(), p.describe(call, r))
	switch {
	case m.Nearest == nil:
		m.Message = message(head, "", nil, "all interactions were played; declare what answers it in an `on` block, or load a whole recording")
	case len(m.Diffs) == 0 && p.steps.inLanes(p.options.Scenario, call.Step):
		m.Message = message(head, fmt.Sprintf("nearest: %s, whose request is equal", name(m.Nearest)), nil,
			"the step was recorded in lanes, and a lane has its own answers: record it again, or have the program name the recorded lane")
	case m.Nearest.Step != "" && len(m.Diffs) == 0:
		m.Message = message(head, fmt.Sprintf("nearest: %s, whose request is equal", name(m.Nearest)), nil,
			"was the step or the target renamed? give it the recorded name again")
	default:
		m.Message = message(head, "nearest: "+name(m.Nearest)+", which differs in", m.Diffs,
			"change the request back, or declare what answers it in an `on` block; "+p.show(m.Nearest))
	}
	return m
}

// drifted is the miss of a call whose step has an interaction of another
// request.
func (p *Player) drifted(call wire.Call, r match.Request, due *Interaction) *Miss {
	m := &Miss{Gate: Drifted, Nearest: due, Diffs: p.diff(due, r)}
	head := fmt.Sprintf("%s was recorded differently in %s", p.describe(call, r), p.file())
	hint := "change the request back, or declare what answers it in an `on` block; " + p.show(due)
	if p.match.Profile == match.Strict {
		hint += "; if the difference does not matter, set `match = \"semantic\"` in the cassette block"
	}
	m.Message = message(head, name(due)+" differs in", m.Diffs, hint)
	return m
}

// overConsumed is the miss of a call whose interactions were all played.
func (p *Player) overConsumed(call wire.Call, r match.Request, n int) *Miss {
	head := fmt.Sprintf("%s is one call too many: %s has %d for it, and all were played", p.describe(call, r), p.file(), n)
	return &Miss{Gate: OverConsumed, Message: message(head, "", nil, "the program calls more often than when it was recorded; "+
		"add what answers it to an `on` block, or say there `exhausted = \"repeat_last\"`")}
}

// ambiguity is the miss of the second of two steps that ask for the same at
// one instant while the answers differ.
func (p *Player) ambiguity(call wire.Call, r match.Request, before, now asked) *Miss {
	items := p.cassette.Interactions
	head := fmt.Sprintf("%s cannot be told from the call of step %q at the same instant", p.describe(call, r), before.step)
	why := fmt.Sprintf("the answers of %s and %s differ, and %s does not say whose they are",
		name(items[before.item]), name(items[now.item]), p.file())
	return &Miss{Gate: Ambiguous, Nearest: items[now.item], Message: message(head, why, nil,
		"name one for each step with `replay { interaction = N }` in an `on` block, or allow = [\"ambiguous\"]")}
}

func (p *Player) noSuch(step, of string, n, count int) *Miss {
	has := "interactions are"
	if count == 1 {
		has = "interaction is"
	}
	return &Miss{Gate: Unmatched, Message: message(
		fmt.Sprintf("step %q replays interaction %d, but %d %s recorded for %s in %s", step, n, count, has, of, p.file()),
		"", nil, "`scenario cassette show` lists them; they count from 1")}
}

// show is the command that prints a recorded request in full.
func (p *Player) show(it *Interaction) string {
	return fmt.Sprintf("`scenario cassette show %s %d` prints the recorded request", cmp.Or(p.cassette.Path, "FILE"), it.Index)
}

func (p *Player) file() string {
	if p.cassette.Path == "" {
		return "the cassette"
	}
	return p.cassette.Path
}

// nearest returns the interaction not yet played that differs in the fewest
// fields, the first of several. Where there are such, only those of the same
// method and path are compared, and never more than nearestMax, so that a miss
// stays cheap in a large file.
func (p *Player) nearest(r match.Request) (best *Interaction, diffs []match.FieldDiff) {
	candidates := p.candidates(match.Place(r))
	if len(candidates) == 0 {
		candidates = p.candidates("")
	}
	for _, it := range candidates {
		d := p.match.Diff(p.recorded(it), r)
		if best == nil || len(d) < len(diffs) {
			best, diffs = it, d
		}
	}
	if best != nil {
		diffs = p.diff(best, r)
	}
	return best, diffs
}

// diff is how a request differs from a recorded one, for a message.
func (p *Player) diff(it *Interaction, r match.Request) []match.FieldDiff {
	return p.match.Diff(p.shown(p.recorded(it)), p.shown(r))
}

func (p *Player) shown(r match.Request) match.Request {
	if p.options.Shown == nil {
		return r
	}
	return match.Request(p.options.Shown(redact.Request(r)))
}

// candidates returns the first interactions not yet played that were recorded
// at a place, "" for any.
func (p *Player) candidates(place string) []*Interaction {
	var list []*Interaction
	for i, it := range p.cassette.Interactions {
		if len(list) == nearestMax {
			break
		}
		if !p.played[i] && p.serves(it) && (place == "" || p.steps.places[i] == place) {
			list = append(list, it)
		}
	}
	return list
}

// describe says what was asked for. A query may hold a credential, so it is
// left out.
func (p *Player) describe(call wire.Call, r match.Request) string {
	url, _, _ := strings.Cut(p.shown(r).URL, "?")
	text := fmt.Sprintf("step %q", call.Step)
	if call.Attempt > 0 {
		text += fmt.Sprintf(", attempt %d", call.Attempt)
	}
	if call.Target != "" {
		text += fmt.Sprintf(", target %q", call.Target)
	}
	if call.Lane != "" {
		text += fmt.Sprintf(", lane %q", call.Lane)
	}
	return text + ": " + r.Method + " " + url
}

// name says which interaction is meant and where to find it.
func name(it *Interaction) string {
	text := fmt.Sprintf("interaction %d", it.Index)
	var more []string
	if it.Line > 0 {
		more = append(more, fmt.Sprintf("line %d", it.Line))
	}
	if it.Step != "" {
		more = append(more, fmt.Sprintf("step %q", it.Step))
	}
	if it.Lane != "" {
		more = append(more, fmt.Sprintf("lane %q", it.Lane))
	}
	if it.Attempt > 0 {
		more = append(more, fmt.Sprintf("attempt %d", it.Attempt))
	}
	if len(more) == 0 {
		return text
	}
	return text + " (" + strings.Join(more, ", ") + ")"
}

func message(head, why string, diffs []match.FieldDiff, hint string) string {
	var b strings.Builder
	b.WriteString(head)
	if why != "" {
		b.WriteString("\n  " + why)
	}
	for i, d := range diffs {
		if i == shownMax {
			fmt.Fprintf(&b, "\n    and %d more", len(diffs)-shownMax)
			break
		}
		fmt.Fprintf(&b, "\n    %s: recorded %s, actual %s", d.Path, d.Recorded, d.Actual)
	}
	b.WriteString("\nhint: " + hint)
	return b.String()
}
