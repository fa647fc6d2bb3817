package compile

import (
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/compile/unit"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// named is the taxonomy that a block names, the default where it names none.
func (c *compiler) named(r dsl.Reader) *plan.Taxonomy {
	ref := r.Ref("taxonomy")
	if t := unit.Find(c.Unit, c.taxonomies, ref); t != nil {
		return t
	}
	return plan.DefaultTaxonomy()
}

// checkMode refuses a mode that a taxonomy does not have.
func (c *compiler) checkMode(r dsl.Reader, mode string, t *plan.Taxonomy) {
	if mode != "" && t.Known.Lookup(mode) == nil {
		r.Errorf("mode", "Unknown mode", "The taxonomy %q has no mode %q.%s", t.Known.Name(), mode, dsl.DidYouMean(mode, t.Known.Codes()))
	}
}

// contractMode is the mode that a broken contract has, nil for that of its
// kind.
func (wc *workflowCompiler) contractMode(r dsl.Reader) *failure.Mode {
	code := r.String("mode")
	wc.checkMode(r, code, wc.w.Taxonomy)
	m := wc.w.Taxonomy.Known.Lookup(code)
	if m != nil && m.Terminal && r.Bool("retry") {
		r.Errorf("retry", "Contract that is terminal", "The mode %q is terminal and never retried: drop retry = true, or give another mode.", code)
	}
	return m
}

// checkSpecs refuses entries of retry_on that mean nothing in any taxonomy of
// the file and returns the others. Which taxonomy it has to be is known where
// the policy is used.
func (c *compiler) checkSpecs(r dsl.Reader, specs []string) []string {
	var good []string
	for _, spec := range specs {
		err := plan.DefaultTaxonomy().Known.ValidSpec(spec)
		for _, name := range read.SortedNames(c.taxonomies) {
			if err == nil {
				break
			}
			if again := c.taxonomies[name].Known.ValidSpec(spec); again == nil || c.File.Body.Named("taxonomy", name) != nil {
				err = again
			}
		}
		if err != nil {
			r.EntryErrorf("retry_on", spec, "Wrong entry of retry_on", "%s", sentence(err.Error()))
			continue
		}
		good = append(good, spec)
	}
	return good
}

// checkRetry refuses a retry policy whose retry_on means nothing to the
// workflow of the step that uses it.
func (wc *workflowCompiler) checkRetry(ref dsl.Reference) {
	for _, spec := range wc.world.retries[ref.Name].On {
		if err := wc.w.Taxonomy.Known.ValidSpec(spec); err != nil {
			wc.Errorf(ref.Range, "Retry policy that does not fit", "In the retry_on of retry.%s, %s The taxonomy of workflow %q is %q; `taxonomy = taxonomy.NAME` in the workflow names another.", ref.Name, fullStop(err.Error()), wc.w.Name, wc.w.Taxonomy.Known.Name())
		}
	}
}
