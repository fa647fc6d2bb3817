package faults

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/schema"
)

// Figures are the numbers of a scenario that decide what its program does about a
// failure: a search tries values on both sides of them.
type Figures struct {
	// Statuses are those that the file names, of 400 and above.
	Statuses []int
	// RetryAfters are waits that a server may ask for, in seconds.
	RetryAfters []int
	// Deadlines are those of the file, the shortest first.
	Deadlines []time.Duration
	// Chunks are of how many chunks its streamed answers are, none twice.
	Chunks []int
}

// A Trial is a kind of fault with arguments that a search tries.
type Trial struct {
	Kind *Kind
	Args schema.Values
	// Rank is 1 for what is met most often, 0 for what is met seldom.
	Rank int
	// Lasts says that a service can be so for a while.
	Lasts bool
	// Chunks is of how many chunks an answer is that can be struck so, 0 for any.
	Chunks int
}

// Trials are what a search tries, the commonest first: of the arguments of each kind
// those that something in a program can tell apart.
func Trials(f Figures) []Trial {
	var list []Trial
	for _, k := range kinds {
		tried := []Trial{{}}
		if k.Tried != nil {
			tried = k.Tried(f)
		}
		for _, t := range tried {
			args := k.Usual()
			maps.Copy(args, t.Args)
			t.Kind, t.Args = k, args
			list = append(list, t)
		}
	}
	seldom := func(t Trial) int {
		if t.Rank == 0 {
			return len(list)
		}
		return t.Rank
	}
	slices.SortStableFunc(list, func(a, b Trial) int { return cmp.Compare(seldom(a), seldom(b)) })
	return list
}

// Usual are the arguments of a kind that nobody gives one.
func (k *Kind) Usual() schema.Values {
	args := schema.Values{}
	for i := range k.Attrs {
		if v := k.Attrs[i].DefaultValue(); v != nil {
			args[k.Attrs[i].Name] = v
		}
	}
	return args
}

// Given are the arguments that are not what they are by themselves.
func (k *Kind) Given(args schema.Values) schema.Values {
	usual, given := k.Usual(), schema.Values{}
	for name, v := range args {
		if !reflect.DeepEqual(v, usual[name]) {
			given[name] = v
		}
	}
	return given
}

// Brief says what strikes, as briefly as can be understood.
func (k *Kind) Brief(args schema.Values) string {
	if k.Told != nil {
		return k.Told(args)
	}
	var list []string
	given := k.Given(args)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		list = append(list, fmt.Sprintf("%s = %v", name, given[name]))
	}
	if len(list) == 0 {
		return k.Name
	}
	return k.Name + " (" + strings.Join(list, ", ") + ")"
}

// Silence is the kind that is silent and, after a while, a timeout.
func Silence() *Kind { return timeout }

// Late is the kind that makes an answer late, and changes nothing of it.
func Late() *Kind { return delay }

// once is one trial, of the usual arguments.
func once(rank int, lasts bool) func(Figures) []Trial {
	return func(Figures) []Trial { return []Trial{{Rank: rank, Lasts: lasts}} }
}

// each is a trial for each of several arguments.
//
//go:noinline
func each(rank int, args ...schema.Values) func(Figures) []Trial {
	return func(Figures) []Trial {
		list := make([]Trial, len(args))
		for i := range args {
			list[i] = Trial{Args: args[i], Rank: rank}
		}
		return list
	}
}
