package mutate

import (
	"errors"
	"slices"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/explore"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// Mark begins every file that is written for an unseen mutant.
const Mark = "# Found by scenario mutate: "

// Scenario is the text of a scenario file that kills an unseen mutant: one of its
// scenarios under the faults that show it, with an assertion that holds without the
// mutant. It will stand at a path from where the file of that scenario is imported as
// written. The error says why it cannot be written.
func (m *Mutant) Scenario(path, imported string, o Options) ([]byte, error) {
	x := m.shown
	w := explore.Interpreted(x.plan, o.Done)
	set := w.Single(m.Shown)
	run := interp.RunOptions{Inject: set.Injector(), Events: set.Occurrences(), Done: o.Done, EventLimit: eventsMax}
	events := interp.Run(x.plan, run).Events
	d, conditions := differenceOf(x, run)
	if d.Of == "" && d.By == "" {
		return nil, errors.New("single faults in the place of the outage do not show it")
	}
	why := errors.New("nothing that an assertion can read differs")
	for _, c := range conditions {
		e := explore.Emission{
			Head: Mark + m.Declaration + ": " + brief(m.Change) + " makes a difference under", Name: m.name(),
			Set: set, Events: events, Imports: []string{imported}, Blocks: append(m.assertion(c), '\n'),
		}
		text, err := e.Write(w, x.host.Source)
		if err != nil {
			return nil, err
		}
		text = dsl.Format(text)
		if why = m.Shows(path, text, o); why == nil {
			return text, nil
		}
	}
	return nil, why
}

// eventsMax bounds the runs under faults that are looked at.
const eventsMax = 100_000

// Shows says why a scenario file does not show the mutant: it has to be green without it
// and red with it. A text that is not nil takes the place of that of the file.
func (m *Mutant) Shows(path string, text []byte, o Options) error {
	texts := map[string][]byte{}
	if text != nil {
		texts[path] = text
	}
	plain := o.Compile(path, texts)
	if plain.Failed() {
		return errors.New(firstError(plain))
	}
	if !green(plain, o) {
		return errors.New("it is red without the mutant")
	}
	texts[m.File] = m.Text()
	mutant := o.Compile(path, texts)
	if mutant.Failed() {
		return errors.New(firstError(mutant))
	}
	if green(mutant, o) {
		return errors.New("it is green with the mutant")
	}
	return nil
}

// green reports whether all scenarios of a file pass.
func green(f *suite.File, o Options) bool {
	return !slices.ContainsFunc(f.Plans, func(p *interp.Plan) bool {
		return interp.Run(p, interp.RunOptions{Done: o.Done}).Verdict != interp.Pass
	})
}
