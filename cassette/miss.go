package cassette

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
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
	case len(p.cassette.Interactions) == 0:
		m.Message = message(head, "it has no interactions", nil, p.again()+"declare what answers it in an `on` block")
	case m.Nearest == nil:
		m.Message = message(head, "", nil, "all interactions were played; "+p.again()+"declare what answers it in an `on` block")
	case !p.serves(m.Nearest):
		m.Message = message(head, fmt.Sprintf("it has interactions of other scenarios; nearest: %s", name(m.Nearest)), m.Diffs,
			"was the scenario renamed? give it the recorded name again; "+p.again()+"declare what answers it in an `on` block; "+p.show(m.Nearest))
	case len(m.Diffs) == 0 && p.steps.inLanes(p.options.Scenario, call.Step):
		m.Message = message(head, fmt.Sprintf("nearest: %s, whose request is equal", name(m.Nearest)), nil,
			"the step was recorded in lanes, and a lane has its own answers: record it again, or have the program name the recorded lane")
	case m.Nearest.Step != "" && len(m.Diffs) == 0:
		m.Message = message(head, fmt.Sprintf("nearest: %s, whose request is equal", name(m.Nearest)), nil,
			"was the step or the target renamed? give it the recorded name again; "+p.again()+"declare what answers it in an `on` block; "+p.show(m.Nearest))
	default:
		m.Message = message(head, "nearest: "+name(m.Nearest)+", which differs in", m.Diffs,
			p.again()+"change the request back, or declare what answers it in an `on` block; "+p.show(m.Nearest)+p.remedy(m.Nearest, r, m.Diffs))
	}
	return m
}

// drift is the miss of a call whose step has an interaction of another
// request.
func (p *Player) drift(call wire.Call, r match.Request, due *Interaction) *Miss {
	m := &Miss{Gate: Drifted, Nearest: due, Diffs: p.diff(due, r)}
	head := fmt.Sprintf("%s was recorded differently in %s", p.describe(call, r), p.file())
	m.Message = message(head, name(due)+" differs in", m.Diffs, p.again()+
		"change the request back, or declare what answers it in an `on` block; "+p.show(due)+p.remedy(due, r, m.Diffs))
	return m
}

// again names the command that records the answer, before what else can be done,
// "" where nobody said it.
func (p *Player) again() string {
	if p.options.Again == "" {
		return ""
	}
	return fmt.Sprintf("`%s` records the answer; or ", p.options.Again)
}

// remedyMax is how many places a hint has to copy.
const remedyMax = 3

// remedy says what to write in the cassette block where a difference does not
// matter: what was tried on the two requests and makes them equal. Nothing does
// where the model is told something else, or a service is asked elsewhere.
func (p *Player) remedy(it *Interaction, r match.Request, diffs []match.FieldDiff) string {
	with := func(m match.Match) bool { return len(m.Diff(p.recorded(it), r)) == 0 }
	places := p.match.Propose([][2]match.Request{{p.recorded(it), r}})
	ignoring := p.match
	ignoring.Ignore = append(slices.Clip(ignoring.Ignore), places...) // what is ignored already stays
	ignores := len(places) > 0 && len(places) <= remedyMax && with(ignoring)
	// A new field is one place; another profile would no longer compare others either.
	added := slices.ContainsFunc(diffs, func(d match.FieldDiff) bool { return d.Recorded == match.Absent })
	m := p.match
	if m.Profile = match.Semantic; !(ignores && added) && with(m) {
		return "; if the difference does not matter, set `match = \"semantic\"` in the cassette block"
	}
	if ignores {
		return "; if the difference does not matter, set `ignore = " + listed(ignoring.Ignore) + "` in the cassette block"
	}
	if slices.ContainsFunc(diffs, func(d match.FieldDiff) bool { return match.CheckPath(d.Path) != nil || match.IsTold(r, d.Path) }) {
		return ""
	}
	if m = (match.Match{Profile: match.Loose, Headers: p.match.Headers}); with(m) {
		return "; if the difference does not matter, set `match = \"loose\"` in the cassette block"
	}
	return ""
}

// listed is a list of strings as an attribute has it.
func listed(list []string) string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = strconv.Quote(text)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// overConsumed is the miss of a call whose interactions were all played.
func (p *Player) overConsumed(call wire.Call, r match.Request, n int) *Miss {
	head := fmt.Sprintf("%s is one call too many: %s has %d for it, and all were played", p.describe(call, r), p.file(), n)
	return &Miss{Gate: OverConsumed, Message: message(head, "", nil, "the program calls more often than when it was recorded; "+
		p.again()+"add what answers it to an `on` block, or set `exhausted = \"repeat_last\"` in the cassette block")}
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
		"", nil, fmt.Sprintf("`scenario cassette show %s` lists them; they count from 1", cmp.Or(p.cassette.Path, "FILE")))}
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
// stays cheap in a large file. Where the scenario has none left, it is one of
// another.
func (p *Player) nearest(r match.Request) (best *Interaction, diffs []match.FieldDiff) {
	var candidates []*Interaction
	orphans := func(i int) bool { return slices.Contains(p.options.Orphans, i) }
	mine := func(i int) bool { return p.serves(p.cassette.Interactions[i]) }
	for _, of := range []func(int) bool{mine, orphans, func(int) bool { return true }} {
		for _, place := range []string{match.Place(r), ""} {
			if len(candidates) == 0 {
				candidates = p.candidates(place, of)
			}
		}
	}
	for _, it := range candidates {
		d := p.match.Changes(p.recorded(it), r)
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
	return p.match.Changes(p.shown(p.recorded(it)), p.shown(r))
}

func (p *Player) shown(r match.Request) match.Request {
	if p.options.Shown == nil {
		return r
	}
	return match.Request(p.options.Shown(redact.Request(r)))
}

// candidates returns the first interactions not yet played that were recorded
// at a place, "" for any, and that of says.
func (p *Player) candidates(place string, of func(int) bool) []*Interaction {
	var list []*Interaction
	for i, it := range p.cassette.Interactions {
		if len(list) == nearestMax {
			break
		}
		if !p.played[i] && of(i) && (place == "" || p.steps.places[i] == place) {
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
	if it.Scenario != "" {
		more = append(more, fmt.Sprintf("scenario %q", it.Scenario))
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
		b.WriteString("\n    " + strings.ReplaceAll(d.String(), "\n", "\n    "))
	}
	b.WriteString("\nhint: " + hint)
	return b.String()
}
