package compare

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/trace"
)

// A Model is the workflow of a plan, as far as a program can be compared with it.
type Model struct {
	// exact says that the time of the program is, too.
	exact bool
	// scale is by how much the time of the run is faster than that of its machine.
	scale float64
	// chances are the policies of the steps that wait by chance.
	chances map[string]policy.Retry
	// places are where steps are declared.
	places map[string]Place
	// before are, of each step that calls a service, those that must have ended before
	// it begins, in order of declaration.
	before map[string][]string
	// deadlines are those that the plan names.
	deadlines []time.Duration
}

// A Place is where something is declared. File is "" for the file of the plan.
type Place struct {
	File         string
	Line, Column int
}

// New reads a plan in canonical JSON. Exact says that the time of the program costs
// nothing, and is exact to the instant; else it is that of a machine that has other
// things to do. Deadlines are those that the plan names.
func New(plan []byte, exact bool, deadlines []time.Duration) *Model {
	m := &Model{exact: exact, scale: 1, chances: map[string]policy.Retry{}, places: map[string]Place{}, before: map[string][]string{}, deadlines: deadlines}
	var root struct {
		Workflow workflow `json:"workflow"`
		Sut      struct {
			TimeScale float64 `json:"time_scale"`
		} `json:"sut"`
	}
	if json.Unmarshal(plan, &root) == nil {
		m.read("", root.Workflow.Steps, nil)
	}
	m.scale = max(m.scale, root.Sut.TimeScale)
	return m
}

type workflow struct {
	Steps []step `json:"steps"`
}

// A step is what is read of one in a plan.
type step struct {
	Name     string          `json:"name"`
	At       []any           `json:"at"`
	After    []string        `json:"after"`
	Fallback string          `json:"fallback"`
	Gateway  json.RawMessage `json:"gateway"`
	Retry    struct {
		Base       time.Duration `json:"base_ns"`
		FullJitter bool          `json:"full_jitter"`
		Increment  time.Duration `json:"increment_ns"`
		Jitter     float64       `json:"jitter"`
		Linear     bool          `json:"linear"`
		MaxDelay   time.Duration `json:"max_delay_ns"`
		Multiplier float64       `json:"multiplier"`
		Respect    bool          `json:"respect_retry_after"`
		Cap        time.Duration `json:"retry_after_cap_ns"`
		Spread     float64       `json:"retry_after_jitter"`
	} `json:"retry"`
	// Steps are those of a loop, Workflow is what the step runs, and Fanout has its
	// subs.
	Steps    []step   `json:"steps"`
	Workflow workflow `json:"workflow"`
	Fanout   struct {
		Subs []step `json:"subs"`
	} `json:"fanout"`
}

// read notes the steps of one graph, and returns those that call a service: before are
// those that come before all of them.
func (m *Model) read(prefix string, steps []step, before []string) (asks []string) {
	within, known := map[string][]string{}, map[string]*step{}
	for i := range steps {
		known[steps[i].Name] = &steps[i]
	}
	// Every step of a graph comes after those that it depends on, so a second pass
	// knows what is inside all of them.
	for range 2 {
		asks = nil
		for i := range steps {
			s := &steps[i]
			list := slices.Clone(before)
			for _, name := range earlier(s, steps, known) {
				list = appendNew(list, within[name])
			}
			within[s.Name] = m.readStep(prefix+s.Name, s, list)
			asks = appendNew(asks, within[s.Name])
		}
	}
	return asks
}

// earlier are the steps of a graph that have ended when one of them begins: those after
// which it comes, what stands in for them, and the one that it stands in for.
func earlier(s *step, steps []step, known map[string]*step) (names []string) {
	var add func(name string)
	add = func(name string) {
		if slices.Contains(names, name) || name == s.Name || known[name] == nil {
			return
		}
		names = append(names, name)
		for _, after := range known[name].After {
			add(after)
		}
		if f := known[name].Fallback; f != "" && f != s.Name {
			add(f)
		}
	}
	for _, name := range s.After {
		add(name)
	}
	for i := range steps {
		if steps[i].Fallback == s.Name {
			add(steps[i].Name)
		}
	}
	return names
}

// readStep notes one step, and returns the addresses that it, or what it runs, asks.
func (m *Model) readStep(address string, s *step, before []string) []string {
	asks := slices.Concat(
		m.read(address+".", s.Steps, before), m.read(address+".", s.Workflow.Steps, before), m.read(address+".", s.Fanout.Subs, before),
	)
	m.places[address] = placeOf(s.At)
	if len(s.Gateway) == 0 || string(s.Gateway) == "null" {
		return asks
	}
	m.before[address] = before
	if r := s.Retry; r.FullJitter || r.Jitter > 0 || r.Spread > 0 {
		m.chances[address] = policy.Retry{
			Backoff: policy.Backoff{
				Linear: r.Linear, Base: r.Base, Multiplier: r.Multiplier, MaxDelay: r.MaxDelay, Increment: r.Increment, Jitter: r.Jitter, FullJitter: r.FullJitter,
			},
			RespectRetryAfter: r.Respect, RetryAfterCap: r.Cap, RetryAfterJitter: r.Spread,
		}
	}
	return append(asks, address)
}

func appendNew(list, more []string) []string {
	for _, name := range more {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// placeOf reads a place as plans have it.
func placeOf(at []any) (p Place) {
	if len(at) > 1 {
		line, _ := at[0].(float64)
		column, _ := at[1].(float64)
		p.Line, p.Column = int(line), int(column)
	}
	if len(at) > 2 {
		p.File, _ = at[2].(string)
	}
	return p
}

// Place is where a step is declared, the zero Place for one that is not known.
func (m *Model) Place(step string) Place { return m.places[step] }

// slack is how much shorter, and longer, a wait of the model might have been, had its
// jitter been drawn otherwise. The wait that a server asks for bounds it from below.
func (m *Model) slack(step string, wait, failed trace.Event) (shorter, longer time.Duration) {
	r, chance := m.chances[step]
	if !chance {
		return 0, 0
	}
	drawn, _ := wait.Attr("delay_ns").(time.Duration)
	n, _ := wait.Attr("retry").(int)
	low, high := r.Backoff.Range(n)
	if asked, ok := failed.Attr("retry_after_ns").(time.Duration); ok && r.RespectRetryAfter {
		if r.RetryAfterCap > 0 {
			asked = min(asked, r.RetryAfterCap)
		}
		low, high = max(low, asked), max(high, r.Spread(asked, 1))
	}
	return max(0, drawn-low), max(0, high-drawn)
}
