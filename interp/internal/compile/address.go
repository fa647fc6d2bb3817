package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// maxListed is how many names a message lists.
const maxListed = 20

// unknownAddress complains about the label of a block, and names the address of
// a step inside another that is called so.
func (sc *scenarioCompiler) unknownAddress(b *dsl.Block, names []string) {
	hint := dsl.DidYouMean(b.Name(), names)
	for _, name := range names {
		if hint == "" && strings.HasSuffix(name, "."+b.Name()) {
			hint = fmt.Sprintf(" Did you mean %q?", name)
		}
	}
	if _, name, dotted := strings.Cut(b.Name(), "."); dotted && slices.Contains(names, name) {
		hint = fmt.Sprintf(" An address is the name alone: %q.", name)
	}
	for _, p := range sc.Top("provider") {
		if len(p.Labels) == 2 && hint == "" && p.Labels[0] == b.Name() && slices.Contains(names, p.Name()) {
			hint = fmt.Sprintf(" %q is the kind of a provider; its address is its name, %q.", b.Name(), p.Name())
		}
	}
	if _, isTarget := sc.targets[b.Name()]; hint == "" && isTarget {
		hint = fmt.Sprintf(" %q is a target: a script is for a step, and takes target = %q beside its entries.", b.Name(), b.Name())
	}
	if b.Name() == "sut" {
		hint = " What became of the program is read by conditions, such as sut.exit_code == 0."
	}
	if owner, _, dotted := strings.Cut(b.Name(), "."); dotted && sc.services.Actors[owner] != nil {
		hint = fmt.Sprintf(" Did you mean %q?", "actor."+b.Name())
	}
	if asked := sc.askedOf(b.Name()); len(asked) > 0 && hint == "" {
		hint = fmt.Sprintf(" %q is a provider: what is asked of it is %s.", b.Name(), wording.Quoted(asked))
	}
	if b.Type == "expect" && b.Name() == sc.p.Workflow.Name {
		hint = " The result of the workflow is \"run\"."
	}
	if hint == "" && len(names) > 0 && len(names) <= maxListed {
		hint = " The addresses are: " + strings.Join(names, ", ") + "."
	}
	if sc.p.Workflow.Name == "" && sc.p.Barred[plan.Interpreted] != "" {
		sc.Errorf(b.LabelRanges[0], "Unknown address", "No endpoint %q is declared in this file, and the scenario runs no workflow that has such a step.%s", b.Name(), cmp.Or(sc.forgottenRun(b.Name()), hint))
		return
	}
	sc.Errorf(b.LabelRanges[0], "Unknown address", "No step %q is declared %s.%s", b.Name(), sc.within(), hint)
}

// askedOf are the addresses of the endpoints that are declared for a provider, none where it
// is one itself.
func (sc *scenarioCompiler) askedOf(provider string) (asked []string) {
	for _, n := range sc.p.Endpoints {
		ask := func(t *plan.Target) bool { return t.Provider.Name == provider }
		if n.Name != provider && n.Step.Gateway != nil && slices.ContainsFunc(n.Step.Gateway.Targets, ask) {
			asked = append(asked, n.Name)
		}
	}
	slices.Sort(asked)
	return asked
}

// forgottenRun names the workflow to run for a step of that name, "" where there
// is none.
func (sc *scenarioCompiler) forgottenRun(address string) string {
	for _, b := range sc.Top("workflow") {
		if w := sc.workflows[b.Name()]; w != nil && slices.ContainsFunc(w.Nodes(), func(n *plan.Node) bool { return n.Name == address }) {
			return fmt.Sprintf(" Workflow %q has a step %q: did you mean to run it, with run = workflow.%s?", w.Name, address, w.Name)
		}
	}
	return ""
}
