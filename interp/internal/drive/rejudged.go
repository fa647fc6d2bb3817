package drive

import (
	"maps"
	"net/url"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/drive/circumstance"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// An output is what a program writes.
type output struct{ stdout, stderr string }

// rejudged is what conditions read of a run, for asking whether they would hold if the program had
// written something else.
type rejudged struct{ ctx *hcl.EvalContext }

// rejudges reports whether some check reads what the program wrote, and how to ask what else it holds of.
func (r *Run) rejudges() (j rejudged, reads bool) {
	sut := r.plan.Needs.Of("sut")
	if r.plan.Sut.Serving() != nil || sut.Of("stdout") == nil && sut.Of("stderr") == nil {
		return rejudged{}, false
	}
	return rejudged{r.Obs.ObservedContext(r.plan.Needs, nil)}, true
}

// holds reports whether a condition holds of another output, and false where it cannot be evaluated.
func (j rejudged) holds(e hclsyntax.Expression, o output) bool {
	sut := maps.Clone(j.ctx.Variables["sut"].AsValueMap())
	for name, text := range map[string]string{"stdout": o.stdout, "stderr": o.stderr} {
		if _, reads := sut[name]; reads {
			sut[name] = read.Text(text)
		}
	}
	inner := j.ctx.NewChild()
	inner.Variables = map[string]cty.Value{"sut": cty.ObjectVal(sut)}
	v, diags := dsl.Evaluate(e, inner)
	return !diags.HasErrors() && plan.IsTrue(v)
}

// Written says of a check that looks for something in what the program wrote that it holds whatever the program
// makes of what it is answered; see [circumstance.Early] and [circumstance.AsItCame]. "" for none.
func (r *Run) Written(came circumstance.Came) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	j, reads := r.rejudges()
	if !reads {
		return ""
	}
	holds := func(e hclsyntax.Expression, o circumstance.Output) bool {
		return j.holds(e, output{o.Stdout, o.Stderr})
	}
	if why := circumstance.Early(r.plan, r.Obs, came, r.answers(), holds); why != "" {
		return why
	}
	return circumstance.AsItCame(r.plan, r.Obs, holds)
}

// Unseen are the reasons why no check can tell the program from a worse one: when things came is in no result, and
// neither is what goes to the program's own machine; see [circumstance.Collected], [circumstance.Withheld] and
// [circumstance.Loopback]. The command is what was started, and files are those that it names.
func (r *Run) Unseen(came circumstance.Came, command []string, files func() []string) (list []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.plan.Sut == nil {
		return nil
	}
	given := func() []string {
		texts := append(slices.Clone(command[min(1, len(command)):]), r.given.Stdin)
		for _, name := range read.SortedNames(r.given.Env) {
			if !circumstance.OwnPlace(name) {
				texts = append(texts, r.given.Env[name])
			}
		}
		return append(texts, files()...)
	}
	ours := map[string]bool{strconv.Itoa(r.at.Port): true}
	for _, at := range []map[string]string{r.at.URLs, r.at.DSNs} {
		for _, name := range read.SortedNames(at) {
			if u, err := url.Parse(at[name]); err == nil {
				ours[u.Port()] = true
			}
		}
	}
	delete(ours, "")
	for _, why := range []string{circumstance.Collected(r.plan, r.Obs, came), circumstance.Withheld(r.plan, r.Obs, came), circumstance.Loopback(r.plan, r.Obs, given, ours)} {
		if why != "" {
			list = append(list, why)
		}
	}
	return list
}
