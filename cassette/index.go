package cassette

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette/match"
)

// A stepKey is the explicit address of interactions.
type stepKey struct{ scenario, step, target, lane string }

// stepIndex finds interactions by their explicit key. Its lists hold positions
// in Cassette.Interactions, in the order of attempts.
type stepIndex struct {
	byKey  map[stepKey][]int
	byStep map[stepKey][]int // without target and lane
	lanes  map[stepKey]bool  // the keys of byStep that have lanes
	free   []int             // those without a step
	places []string          // of every interaction: method and path
}

func (c *Cassette) stepIndex() *stepIndex {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.steps == nil {
		c.steps = newStepIndex(c.Interactions)
	}
	return c.steps
}

func newStepIndex(items []*Interaction) *stepIndex {
	x := &stepIndex{byKey: map[stepKey][]int{}, byStep: map[stepKey][]int{}, lanes: map[stepKey]bool{}}
	for i, it := range items {
		x.places = append(x.places, match.Place(it.Request()))
		if it.Step == "" {
			x.free = append(x.free, i)
			continue
		}
		key := stepKey{it.Scenario, it.Step, it.Target, it.Lane}
		x.byKey[key] = append(x.byKey[key], i)
		key.target, key.lane = "", ""
		x.byStep[key] = append(x.byStep[key], i)
		x.lanes[key] = x.lanes[key] || it.Lane != ""
	}
	for _, lists := range []map[stepKey][]int{x.byKey, x.byStep} {
		for _, list := range lists {
			slices.SortStableFunc(list, func(a, b int) int {
				return cmp.Compare(items[a].Attempt, items[b].Attempt)
			})
		}
	}
	return x
}

// group returns what answers a step's calls of a target in a lane. What a file says
// of the scenario goes before what it says of all, and so with targets. A step that
// was recorded in lanes has answers for those alone, and one that was not has the
// same for all.
func (x *stepIndex) group(scenario, step, target, lane string) (stepKey, []int) {
	for _, scenario := range []string{scenario, ""} {
		in := stepKey{scenario, step, "", lane}
		if !x.lanes[stepKey{scenario, step, "", ""}] {
			in.lane = ""
		}
		for _, in.target = range []string{target, ""} {
			if list := x.byKey[in]; len(list) > 0 {
				return in, list
			}
		}
	}
	return stepKey{}, nil
}

// inLanes reports whether a step was recorded, and in lanes.
func (x *stepIndex) inLanes(scenario, step string) bool {
	return x.lanes[stepKey{scenario, step, "", ""}] || x.lanes[stepKey{"", step, "", ""}]
}

// ofStep returns all interactions of a step, whatever their target.
func (x *stepIndex) ofStep(scenario, step string) []int {
	if list := x.byStep[stepKey{scenario, step, "", ""}]; len(list) > 0 {
		return list
	}
	return x.byStep[stepKey{"", step, "", ""}]
}

// keyIndex finds interactions without a step by canonical request key, in
// recorded order. The canonical form costs more than everything else of a
// replay, so a request whose bytes were recorded is known by those.
type keyIndex struct {
	match   match.Match
	items   []*Interaction
	request func(*Interaction) match.Request // what is compared of one
	keys    []string                         // of each interaction, "" for one with a step
	byKey   map[string][]int
	byBytes map[uint64][]int // nil where header fields count
	seed    maphash.Seed     // finds, and shows in nothing
}

// keyIndex returns the index for a match, which players share.
func (c *Cassette) keyIndex(m match.Match) *keyIndex {
	free := c.stepIndex().free
	c.mu.Lock()
	defer c.mu.Unlock()
	name := strings.Join([]string{m.Profile, strings.Join(m.Headers, "\n"), strings.Join(m.Ignore, "\n")}, "\x00")
	x := c.keys[name]
	if x == nil {
		x = newKeyIndex(m, c.Interactions, free, (*Interaction).Request)
		if c.keys == nil {
			c.keys = map[string]*keyIndex{}
		}
		c.keys[name] = x
	}
	return x
}

func newKeyIndex(m match.Match, items []*Interaction, free []int, request func(*Interaction) match.Request) *keyIndex {
	x := &keyIndex{
		match: m, items: items, request: request, keys: make([]string, len(items)),
		byKey: map[string][]int{}, seed: maphash.MakeSeed(),
	}
	if len(m.Headers) == 0 {
		x.byBytes = map[uint64][]int{}
	}
	for _, i := range free {
		r := request(items[i])
		key := x.key(r)
		x.keys[i] = key
		x.byKey[key] = append(x.byKey[key], i)
		if x.byBytes != nil {
			hash := x.hash(r)
			x.byBytes[hash] = append(x.byBytes[hash], i)
		}
	}
	return x
}

// key returns the canonical key of a request.
func (x *keyIndex) key(r match.Request) string {
	if x.byBytes != nil {
		for _, i := range x.byBytes[x.hash(r)] {
			if sameBytes(x.request(x.items[i]), r) {
				return x.keys[i]
			}
		}
	}
	return x.match.Key(r)
}

func (x *keyIndex) hash(r match.Request) uint64 {
	var h maphash.Hash
	h.SetSeed(x.seed)
	h.WriteString(r.Method)
	h.WriteByte(0)
	h.WriteString(r.URL)
	h.WriteByte(0)
	h.Write(r.Body)
	return h.Sum64()
}

// sameBytes reports whether two requests are equal without any canonical form.
// The content type is compared because it says how a body is read.
func sameBytes(a, b match.Request) bool {
	return a.Method == b.Method && a.URL == b.URL && bytes.Equal(a.Body, b.Body) &&
		a.Header.Get("Content-Type") == b.Header.Get("Content-Type")
}
