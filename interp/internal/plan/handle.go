package plan

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/trace"
)

// A Handle is a plan as its users hold it: what it says of its scenario, and
// nothing of how it is run. It is immutable and safe for concurrent use.
type Handle struct {
	// File and Line say where the scenario is declared.
	File string
	Line int
	// Name, Description and Tags are as written.
	Name, Description string
	Tags              []string
	// Skip is why the scenario is not run, "" when it is.
	Skip string
	// Seed is where every random draw of a run comes from.
	Seed uint64
	// Snapshots are where the records of its snapshots lie, from the
	// directory of the file, with slashes.
	Snapshots []string
	// Prefix begins the names of the metrics, with its underscore.
	Prefix string

	inside *Plan // nil where no more is known than the above
	// recalled is the header of the trace where no plan is known but its result.
	recalled *trace.Header
}

// Publish hands out a plan.
func Publish(p *Plan) *Handle {
	h := p.Handle
	h.inside = p
	return &h
}

// Inside is the plan of a handle. The packages below interp alone can call it.
func Inside(h *Handle) *Plan {
	if h.inside == nil {
		return &Plan{Handle: *h}
	}
	return h.inside
}

// Stub is what a report, a selection and the header of a trace ask of the
// plan, without what runs it: the plan's file can be let go. It cannot be run.
//
// Ids are the hash of the plan and the id of its run. They cost about as much
// as writing the plan down, so the caller says whether anyone will read them;
// without them the stub's Hash, and both in the headers of its results, are
// empty.
func (h *Handle) Stub(ids bool) *Handle {
	p := Inside(h)
	s := &Plan{Handle: *h, Place: p.Place, Barred: p.Barred}
	s.inside = nil // or the stub would keep what it stands for
	if ids && p.Core != nil {
		core, hash := p.Core(), p.HashOnce()
		s.Core = func() [sha256.Size]byte { return core }
		s.HashOnce = func() string { return hash }
	}
	return Publish(s)
}

// Bare is what the scenario says of itself, and nothing else: less than a stub, for
// suites of a hundred thousand. It has no ids, and is barred from nothing.
func (h *Handle) Bare() *Handle {
	bare := *h
	bare.inside = nil
	return &bare
}

// Hash names everything that can influence the run: equal plans have equal
// hashes. A stub without ids has "".
func (h *Handle) Hash() string { return Inside(h).Hash() }

// JSON is the plan in canonical JSON, without secrets.
func (h *Handle) JSON() []byte { return Inside(h).JSON() }

// RunID names a run of the plan. Equal plans at one place have equal ids.
func (h *Handle) RunID() string { return Inside(h).RunID() }

// Header is the header of the trace of a run of the plan.
func (h *Handle) Header() trace.Header {
	if h.recalled != nil {
		return *h.recalled
	}
	return Inside(h).Header()
}

// CassettePath is the cassette that the scenario names, "" for none.
func (h *Handle) CassettePath() string { return Inside(h).CassettePath() }

// Barred says why the scenario cannot be run in a way, with the command that
// runs it, "" where it can.
func (h *Handle) Barred(w Way) string { return Inside(h).Barred[w] }

// Sensitive are the values that nothing which is shown of the scenario may have:
// those of its sensitive variables and of what it reads from the environment.
func (h *Handle) Sensitive() []string { return Inside(h).Secrets.All() }

// NotRun is why the scenario is not run in a way: the file says so, or it does
// not have that way. It is "" where it is run.
func (h *Handle) NotRun(w Way) string { return cmp.Or(h.Skip, h.Barred(w)) }

// Allows reports whether the scenario may break a gate.
func (h *Handle) Allows(gate string) bool { return Inside(h).Allow[gate] }

// Sut is the program of the scenario, nil where its file names none. It must not
// be changed.
func (h *Handle) Sut() *Sut { return Inside(h).Sut }

// AsksProgram reports whether a condition asks what the program says of itself.
func (h *Handle) AsksProgram() bool { return Inside(h).AsksProgram("sut.") }

// Asked are the providers that a program can ask in the scenario, each once, in
// the order of its endpoints.
func (h *Handle) Asked() []*Provider { return h.AskedAt(nil) }

// AskedAt are those that it can ask at some endpoints, at all where those are nil.
func (h *Handle) AskedAt(endpoints []string) []*Provider { return Inside(h).AskedAt(endpoints) }

// AskedAt are the providers that a program can ask at some endpoints, at all where those
// are nil.
func (p *Plan) AskedAt(endpoints []string) []*Provider {
	var list []*Provider
	for _, n := range p.Endpoints {
		if endpoints != nil && !slices.Contains(endpoints, n.Name) {
			continue
		}
		for _, t := range n.Step.Gateway.Targets {
			if !slices.Contains(list, t.Provider) {
				list = append(list, t.Provider)
			}
		}
	}
	return list
}

// Describes reports whether the workflow of the scenario describes its program: a run of
// it says what that is to do.
func (h *Handle) Describes() bool {
	return slices.ContainsFunc(Inside(h).Endpoints, func(n *Node) bool { return !n.Step.Endpoint.Declared })
}

// EndpointNames are the names of what a program can ask.
func (h *Handle) EndpointNames() []string {
	var names []string
	for _, n := range Inside(h).Endpoints {
		names = append(names, n.Name)
	}
	return names
}

// Answers reports whether the scenario says what its providers answer, in scripts
// or by a recording.
func (h *Handle) Answers() bool {
	p := Inside(h)
	return len(p.Scripts) > 0 || p.Recording != nil
}

// DialSteps are the names of the steps that a live run can dial for.
func (h *Handle) DialSteps() []string { return Inside(h).DialSteps() }

// ProviderKinds names the kinds of the providers that it calls.
func (h *Handle) ProviderKinds() string { return Inside(h).ProviderKinds() }

// StaleCassette warns that the scenario's recording is older than its max_age
// allows, nil where it is not.
func (h *Handle) StaleCassette(now time.Time) *hcl.Diagnostic { return Inside(h).StaleCassette(now) }

// ComputesHeaders reports whether the scenario's file names header fields by an
// expression, so that nobody knows which of them it reads.
func (h *Handle) ComputesHeaders() bool { return Inside(h).ComputesHeaders() }

// WithBench is the plan of a bench with other numbers; what is 0 stays.
func (h *Handle) WithBench(trials, concurrency int) *Handle {
	return Publish(Inside(h).WithBench(trials, concurrency))
}

// WithCases is the plan of a bench with those of its cases that keep wants.
func (h *Handle) WithCases(keep func(id string) bool) *Handle {
	return Publish(Inside(h).WithCases(keep))
}

// BenchSums identify what each case asks and what scores it.
func (h *Handle) BenchSums(sum func(*BenchProgram) string) map[string]bench.Sums {
	return Inside(h).BenchSums(sum)
}

// Bench is what the plan's bench asks for; ok is false for a plan without one.
func (h *Handle) Bench() (spec bench.Spec, ok bool) { return Inside(h).Bench() }

// BenchCases are the ids of the cases of the plan's bench, sorted.
func (h *Handle) BenchCases() []string { return Inside(h).BenchCases() }

// StoodIn says of the plan's bench which of its parts every case has a result in the place of: the workflow, and the
// conditions of the rubric.
func (h *Handle) StoodIn() (name, workflow string, rubric bool) { return Inside(h).StoodIn() }

// Unscorable says why a plan of Suite.Benches cannot be run, "" where it can.
func (h *Handle) Unscorable() string { return Inside(h).Unscorable() }

// BenchPrograms are the programs that the plan's bench starts, those of every
// case in turn.
func (h *Handle) BenchPrograms() []*BenchProgram { return Inside(h).BenchPrograms() }

// BenchFiles are the files that the cases of the plan's bench were read from.
func (h *Handle) BenchFiles() []string { return Inside(h).BenchFiles() }

// BenchCommands are the programs that the plan's bench would start, each once,
// in the order in which the cases ask for them.
func (h *Handle) BenchCommands() []BenchCommand { return Inside(h).BenchCommands() }
