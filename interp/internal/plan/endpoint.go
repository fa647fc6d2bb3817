package plan

import (
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// A Way is how a scenario meets the code under test.
type Way string

// The ways.
const (
	// Interpreted runs the workflow of the file on a virtual clock.
	Interpreted Way = "test"
	// Exec starts a program, which asks over sockets.
	Exec Way = "exec"
	// Serve answers whoever asks over sockets, and starts nothing.
	Serve Way = "serve"
	// Embedded answers the Go code of a test.
	Embedded Way = "go"
)

// Driven reports whether the calls come from a program and not from a workflow.
func (w Way) Driven() bool { return w != Interpreted && w != "" }

// Ways are all of them, in the order of the reference.
func Ways() []Way { return []Way{Interpreted, Exec, Serve, Embedded} }

// An Endpoint is what makes a step a call of a program under test: which
// requests are its own, and how they are told apart. In a driven run every node
// of Plan.Endpoints has one; elsewhere it has no effect.
type Endpoint struct {
	// Match is what a request must have, empty for any request of the provider.
	Match Match
	// Lane is an expression over request, nil where all requests are in one lane.
	Lane hclsyntax.Expression
	// ByArrival says that requests which overlap in a lane take entries in the
	// order of their arrival.
	ByArrival bool
	// Declared says that an endpoint block declares it, or that it stands for a
	// provider that nothing else names. The others are steps of the workflow that
	// describes the program.
	Declared bool
	Rng      hcl.Range
}

// A Match is what a request must have, all of it.
type Match struct {
	// Leaves are sorted by their path.
	Leaves []Leaf
	// Condition is an expression over request, nil for none.
	Condition hclsyntax.Expression
	Rng       hcl.Range
}

// Empty reports whether every request fits.
func (m *Match) Empty() bool { return len(m.Leaves) == 0 && m.Condition == nil }

// A Leaf is one value that a request must have.
type Leaf struct {
	// Path leads to it: "method", or "json", "messages", "0", "role". Names of
	// header fields are in lower case.
	Path []string
	// Want is a string, a number, a bool or null.
	Want cty.Value
	// Pattern says that Want is a string in which * is any run of characters.
	Pattern bool
}

// Unseen says which part of a check a way of running does not observe.
type Unseen struct {
	// Interpreted, Driven and Unstarted name it as the check writes it, such as
	// breaker.primary; "" where everything is observed. Unstarted is for driven
	// runs that start no program.
	Interpreted, Driven, Unstarted string
	// Unconnected is for Go tests: what their code asks over a transport comes over
	// no connection.
	Unconnected string
	// Said is what is in no trace: it is observed while the program is there, and by
	// nobody who judges the run by its trace.
	Said string
}

// In is the part that a way does not observe, "" for none.
func (u Unseen) In(w Way) string {
	switch {
	case !w.Driven():
		return u.Interpreted
	case u.Driven != "":
		return u.Driven
	case w != Exec && u.Unstarted != "":
		return u.Unstarted
	case w == Embedded:
		return u.Unconnected
	}
	return ""
}

// A Sut is the system under test of a scenario: a program that is started.
type Sut struct {
	// Command, Env and Stdin are expressions over provider and sut.port, nil
	// where they are not given.
	Command, Env, Stdin hclsyntax.Expression
	Dir                 string
	// Timeout limits the whole run, and TimeoutScaled says by which clock: that of
	// the run, where the file gives the limit beside a scale, else the real one.
	Timeout       time.Duration
	TimeoutScaled bool
	// TimeScale divides every duration that goes over the wire.
	TimeScale float64
	// Serves is the provider that the program is, nil for a client.
	Serves *Provider
	Ready  *Ready
	// Until is the condition at which the run ends, nil for none.
	Until       *Invariant
	Settle      time.Duration
	StopTimeout time.Duration
	AllowHosts  []string
	// Telemetry says that the program is told to export what it says of itself, and
	// Metrics is the path of its page of metrics, "" for none.
	Telemetry bool
	Metrics   string
	Rng       hcl.Range
}

// Limit is the real time that a run may take whose clock goes scale times as fast
// as the real one.
func (s *Sut) Limit(scale float64) time.Duration {
	if !s.TimeoutScaled {
		return s.Timeout
	}
	return time.Duration(float64(s.Timeout) / scale)
}

// Serving is the provider that the program is, nil for a client and for none.
func (s *Sut) Serving() *Provider {
	if s == nil {
		return nil
	}
	return s.Serves
}

// Program is the first word of the command where it is written out, and where
// that is; "" where it is computed or not given.
func (s *Sut) Program() (string, hcl.Range) {
	list, ok := s.Command.(*hclsyntax.TupleConsExpr)
	if !ok || len(list.Exprs) == 0 {
		return "", hcl.Range{}
	}
	v, diags := dsl.Evaluate(list.Exprs[0], nil)
	if diags.HasErrors() || v.IsNull() || v.Type() != cty.String {
		return "", hcl.Range{}
	}
	return v.AsString(), list.Exprs[0].Range()
}

// Words are those words of the command that are written out.
func (s *Sut) Words() (words []string) {
	list, ok := s.Command.(*hclsyntax.TupleConsExpr)
	if !ok {
		return nil
	}
	for _, e := range list.Exprs {
		if v, diags := dsl.Evaluate(e, nil); !diags.HasErrors() && !v.IsNull() && v.Type() == cty.String {
			words = append(words, v.AsString())
		}
	}
	return words
}

// Ready is how a program is known to be ready.
type Ready struct {
	Path    string
	Status  int // 0 for 200 to 399
	Log     string
	Timeout time.Duration
}
