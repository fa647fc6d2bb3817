package cassette

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/cassette/internal/instant"
	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/wire"
)

// Options say how a player answers.
type Options struct {
	// Scenario is the name of the scenario that runs.
	Scenario string
	// Profile is one of [match.Profiles]; "" is Strict for our files and Semantic
	// for foreign ones.
	Profile string
	Latency Latency
	// MatchHeaders and Ignore are as in [match.Match].
	MatchHeaders, Ignore []string
	// Redact, where not nil, is applied to an actual request and to recorded
	// ones before they are compared. It must not change its argument's body or
	// header in place.
	Redact func(redact.Request) redact.Request
	// Shown, where not nil, is applied to both requests before a message quotes
	// them, so that no secret is cut in a message before it can be found there.
	Shown func(redact.Request) redact.Request
	// Now is the run's clock. It is needed to see that two steps ask for the
	// same at one instant, and to move the dates of answers to the run's time;
	// nil leaves that unseen, and those as they are.
	Now func() time.Time
	// Orphans are the positions of interactions of scenarios that are no more. They
	// answer nothing; a miss looks at them before it looks at those of others.
	Orphans []int
	// Repeats plays the last answer of a call again when all were played.
	Repeats bool
	// Again is the command that records what has no answer, for messages; "" for none.
	Again string
	// Dummy, where not "", is the value that a program has in the place of its keys: in a
	// request it is the same as any secret that the recording hides.
	Dummy string
	// Ordered reports whether of two steps one always waits for the other, so
	// that their calls cannot be swapped though they fall on one instant. nil
	// means that any two can.
	Ordered func(a, b string) bool
}

// A Player answers the calls of one run from a cassette. Every interaction
// answers once. It is a wire.Source, and safe for concurrent use.
type Player struct {
	cassette *Cassette
	options  Options
	match    match.Match
	steps    *stepIndex
	keys     *keyIndex // of redacted requests, nil until it is needed

	mu      sync.Mutex
	played  []bool
	drifted map[int]bool // of those played, the ones that answered nothing
	cursors map[any]int  // by stepKey or canonical key: how far its list was played
	// last are, by canonical key, the last calls of each step at the latest
	// instant.
	last map[string][]asked
}

// asked is a call that a canonical key answered.
type asked struct {
	step string
	at   time.Time
	item int
}

// NewPlayer returns a player that has played nothing. The error says which
// option is unknown.
func NewPlayer(c *Cassette, o Options) (*Player, error) {
	if o.Profile == "" {
		o.Profile = c.Profile()
	}
	if !slices.Contains(match.Profiles(), o.Profile) {
		return nil, fmt.Errorf("cassette %s: match = %q is unknown; there are %s", c.Path, o.Profile, strings.Join(match.Profiles(), ", "))
	}
	return &Player{
		cassette: c,
		options:  o,
		match:    match.Match{Profile: o.Profile, Headers: o.MatchHeaders, Ignore: o.Ignore},
		steps:    c.stepIndex(),
		played:   make([]bool, len(c.Interactions)),
		cursors:  map[any]int{},
		drifted:  map[int]bool{},
		last:     map[string][]asked{},
	}, nil
}

// Profile is how the requests of the cassette are compared where nothing else is
// asked for.
func (c *Cassette) Profile() string {
	if c.Own {
		return match.Strict
	}
	return match.Semantic
}

// Next answers the call with the script of the interaction that [Player.Take]
// returns. It never passes: what is not recorded is a *[Miss].
func (p *Player) Next(ctx context.Context, call wire.Call) (wire.WireScript, error) {
	it, err := p.Take(ctx, call)
	if err != nil {
		return wire.WireScript{}, err
	}
	return p.Script(call, it), nil
}

// Script is what answers a call with an interaction that [Player.Take] returned.
func (p *Player) Script(call wire.Call, it *Interaction) wire.WireScript {
	return it.Script(wire.Meta{
		Step: call.Step, Attempt: call.Attempt, By: "cassette", Entry: it.Index,
		Pos: wire.Pos{File: p.cassette.Path, Line: it.Line},
	})
}

// Take returns the interaction that answers the call, with the player's
// latency, and marks it as played. It belongs to the caller. The error is a
// *[Miss], or that of an ended context.
func (p *Player) Take(ctx context.Context, call wire.Call) (*Interaction, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r := p.request(call)
	p.mu.Lock()
	defer p.mu.Unlock()
	var i int
	var miss *Miss
	if key, list := p.steps.group(p.options.Scenario, call.Step, call.Target, call.Lane); len(list) > 0 {
		i, miss = p.takeStep(key, list, call, r)
	} else {
		i, miss = p.takeKey(call, r)
	}
	if miss != nil {
		return nil, miss
	}
	it := p.hand(i)
	it.AnswerTo(call.Body)
	return it, nil
}

// request is what is compared of a call.
func (p *Player) request(call wire.Call) match.Request {
	r := match.Request{Body: call.Body}
	if call.Request != nil {
		r.Method, r.Header = call.Request.Method, call.Request.Header
		if call.Request.URL != nil {
			r.URL = call.Request.URL.String()
		}
	}
	if p.options.Redact != nil {
		r = match.Request(p.options.Redact(redact.Request(r)))
	}
	return r
}

// recorded is what is compared of an interaction.
func (p *Player) recorded(it *Interaction) match.Request {
	if p.options.Redact != nil {
		return match.Request(p.options.Redact(redact.Request(it.Request())))
	}
	return it.Request()
}

// keyIndex is the cassette's, or the player's own where requests are redacted.
func (p *Player) keyIndex() *keyIndex {
	if p.options.Redact == nil {
		return p.cassette.keyIndex(p.match)
	}
	if p.keys == nil {
		p.keys = newKeyIndex(p.match, p.cassette.Interactions, p.steps.free, p.recorded)
	}
	return p.keys
}

// takeStep plays the next interaction of a step and target. A drifted one
// counts as played, so that the next call is compared with its own.
func (p *Player) takeStep(key stepKey, list []int, call wire.Call, r match.Request) (int, *Miss) {
	i, ok := p.advance(key, list)
	if !ok {
		return 0, p.overConsumed(call, r, len(list))
	}
	repeated := p.played[i]
	p.played[i] = true
	it := p.cassette.Interactions[i]
	if p.same(p.recorded(it), r) || p.hiddenAlike(it, r) {
		return i, nil
	}
	p.drifted[i] = !repeated
	return 0, p.drift(call, r, it)
}

func (p *Player) same(recorded, actual match.Request) bool {
	if len(p.match.Headers) == 0 && sameBytes(recorded, actual) {
		return true
	}
	return p.match.Key(recorded) == p.match.Key(actual)
}

// takeKey plays the next interaction of a canonical request.
func (p *Player) takeKey(call wire.Call, r match.Request) (int, *Miss) {
	x := p.keyIndex()
	key := x.key(r)
	list := x.byKey[key]
	i, ok := p.advance(key, list)
	switch {
	case len(list) == 0:
		return 0, p.unmatched(call, r)
	case !ok:
		return 0, p.overConsumed(call, r, len(list))
	}
	if p.options.Now != nil {
		now := asked{call.Step, p.options.Now(), i}
		before := slices.DeleteFunc(p.last[key], func(a asked) bool { return a.step == now.step || !a.at.Equal(now.at) })
		if n := slices.IndexFunc(before, func(a asked) bool { return p.ambiguous(a, now) }); n >= 0 {
			return 0, p.ambiguity(call, r, before[n], now)
		}
		p.last[key] = append(before, now)
	}
	p.played[i] = true
	return i, nil
}

// ambiguous reports whether arrival order, which parallel callers do not
// control, decided who of two callers at one instant got which answer.
func (p *Player) ambiguous(a, b asked) bool {
	return (p.options.Ordered == nil || !p.options.Ordered(a.step, b.step)) &&
		!sameAnswer(p.cassette.Interactions[a.item], p.cassette.Interactions[b.item])
}

// advance moves a cursor to the next interaction of its list that was not
// played, and reports whether there is one. Where answers are repeated, the last
// is always one.
func (p *Player) advance(key any, list []int) (int, bool) {
	n := p.cursors[key]
	for n < len(list) && p.played[list[n]] {
		n++
	}
	p.cursors[key] = n
	switch {
	case n < len(list):
		return list[n], true
	case p.options.Repeats && n > 0:
		return list[n-1], true
	}
	return 0, false
}

// Interaction returns a certain interaction for an entry that names it, marks
// it as played and compares nothing: the nth (from 1) of the step, in the order
// of attempts, or of the file where that names no steps. It belongs to the
// caller and may be asked for again.
func (p *Player) Interaction(step string, n int) (*Interaction, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	list, of := p.steps.ofStep(p.options.Scenario, step), "step "+strconv.Quote(step)
	if len(list) == 0 {
		list, of = p.steps.free, "the cassette"
	}
	if n < 1 || n > len(list) {
		return nil, p.noSuch(step, of, n, len(list))
	}
	i := list[n-1]
	p.played[i] = true
	return p.hand(i), nil
}

// hand copies an interaction out.
func (p *Player) hand(i int) *Interaction {
	it := p.cassette.Interactions[i].Clone()
	p.options.Latency.Apply(it)
	if p.options.Now != nil {
		it.moveTo(p.options.Now(), p.cassette.RecordedAt)
	}
	return it
}

// moveTo moves the dates in the header of an answer to an exchange that begins
// now. recorded is when recordings of the file began, which stands in for an
// exchange of which it is not known; where nothing is, the answer's own Date does,
// and without it every date stays as it is.
func (it *Interaction) moveTo(now, recorded time.Time) {
	at := it.RecordedAt
	if at.IsZero() {
		at = it.date()
	}
	if at.IsZero() {
		at = recorded
	}
	if at.IsZero() {
		return
	}
	for i, f := range it.Response.Header {
		if !instant.In(f.Name) {
			continue
		}
		if moved, ok := instant.Shift(f.Value, now.Sub(at)); ok {
			it.Response.Header[i].Value = moved
		}
	}
}

// date is when the server says that it answered, zero where it does not.
func (it *Interaction) date() time.Time {
	for _, f := range it.Response.Header {
		if strings.EqualFold(f.Name, "Date") {
			t, _ := http.ParseTime(strings.TrimSpace(f.Value))
			return t
		}
	}
	return time.Time{}
}

// Unused returns the calls of the scenario that answered nothing, in
// file order: each is a failure of the gate unused_interaction. They belong to
// the cassette.
func (p *Player) Unused() []*Interaction {
	p.mu.Lock()
	defer p.mu.Unlock()
	var unused []*Interaction
	for i, it := range p.cassette.Interactions {
		if !p.played[i] && p.serves(it) && !ofSession(it) {
			unused = append(unused, it)
		}
	}
	return unused
}

// Played returns the indexes of the interactions that answered something, in
// file order.
func (p *Player) Played() []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	var played []int
	for i, it := range p.cassette.Interactions {
		if p.played[i] && !p.drifted[i] {
			played = append(played, it.Index)
		}
	}
	return played
}

// serves reports whether an interaction is the running scenario's.
func (p *Player) serves(it *Interaction) bool {
	return it.Scenario == "" || p.options.Scenario == "" || it.Scenario == p.options.Scenario
}

// sameAnswer reports whether a client could not tell two answers apart but by
// their timing.
func sameAnswer(a, b *Interaction) bool {
	return a.Error == b.Error && a.Response.Status == b.Response.Status &&
		a.Response.End == b.Response.End &&
		slices.Equal(a.Response.Header, b.Response.Header) &&
		string(a.Response.Body()) == string(b.Response.Body())
}
