package drive

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// Addresses are where a program finds the providers of its scenario, by name.
type Addresses struct {
	// URLs have no slash at the end. DSNs are of databases, and Commands of
	// servers over a pipe.
	URLs, DSNs map[string]string
	Commands   map[string][]string
	// Port is one that a server can have, 0 where none was looked for.
	Port int
}

// A Start is what a program is given.
type Start struct {
	Command []string
	Env     map[string]string
	Stdin   string
}

// Start computes what the scenario's program is given. The error names the
// attribute that has no such value.
func (r *Run) Start(at Addresses) (Start, error) {
	start, err := r.startAt(at)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at, r.given = at, start
	return start, err
}

func (r *Run) startAt(at Addresses) (Start, error) {
	s := r.plan.Sut
	if s == nil {
		return Start{}, nil
	}
	ctx := r.Obs.Static().NewChild()
	ctx.Variables = map[string]cty.Value{"provider": at.value(), "sut": cty.ObjectVal(map[string]cty.Value{"port": read.NumberOrNull(at.Port)})}
	var out Start
	command, err := valueOf(ctx, s.Command, "command")
	if err == nil {
		out.Command, err = texts(command, "command")
	}
	if err != nil {
		return Start{}, err
	}
	env, err := valueOf(ctx, s.Env, "env")
	if err == nil {
		out.Env, err = variables(env)
	}
	if err != nil {
		return Start{}, err
	}
	stdin, err := valueOf(ctx, s.Stdin, "stdin")
	if err == nil && !stdin.IsNull() {
		out.Stdin, err = text(stdin, "stdin")
	}
	return out, err
}

// value is the root provider.
func (a Addresses) value() cty.Value {
	all := map[string]cty.Value{}
	for name, url := range a.URLs {
		all[name] = cty.ObjectVal(map[string]cty.Value{"url": read.Text(url)})
	}
	for name, dsn := range a.DSNs {
		all[name] = cty.ObjectVal(map[string]cty.Value{"dsn": read.Text(dsn)})
	}
	for name, command := range a.Commands {
		list := make([]cty.Value, len(command))
		for i, word := range command {
			list[i] = read.Text(word)
		}
		all[name] = cty.ObjectVal(map[string]cty.Value{"command": cty.TupleVal(list)})
	}
	return cty.ObjectVal(all)
}

// valueOf is an attribute of the program, null where it is not given.
func valueOf(ctx *hcl.EvalContext, e hclsyntax.Expression, name string) (cty.Value, error) {
	if e == nil {
		return read.Null, nil
	}
	v, diags := dsl.Evaluate(e, ctx)
	if diags.HasErrors() {
		return read.Null, fmt.Errorf("the %s of the program cannot be computed: %s", name, plan.FirstError(diags))
	}
	return v, nil
}

func texts(v cty.Value, name string) ([]string, error) {
	if v.IsNull() {
		return nil, nil
	}
	if t := v.Type(); !t.IsTupleType() && !t.IsListType() {
		return nil, fmt.Errorf("the %s of the program is no list", name)
	}
	var list []string
	for _, e := range v.AsValueSlice() {
		word, err := text(e, "an element of "+name)
		if err != nil {
			return nil, err
		}
		list = append(list, word)
	}
	return list, nil
}

func variables(v cty.Value) (map[string]string, error) {
	if v.IsNull() {
		return nil, nil
	}
	if t := v.Type(); !t.IsObjectType() && !t.IsMapType() {
		return nil, fmt.Errorf("the env of the program is no object")
	}
	env := map[string]string{}
	for name, e := range v.AsValueMap() {
		value, err := text(e, "env."+name)
		if err == nil && (name == "" || strings.ContainsAny(name, "=\x00")) {
			err = fmt.Errorf("%q cannot be the name of a variable of the environment", name)
		}
		if err != nil {
			return nil, err
		}
		env[name] = value
	}
	return env, nil
}

// text is a string, number or bool as a program gets it.
func text(v cty.Value, name string) (string, error) {
	if v.IsNull() || !v.IsKnown() || !v.Type().IsPrimitiveType() {
		return "", fmt.Errorf("%s is no string", name)
	}
	s := laneText(v)
	if strings.Contains(s, "\x00") {
		return "", fmt.Errorf("%s has a zero byte, which no program can be given", name)
	}
	return s, nil
}

// Started says that the program runs; port is 0 where it was given none.
func (r *Run) Started(port int) { r.program(&event.SutStart{Port: port}) }

// Ready says that the program can be used.
func (r *Run) Ready() { r.program(&event.SutReady{}) }

// A ProgramEnd is how a program ended.
type ProgramEnd struct {
	// Code is nil where a signal ended it.
	Code           *int
	Signal         string
	Stopped        bool // by the run
	Ran            time.Duration
	Stdout, Stderr string // the last of each
}

// ProgramEnded says how the program ended.
func (r *Run) ProgramEnded(e ProgramEnd) {
	r.program(&event.SutEnd{ExitCode: e.Code, Signal: e.Signal, Stopped: e.Stopped, Ran: e.Ran, Stdout: e.Stdout, Stderr: e.Stderr})
}

// Unusable notes why the program cannot take part. It makes the verdict an error.
func (r *Run) Unusable(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.defect(why, r.ofProgram())
}

// ofProgram is where the file speaks of the program, and the scenario where it
// does not, since a command is enough to start one.
func (r *Run) ofProgram() hcl.Range {
	if r.plan.Sut == nil {
		return r.place()
	}
	return r.plan.Sut.Rng
}

func (r *Run) program(p trace.Payload) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over {
		r.emit(trace.Event{Payload: p})
		r.forget()
	}
}

// Said answers what a program said of itself.
type Said = observe.Said

// A Trouble is what a client sent that was no request.
type Trouble struct {
	Provider string // whose listener it came to, "" for no one's own
	Status   int    // of the answer, 0 for none
	Message  string
	// Warning is what to tell about it at the end, "" for nothing.
	Warning string
}

// Noted writes what was no request into the trace.
func (r *Run) Noted(t Trouble) {
	if t.Warning != "" {
		r.mu.Lock()
		r.warn(t.Warning)
		r.mu.Unlock()
	}
	r.program(&event.Message{Direction: "received", StatusCode: t.Status, Server: t.Provider, Trouble: t.Message})
}

// Listed reports whether a host with its port is the address of a provider.
func (r *Run) Listed(host string) bool {
	return slices.ContainsFunc(r.providers, func(p *provider) bool { return p.At(host) })
}

// Unlisted breaks the gate of a host that is the address of no provider.
func (r *Run) Unlisted(host string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	r.asked++
	scheme := "https" // of a tunnel
	if r.options.Way == plan.Embedded {
		scheme = "http" // of a connection of Go code, over which TLS is not spoken
	}
	l := r.unlisted(scheme, host)
	r.sources.Unanswered(l.message)
	r.gate(l.gate, l.message, r.place())
	r.forget()
}

// Changes has an element when something has happened since the last was taken.
func (r *Run) Changes() <-chan struct{} { return r.changes }

// Until is what the run waits for, as it stands.
func (r *Run) Until() observe.Decision {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.Obs.Decide(r.plan.Sut.Until)
}

// Busy counts the exchanges under way, silences with nothing more to say not
// among them, and says when the last one ended.
func (r *Run) Busy() (n int, last time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range r.open {
		if !x.isOver() {
			n++
		}
	}
	return n, r.lastEnd
}

// NotDone breaks the gate of a run that did not come to its end.
func (r *Run) NotDone(message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gate(plan.GateNotDone, message, r.ofProgram())
}

// Unasked are the providers that the program is meant to ask and that no request was for,
// in the order of the file.
func (r *Run) Unasked() []*plan.Provider {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(r.plan.AskedAt(nil), func(p *plan.Provider) bool { return r.reached[p.Name] })
}

// Asked counts the requests that came, answered by gates or not.
func (r *Run) Asked() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.asked
}
