package plan

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
)

// Responses are the answers of a response file: in place of recorded
// exchanges, a script for each step, or for each request by its hash. It
// answers what the scenario's own scripts leave, as any cassette does.
type Responses struct {
	Path    string
	Scripts []*Script // in file order; the address is the key
	ByKey   map[string]*Script
}

// Part is what a script for an actor is for.
type Part struct {
	// Word is what the catalogue of faults calls it, and What is what a message
	// calls it.
	Word, What string
	Address    string
}

// ScriptOf is the script at an address of an actor, nil for none.
func (p *Plan) ScriptOf(address string) *Script {
	for _, s := range p.Scripts {
		if s.Part != nil && s.Address == address {
			return s
		}
	}
	return nil
}

// Script is one on block.
type Script struct {
	Address   string
	Target    string
	Exhausted string
	Entries   []*Entry
	Rng       hcl.Range
	// Part is what of an actor it is for, nil for a step's.
	Part *Part
}

// Unlimited is the Times of an entry that answers any number of calls.
const Unlimited = -1

// Entry is one line of a script: a reply, a fault or a replay. A fault may
// disturb a reply or a replay.
type Entry struct {
	N         int // 1-based in its script
	InFile    int // of an answer in a response file: its number there
	Times     int // Unlimited, or at least 1
	TimesSet  bool
	Target    string
	Turn      int
	Iteration int
	Optional  bool
	// Match is what a request of a program must have, empty for any.
	Match Match
	Rng   hcl.Range
	// Outage is the name of the outage whose fault it is, "" for a line of a script.
	Outage string

	Fault    *faults.Kind
	Args     schema.Values
	After    time.Duration
	HasAfter bool

	Reply  *providers.Output
	Replay *Replay
}

// What names the entry in a message.
func (e *Entry) What() string {
	switch {
	case e.Fault != nil:
		return "fault " + e.Fault.Name
	case e.Replay != nil:
		return "replay"
	}
	return "reply"
}

// Selects reports whether the entry is for some of the calls to its script only.
func (e *Entry) Selects() bool {
	return e.Target != "" || e.Turn != 0 || e.Iteration != 0 || !e.Match.Empty()
}

// Endless reports whether the entry answers every call that comes to its script.
func (e *Entry) Endless() bool { return e.Times == Unlimited && !e.Selects() }

// Looks reports whether the fault of the entry looks at the answer that it disturbs.
func (e *Entry) Looks() bool { return e.Fault.Answerless == nil || !e.Fault.Answerless(e.Args) }

// Unplayable says that a call at a place cannot be answered with the entry.
func (e *Entry) Unplayable(place string, why error) string {
	if e.Outage != "" {
		return fmt.Sprintf("the outage %q cannot strike %s: %s.\nhint: let it begin or end at another time (from, to), or take a fault that needs no answer", e.Outage, place, why)
	}
	return fmt.Sprintf("entry %d (%s) of the script for %s cannot be played: %s", e.N, e.What(), place, why)
}

// A Replay entry answers with an interaction of the cassette.
type Replay struct {
	Interaction int // 0 for the next
	Latency     *time.Duration
}

// Recording is the cassette of a scenario.
type Recording struct {
	Path     string
	Cassette *cassette.Cassette
	Match    string
	Latency  string
	Headers  []string
	Ignore   []string
	Repeats  bool          // the last answer, past the end
	MaxAge   time.Duration // 0 for any
	// Orphans are the positions of interactions that no scenario of the file can
	// play, where none is this one's.
	Orphans []int
	Rules   redact.Rules
	Rng     hcl.Range
}

// Comparison is how requests are compared with the recording, once it is loaded.
func (t *Recording) Comparison() match.Match {
	return match.Match{Profile: cmp.Or(t.Match, t.Cassette.Profile()), Headers: t.Headers, Ignore: t.Ignore}
}

// ForProgram reports whether a script is for an endpoint that is no step, so
// that only a program reaches it.
func (p *Plan) ForProgram(s *Script) bool {
	return slices.ContainsFunc(p.Endpoints, func(n *Node) bool { return n.Name == s.Address && n.Step.Endpoint.Declared })
}

// ScriptFor picks the script for a step and a target, nil where there is none:
// the most specific address and target win.
func (p *Plan) ScriptFor(step, target string) *Script {
	lists := [2][]*Script{p.Scripts}
	if p.ScriptsAt != nil {
		at := p.ScriptsAt()
		lists = [2][]*Script{at[step], at["*"]}
	}
	var best *Script
	rank := -1
	for _, list := range lists {
		for _, s := range list {
			if s.Part != nil || s.Address != step && s.Address != "*" || s.Target != "" && s.Target != target {
				continue
			}
			r := 0
			if s.Address == step {
				r += 2
			}
			if s.Target != "" {
				r++
			}
			if r > rank {
				best, rank = s, r
			}
		}
	}
	return best
}

// manyScripts is from how many on they are found by their addresses: each of thousands of steps
// asks for its own.
const manyScripts = 32

// FindScripts has the scripts found by their addresses where there are many. The plan has
// all of them, and is not copied with others.
func (p *Plan) FindScripts() {
	p.ScriptsAt = nil
	if len(p.Scripts) < manyScripts {
		return
	}
	p.ScriptsAt = sync.OnceValue(func() map[string][]*Script {
		at := map[string][]*Script{}
		for _, s := range p.Scripts {
			at[s.Address] = append(at[s.Address], s)
		}
		return at
	})
}
