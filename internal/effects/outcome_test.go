package effects

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/stdlib"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// An outcome is what shows of a file, by where it shows: the sequence of the
// values of an attribute of all events of a type, a verdict, a report. A file
// that is refused has its errors alone.
type outcome struct {
	errors []string // summaries
	detail string
	warned []string // summaries
	shown  map[string]string
	// plans are the hashes of what was run.
	plans []string
	// started are the programs that a bench started, from several goroutines at
	// once and in no order.
	mu      sync.Mutex
	started []string
}

// run compiles a file of a world and runs what it declares.
func (w *world) run(source string) *outcome {
	o := &outcome{shown: map[string]string{}}
	suite, diags := w.compile(source)
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			o.errors = append(o.errors, d.Summary)
			o.detail += fmt.Sprintf("%s: %s\n", d.Summary, d.Detail)
		} else {
			o.add("warnings", d.Summary, d.Detail)
			o.warned = append(o.warned, d.Summary)
		}
	}
	if o.errors != nil {
		return o
	}
	for _, p := range suite.Plans {
		o.plans = append(o.plans, p.Hash())
		if strings.HasPrefix(w.name, "live") {
			o.live(p)
		} else {
			o.result(interp.Run(p, interp.RunOptions{}))
		}
	}
	if len(suite.Plans) == 0 {
		for _, p := range suite.Benches {
			o.bench(p)
		}
	}
	return o
}

func (w *world) compile(source string) (*interp.Suite, hcl.Diagnostics) {
	file, diags := dsl.Parse(w.name+worldSuffix, []byte(source))
	if diags.HasErrors() {
		return nil, append(diags, interp.Independent(file, diags)...)
	}
	file, diags = dsl.Link(file, func(_, written string) (string, []byte, error) {
		src, err := w.file(written)
		return written, src, err
	})
	if diags.HasErrors() {
		return nil, diags
	}
	beside := fstest.MapFS{}
	for name, data := range w.files {
		beside[name] = &fstest.MapFile{Data: data}
	}
	suite, more := interp.Compile(file, interp.Options{
		Vars:  map[string]string{"given": "7"},
		Files: stdlib.Files{FS: beside, Dir: "."},
		Env:   environment,
		LoadCassette: func(name string) (*cassette.Cassette, error) {
			data, err := w.file(name)
			if err != nil {
				return nil, err
			}
			return cassette.Parse(name, data)
		},
		ReadSnapshot: w.file,
	})
	return suite, append(diags, more...)
}

func (w *world) file(name string) ([]byte, error) {
	if data, ok := w.files[strings.TrimPrefix(name, "./")]; ok {
		return data, nil
	}
	return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
}

func environment(name string) (string, bool) { return "value of " + name, true }

// add notes that something showed, after what showed there before.
func (o *outcome) add(where string, what ...any) {
	o.shown[where] += fmt.Sprintln(what...)
}

// result notes what shows of a run: nothing of it says where in the file
// something stands, or what the plan's hash is.
func (o *outcome) result(r *interp.Result) {
	o.add("verdict", r.Verdict)
	o.add("checks", r.Checks)
	for _, p := range slices.Concat(r.Problems, r.Relaxed) {
		o.add("problems", p.Kind, p.Name, p.Message, p.Operands, p.Diff)
	}
	for i := range r.Events {
		o.event(&r.Events[i])
	}
	if r.Bench != nil {
		text, err := json.Marshal(r.Bench)
		o.add("bench", string(text), err)
	}
	for _, m := range telemetry.Metrics(r.Events, r.Plan.Prefix) {
		o.add("metrics", m.Name)
	}
	o.add("tags", r.Plan.Tags)
	if !strings.HasPrefix(r.Plan.File, "report") {
		return // it costs more than the run
	}
	var page bytes.Buffer
	reporter := report.HTML(&page, report.Options{})
	if err := errors.Join(reporter.Add(report.Entry{Result: r, Reason: r.Plan.Skip}), reporter.Close(report.Summary{})); err != nil {
		o.add("report.html", err)
	}
	o.add("report.html", page.String())
}

func (o *outcome) event(e *trace.Event) {
	at := string(e.Type)
	for key, value := range map[string]any{"at": e.At, "step": e.Step, "call": e.Call, "actor": e.Actor, "attempt": e.Attempt, "round": e.Round, "turn": e.Turn, "iteration": e.Iteration, "target": e.Target} {
		o.add(at+"."+key, e.Step, e.Call, value)
	}
	for _, a := range e.Attrs() {
		if a.Key == "run_id" || a.Key == "line" || a.Key == "range" {
			continue // they change with the file, whatever that means
		}
		one := trace.Event{Payload: trace.Attrs{a}}
		o.add(at+"."+a.Key, e.Step, e.Call, string(one.AppendJSON(nil)))
	}
}

// live runs a plan against a service that answers everything alike.
func (o *outcome) live(p *interp.Plan) {
	o.result(interp.RunLive(p, interp.RunOptions{}, interp.Live{
		Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			o.add("dialled", r.URL, r.Header)
			return answer(r, http.StatusOK, `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`), nil
		}),
		Pipe: func(command []string) interp.Pipe {
			o.add("started", command)
			return pipe{}
		},
		Env: environment,
	}))
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func answer(r *http.Request, status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}
}

// A pipe is a program that ends at once.
type pipe struct{}

func (pipe) RoundTrip(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }
func (pipe) Close() error                                    { return nil }

// bench runs a bench whose programs answer and score by what they are given.
func (o *outcome) bench(p *interp.Plan) {
	result := interp.RunBench(p, interp.RunOptions{}, interp.BenchHost{
		// Every trial that must not run twice has begun before.
		Lost: func(string, int, string) (bool, error) { return true, nil },
		Exec: func(_ context.Context, p interp.Program) interp.Exit {
			o.mu.Lock()
			o.started = append(o.started, fmt.Sprintln(p.Command, p.Env, p.Pass, p.DependsOn, string(p.Stdin)))
			o.mu.Unlock()
			if p.Rubric {
				return interp.Exit{Stdout: fmt.Appendf(nil, `{"passed": true, "score": %f}`, 1/float64(1+bytes.IndexAny(p.Stdin, "xyz")%5))}
			}
			return interp.Exit{Stdout: []byte(`{"answer": 42}`)}
		},
	})
	slices.Sort(o.started)
	for _, one := range o.started {
		o.add("started", one)
	}
	o.result(result)
}

// differences lists where two outcomes differ, sorted.
func differences(a, b *outcome) []string {
	var list []string
	for where, text := range a.shown {
		if b.shown[where] != text {
			list = append(list, where)
		}
	}
	for where := range b.shown {
		if _, ok := a.shown[where]; !ok {
			list = append(list, where)
		}
	}
	slices.Sort(list)
	return list
}
