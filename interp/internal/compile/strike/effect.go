package strike

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/faults/lie"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
)

// WithoutEffect refuses what the kind of a fault makes meaningless: a wait
// before what never ends, and an answer that nothing looks at. What such an
// attempt costs can still be said.
func WithoutEffect(r dsl.Reader, k *faults.Kind, args schema.Values) {
	if k.Endless && r.Has("after") {
		r.Errorf("after", "Attribute that means nothing here", "The fault %q never ends, whenever it begins. For silence that ends after a time write fault \"timeout\" { after = … }.", k.Name)
	}
	succeeds(r, args)
	reply := r.Block.First("reply")
	if reply == nil || k.Answerless == nil || !k.Answerless(args) {
		return
	}
	rng := reply.DefRange
	for _, a := range reply.Attrs {
		if a.Name != "cost_usd" {
			rng = a.NameRange
		}
	}
	if rng != reply.DefRange || len(reply.Attrs) == 0 {
		at{r}.errorf(rng, "Answer that nothing disturbs", "The fault %q stands in the place of the answer here, so nobody would see this one. Put the reply behind the fault, as the next entry of the script, or leave it out.", k.Name)
	}
}

const summarySuccess = "Fault that is a success"

// succeeds warns of an error that is a success by its status. One with a body of its own is
// meant: it is what an answer that is no error says.
func succeeds(r dsl.Reader, args schema.Values) {
	status, given := args["status_code"].(int)
	if !given || status >= 300 || r.Has("body") || r.Has("json") {
		return
	}
	rng := r.Range("status_code")
	*r.Diags = append(*r.Diags, &hcl.Diagnostic{
		Severity: hcl.DiagWarning, Summary: summarySuccess, Subject: &rng,
		Detail: fmt.Sprintf("A client takes a status of %d for a success. An error has a status from 400 to 599; one inside of an answer with status 200 is the fault error_in_200. If the scenario means this status, give the fault a body.", status),
	})
}

// at complains about a block.
type at struct{ dsl.Reader }

func (r at) errorf(rng hcl.Range, summary, format string, args ...any) {
	*r.Diags = append(*r.Diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &rng})
}

// Acts refuses a fault with a reply that it cannot change, and arguments with which it
// would change no answer. The adapter is that of the provider, nil for an outage.
func Acts(r dsl.Reader, k *faults.Kind, args schema.Values, reply *providers.Output, adapter providers.Adapter) {
	if k.Acts == nil {
		return
	}
	example := `{"items":[{"id":7,"name":"Ann Lee","total":12.5}]}`
	out := providers.Output{Content: example}
	if reply != nil {
		out = *reply
	}
	vendor := providers.Vendor{Adapter: adapter}
	unknown := false
	err := vendor.Retold(&out, func(c *lie.Content) error {
		unknown = len(c.Arguments) == 0 && k.NeedsArguments
		return k.Acts(args, c)
	})
	switch {
	case err == nil:
	case !lie.IsPowerless(err):
		at{r}.errorf(r.Block.DefRange, "Fault that changes nothing", "The fault %q: %s.", k.Name, err)
	case reply != nil && !unknown:
		at{r}.errorf(r.Block.First("reply").DefRange, "Fault that changes nothing", "The fault %q cannot change this reply: %s. Give it a reply on which it can act.", k.Name, err)
	}
}
