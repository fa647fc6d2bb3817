package scenariotest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario"
)

// An Option says how scenarios are run. One that a function has no use for fails the
// test.
type Option func(*options)

type options struct {
	real bool
	load []scenario.Option

	// Of Explore alone.
	pairs, write, noModel, wrong bool
	runs                         int

	// at is where the test calls this package.
	at string
	// given are the options, in their order.
	given []given
}

// given is an option that was given: its name, the functions that take it, and what is
// wrong with its arguments, "" for nothing.
type given struct {
	name  string
	takes []string
	wrong string
}

// takenBy makes an option that some functions take.
func takenBy(name string, takes []string, set func(*options)) Option {
	return func(o *options) {
		o.given = append(o.given, given{name: name, takes: takes})
		set(o)
	}
}

var (
	byAll     = []string{"Run", "New", "Explore"}
	byPlayers = []string{"Run", "New"}
	byExplore = []string{"Explore"}
)

// Real runs the scenarios of [Run] and [New] on the real clock, outside of any bubble: for
// code that talks to real sockets or programs, too. Waits then take their time.
func Real() Option { return takenBy("Real", byPlayers, func(o *options) { o.real = true }) }

// Load says how the file is loaded, for example with values of variables.
func Load(list ...scenario.Option) Option {
	return takenBy("Load", byAll, func(o *options) {
		if i := slices.IndexFunc(list, func(l scenario.Option) bool { return l == nil }); i >= 0 {
			o.given[len(o.given)-1].wrong = fmt.Sprintf("its option %d is nil", i+1)
		}
		o.load = append(o.load, list...)
	})
}

// Pairs has [Explore] try pairs of faults, too: every fault with every second one at a
// request that its own run comes to later. Raise [Runs] with it.
func Pairs() Option { return takenBy("Pairs", byExplore, func(o *options) { o.pairs = true }) }

// Runs bounds the runs that [Explore] makes of each scenario, at least 1; 2,000 where it
// is not given. Those that make a find smaller are not counted.
func Runs(n int) Option {
	return takenBy("Runs", byExplore, func(o *options) {
		if n < 1 {
			o.given[len(o.given)-1].wrong = fmt.Sprintf("it takes at least 1, and was given %d; without it %d runs are made", n, runsUsual)
		}
		o.runs = n
	})
}

// WrongAnswers has [Explore] also try answers that are well-formed and wrong: an empty one,
// half of one, the one before, one of another type. Whatever f says of its right answer
// then has to hold of those, too.
func WrongAnswers() Option {
	return takenBy("WrongAnswers", byExplore, func(o *options) { o.wrong = true })
}

// NoModel has [Explore] compare nothing with the workflow of a scenario that describes the
// program.
func NoModel() Option { return takenBy("NoModel", byExplore, func(o *options) { o.noModel = true }) }

// Update has [Explore] write what it finds into testdata/explore, as the flag
// -scenario.update does.
func Update() Option { return takenBy("Update", byExplore, func(o *options) { o.write = true }) }

const runsUsual = 2000

// optionsOf are the options of a function of this package, which the test called. It
// fails the test where one of them would do nothing.
func optionsOf(t *testing.T, function string, list []Option) *options {
	t.Helper()
	o := &options{at: caller()}
	for i, option := range list {
		if option == nil {
			t.Fatalf("%s: option %d is nil: leave it out", function, i+1)
		}
		option(o)
	}
	for _, g := range o.given {
		if !slices.Contains(g.takes, function) {
			t.Fatalf("%s does nothing with %s(): only %s takes it. Leave it out", function, g.name, strings.Join(g.takes, " or "))
		}
		if g.wrong != "" {
			t.Fatalf("%s: %s", g.name, g.wrong)
		}
	}
	return o
}

// noFunction says that there is no function to call.
func noFunction(function, signature string) string {
	return fmt.Sprintf("%s was given no function: it is nil\nhint: give it the one that runs the code under test, %s", function, signature)
}
