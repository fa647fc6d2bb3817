package explore

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/trace"
)

// promises are what of a world can succeed: its run, unless that does nothing by itself,
// and the blocks of the scenario that have a result.
type promises struct {
	run    bool
	blocks map[string]string // by name, what each is: call, fanout or classify
	// subs are the names of those of a fanout.
	subs map[string][]string
}

// theRun is the promise that the run itself is.
const theRun = "run"

func promisesOf(plan []byte, program bool) *promises {
	var said struct {
		Drivers []struct {
			Name string `json:"name"`
			What string `json:"what"`
			Step struct {
				Fanout struct {
					Subs []struct {
						Name string `json:"name"`
					} `json:"subs"`
				} `json:"fanout"`
			} `json:"step"`
		} `json:"drivers"`
		Workflow struct {
			Steps []json.RawMessage `json:"steps"`
		} `json:"workflow"`
	}
	p := &promises{blocks: map[string]string{}, subs: map[string][]string{}}
	_ = json.Unmarshal(plan, &said) // a plan that cannot be read has no blocks
	for _, d := range said.Drivers {
		if slices.Contains([]string{"call", "fanout", "classify"}, d.What) {
			p.blocks[d.Name] = d.What
			for _, sub := range d.Step.Fanout.Subs {
				p.subs[d.Name] = append(p.subs[d.Name], sub.Name)
			}
		}
	}
	p.run = program || len(p.blocks) == 0 || len(said.Workflow.Steps) > 0
	return p
}

// ended notes how the run ended, or one of the calls of a block. Of several that did
// not succeed it is the first.
func (o *outcome) ended(name, status string) {
	if before, known := o.ends[name]; known && before != statusSuccess {
		return
	}
	if o.ends == nil {
		o.ends = map[string]string{}
	}
	if _, known := o.ends[name]; !known {
		o.promised = append(o.promised, name)
	}
	o.ends[name] = status
}

// statusSuccess is how what does what it promises ends.
const statusSuccess = "success"

// noteEnd notes the end of a step where that is one of a block. A fanout succeeds
// whatever its subs do; where none of them does, neither does it here.
func (o *outcome) noteEnd(e *trace.Event) {
	name, status := e.Step, e.Text("status")
	if name == "" {
		name = e.Call
	}
	if o.promises == nil {
		return
	}
	if fanout, sub, _ := strings.Cut(name, "."); slices.Contains(o.promises.subs[fanout], sub) {
		if o.subs == nil {
			o.subs = map[string]string{}
		}
		if o.subs[fanout] != statusSuccess {
			o.subs[fanout] = status
		}
	}
	if o.promises.blocks[name] == "" {
		return
	}
	if subs := o.subs[name]; subs != "" && status == statusSuccess {
		status = subs
	}
	o.ended(name, status)
}

// keeps reports whether something does what it promises.
func (o *outcome) keeps(name string) bool {
	return o.ends[name] == statusSuccess && (name != theRun || o.promises == nil || o.promises.run)
}

// succeeds reports whether anything does what it promises, so that a fault can matter.
func (o *outcome) succeeds() bool { return slices.ContainsFunc(o.promised, o.keeps) }

// lost is what did not end in success here and did in the run without a fault, with how
// it ended; "" where nothing is lost. The run comes first. Without base everything has
// to succeed.
func (o *outcome) lost(base *outcome) (name, status string) {
	names := o.promised
	if base != nil {
		names = slices.DeleteFunc(slices.Clone(base.promised), func(name string) bool { return !base.keeps(name) })
	}
	for _, name := range slices.Concat([]string{theRun}, names) {
		if name == theRun && !slices.Contains(names, name) {
			continue
		}
		switch status := o.ends[name]; status {
		case statusSuccess, "cancelled":
		case "":
			return name, "unfinished"
		default:
			return name, status
		}
	}
	return "", ""
}

// readingOf is how a condition reads the end of what is promised.
func (p *promises) readingOf(name string) string {
	if name == theRun {
		return "run.status"
	}
	return p.blocks[name] + "." + name + ".status"
}

// expected is the check that a block does what it promises, as a scenario has it.
func (p *promises) expected(name string) string {
	if p.blocks[name] == "fanout" {
		return fmt.Sprintf("assert %q {\n  condition = contains(fanout.%s.subs[*].status, %q)\n}\n", assertOf(name), name, statusSuccess)
	}
	return fmt.Sprintf("expect %q { status = %q }\n", name, statusSuccess)
}

// assertOf is the name of the assertion that expected gives.
func assertOf(name string) string { return "a sub of " + name + " succeeds" }
