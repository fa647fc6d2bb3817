package help

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/trace"
)

// An Observation is what becomes of a fault: what its caller observes, and what
// a program does about it that has a retry policy and asks for what may be asked
// for twice.
type Observation struct {
	// Arguments are those of the fault that are not the usual ones, as they are
	// written.
	Arguments string
	// Where lists the places where this is so, in the words of [faults.Kind.For],
	// and is empty for all where the fault means something.
	Where []string
	// Failure is the kind of failure with its cause, "" where there is none: the
	// caller succeeds.
	Failure string
	// Mode is its mode in the default taxonomy.
	Mode string
	// Retried says that the policy tries again.
	Retried bool

	// status is how the call ended.
	status string
}

// Observations runs a fault at every place where it is valid, with the arguments
// that programs tell apart.
func Observations(k *faults.Kind) []Observation {
	var list []Observation
	var everywhere []string
	for i, args := range variants(k) {
		for _, w := range worlds() {
			o, ok := w.observe(k, args)
			if !ok {
				continue
			}
			if i == 0 {
				everywhere = append(everywhere, w.where)
			}
			same := slices.IndexFunc(list, func(p Observation) bool {
				return p.Arguments == o.Arguments && p.Failure == o.Failure && p.Mode == o.Mode && p.Retried == o.Retried
			})
			if same < 0 {
				list = append(list, o)
				continue
			}
			list[same].Where = append(list[same].Where, w.where)
		}
	}
	list = condensed(list)
	for i := range list {
		list[i].generalise(everywhere)
	}
	return list
}

// generalise leaves out places that need not be said: all of them, or streams
// beside what is no stream.
func (o *Observation) generalise(everywhere []string) {
	if len(o.Where) == len(everywhere) {
		o.Where = nil
	}
	o.Where = slices.DeleteFunc(o.Where, func(where string) bool {
		family, stream := strings.CutSuffix(where, " stream")
		return stream && slices.Contains(o.Where, family)
	})
}

// When says where this is so, and with which arguments; "" is always.
func (o *Observation) When() string {
	var parts []string
	if len(o.Where) > 0 {
		parts = append(parts, strings.Join(o.Where, ", "))
	}
	if o.Arguments != "" {
		parts = append(parts, "with "+o.Arguments)
	}
	return strings.Join(parts, ", ")
}

// variants are the arguments of a kind that a search tries, the usual ones first.
func variants(k *faults.Kind) []schema.Values {
	list := []schema.Values{k.Usual()}
	for _, t := range faults.Trials(faults.Figures{RetryAfters: []int{30}}) {
		if t.Kind == k && len(k.Given(t.Args)) > 0 {
			list = append(list, t.Args)
		}
	}
	return list
}

// condensed leaves out variants that come to what the usual arguments do.
func condensed(list []Observation) []Observation {
	var out []Observation
	for _, o := range list {
		known := slices.ContainsFunc(out, func(p Observation) bool {
			return p.Failure == o.Failure && p.Mode == o.Mode && p.Retried == o.Retried && len(without(o.Where, p.Where)) == 0
		})
		if !known {
			out = append(out, o)
		}
	}
	return out
}

func without(list, known []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(known, s) })
}

// observe runs the world once, with the fault at its first point.
func (w *world) observe(k *faults.Kind, args schema.Values) (Observation, bool) {
	if k.Lies {
		return w.scripted(k, args)
	}
	result := interp.Run(w.plan, interp.RunOptions{Inject: func(at interp.Point) *interp.Injection {
		if at.N != 1 || !at.Meets(k) || w.actor && at.Part() != w.where {
			return nil
		}
		return &interp.Injection{Fault: k, Args: args}
	}})
	if result.Injected.Strikes == 0 || result.Injected.Unfit != "" {
		return Observation{}, false
	}
	o := Observation{Arguments: told(k, args), Where: []string{w.where}}
	o.read(result.Events, w.actor)
	return o, true
}

// scripted runs the world with the fault in its script and an example of an answer: what
// is answered in this world has neither records nor an answer before.
func (w *world) scripted(k *faults.Kind, args schema.Values) (Observation, bool) {
	if w.actor {
		return Observation{}, false
	}
	plan, ok := compiled(w.scenario("observed", fmt.Sprintf("fault %q {\n%s\n}", k.Name, strings.ReplaceAll(told(k, args), ", ", "\n")), laxly))
	if !ok {
		return Observation{}, false
	}
	o := Observation{Arguments: told(k, args), Where: []string{w.where}}
	o.read(interp.Run(plan, interp.RunOptions{}).Events, w.actor)
	return o, true
}

// laxly lets a scenario pass that is run to be looked at.
const laxly = `allow = ["no_assertion", "unexpected_failure", "unused_reply", "unfired_fault"]` + "\n"

// compiled is the one plan of a file, false for one that is not valid.
func compiled(source string) (*interp.Plan, bool) {
	file, diags := dsl.Parse("help.scenario.hcl", []byte(source))
	if diags.HasErrors() {
		return nil, false
	}
	suite, diags := interp.Compile(file, interp.Options{})
	if diags.HasErrors() || len(suite.Plans) != 1 {
		return nil, false
	}
	return suite.Plans[0], true
}

// read finds the first failure in a trace, and whether the step tried again. A
// call of an actor has no policy: of that it says whether one might.
func (o *Observation) read(events []trace.Event, actor bool) {
	for i := range events {
		e := &events[i]
		switch e.Type {
		case trace.RetryWait:
			o.Retried = true
		case trace.StepEnd:
			o.status = e.Text("status")
		}
		kind := e.Text("kind")
		if kind == "" || e.Text("mode") == "" || o.Failure != "" {
			continue
		}
		o.Failure, o.Mode = kind, e.Text("mode")
		if kind == string(failure.Connection) {
			o.Failure += " (" + e.Text("cause") + ")"
		}
		if actor {
			o.Retried, _ = e.Attr("retryable").(bool)
		}
	}
}

// told are the arguments of a kind that are not the usual ones.
func told(k *faults.Kind, args schema.Values) string {
	given := k.Given(args)
	var list []string
	for i := range k.Attrs {
		if v, ok := given[k.Attrs[i].Name]; ok {
			list = append(list, written(k.Attrs[i].Name, v))
		}
	}
	return strings.Join(list, ", ")
}

func written(name string, v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%s = %q", name, v)
	case map[string]string: // header fields
		var list []string
		for _, field := range slices.Sorted(maps.Keys(v)) {
			list = append(list, field+": "+v[field])
		}
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s = %v", name, v)
}
