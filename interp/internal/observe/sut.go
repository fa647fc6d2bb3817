package observe

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/trace"
)

// A SutResult is what became of the program under test.
type SutResult struct {
	ExitCode       *int   // nil while there is none
	Signal         string // that ended it, "" for none
	Stdout, Stderr string // the last of each
	Ready, Elapsed *time.Duration
	Refused        []RefusedHost
	Port           int // 0 for none
	Stopped        bool
	Said           Said // nil where it is not asked
	started        time.Duration
}

// apply folds an event of the program.
func (s *SutResult) apply(e *trace.Event) {
	switch p := e.Payload.(type) {
	case *event.SutStart:
		s.started, s.Port = e.At, p.Port
	case *event.SutReady:
		ready := e.At - s.started
		s.Ready = &ready
	case *event.SutHost:
		i := slices.IndexFunc(s.Refused, func(h RefusedHost) bool { return h.Host == p.Host })
		if i < 0 {
			i = len(s.Refused)
			s.Refused = append(s.Refused, RefusedHost{Host: p.Host})
		}
		s.Refused[i].Count++
	case *event.SutEnd:
		s.ExitCode, s.Signal, s.Stopped, s.Stdout, s.Stderr, s.Elapsed = p.ExitCode, p.Signal, p.Stopped, p.Stdout, p.Stderr, &p.Ran
	}
}

// series are those of all metrics that the program said anything of.
func (s *SutResult) series() []map[string]any {
	if s.Said == nil {
		return nil
	}
	list, err := s.Said.Metrics("")
	if err != nil {
		return nil // never: only a name can be unknown
	}
	all := make([]map[string]any, len(list))
	for i := range list {
		all[i], _ = list[i].(map[string]any)
	}
	return all
}

// End is how the program ended, nil where none did, without what it said.
func (s *SutResult) End() *plan.ProgramEnd {
	if s.Elapsed == nil {
		return nil
	}
	return &plan.ProgramEnd{ExitCode: s.ExitCode, Signal: s.Signal, Stopped: s.Stopped}
}

// LastWords is how the program ended, with what it said last. All that it said is
// hidden before that is cut: half a secret is none that anybody knows.
func (s *SutResult) LastWords(hide func(string) string) *plan.ProgramEnd {
	e := s.End()
	if e == nil {
		return nil
	}
	for _, stream := range []struct{ name, text string }{{"standard error", s.Stderr}, {"standard output", s.Stdout}} {
		if text := strings.TrimRight(hide(stream.text), "\r\n"); text != "" {
			lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
			e.Stream = stream.name
			for _, line := range lines[max(0, len(lines)-said):] {
				e.Said = append(e.Said, beginning(line))
			}
			break
		}
	}
	return e
}

// said is how many lines of what a program wrote are shown, and longest how many
// characters of each.
const said, longest = 20, 1000

// beginning is a line, or its beginning with how much is missing.
func beginning(line string) string {
	if utf8.RuneCountInString(line) <= longest {
		return line
	}
	runes := []rune(line)
	return fmt.Sprintf("%s… %d more characters", string(runes[:longest]), len(runes)-longest)
}

// A RefusedHost is a host that the program called and that is no provider's.
type RefusedHost struct {
	Host  string
	Count int
}

// SutFields are what conditions read of the program under test.
var SutFields = []read.Field[SutResult]{
	{Name: "exit_code", Shape: read.Nullable(read.Between(0, 255)), Doc: "The status that it ended with; null while it has none.", Value: func(s *SutResult) cty.Value {
		if s.ExitCode == nil {
			return read.Null
		}
		return read.Number(*s.ExitCode)
	}},
	{Name: "signal", Shape: read.Nullable(read.TextShape), Doc: "The signal that ended it, null for none.", Value: func(s *SutResult) cty.Value { return read.TextOrNull(s.Signal) }},
	{Name: "stdout", Shape: read.TextShape, Doc: "What it wrote to standard output, the last MiB.", Value: func(s *SutResult) cty.Value { return read.Text(s.Stdout) }},
	{Name: "stderr", Shape: read.TextShape, Doc: "What it wrote to standard error, the last MiB.", Value: func(s *SutResult) cty.Value { return read.Text(s.Stderr) }},
	{Name: "ready_ms", Shape: read.Nullable(read.NumberShape), Doc: "How long it took until it was ready.", Value: func(s *SutResult) cty.Value { return millisOrNull(s.Ready) }},
	{Name: "elapsed_ms", Shape: read.Nullable(read.NumberShape), Doc: "How long it ran.", Value: func(s *SutResult) cty.Value { return millisOrNull(s.Elapsed) }},
	{Name: "refused_hosts", Shape: read.TupleOf(read.ShapeOf("host", RefusedHostFields)), Doc: "Hosts of no provider that it called.", Nested: func(s *SutResult, need *read.Needs) cty.Value {
		return read.Elements(s.Refused, need, func(h RefusedHost, part *read.Needs) cty.Value { return read.Object(RefusedHostFields, &h, part) })
	}},
	{Name: "metrics", Shape: read.TupleOf(saidSeries()), Doc: "The series of all metrics that it exported or has on its page; [] while there are none.", Nested: func(s *SutResult, need *read.Needs) cty.Value {
		return read.Elements(s.series(), need, func(o map[string]any, part *read.Needs) cty.Value { return read.Object(SaidSeriesFields, &o, part) })
	}},
	{Name: "port", Shape: read.Nullable(read.NumberShape), Doc: "The port that a server was given.", Value: func(s *SutResult) cty.Value { return read.NumberOrNull(s.Port) }},
}

// RefusedHostFields are those of an element of sut.refused_hosts.
var RefusedHostFields = []read.Field[RefusedHost]{
	{Name: "host", Shape: read.TextShape, Doc: "The host with its port.", Value: func(h *RefusedHost) cty.Value { return read.Text(h.Host) }},
	{Name: "count", Shape: read.NumberShape, Doc: "How often.", Value: func(h *RefusedHost) cty.Value { return read.Number(h.Count) }},
}

// SutShape is the shape of the root sut where the run is judged, and SutInTrace
// where a condition is evaluated over the trace alone.
var SutShape, SutInTrace = func() (judged, traced *schema.Shape) {
	judged = read.ShapeOf("program", SutFields)
	judged.Never = map[string]string{
		"metric": `sut.metric is called, with the name of a metric: sut.metric("NAME").`,
		"spans":  `sut.spans is called, with what the spans have: sut.spans({ name = "NAME" }).`,
		"logs":   `sut.logs is called, with what the records have: sut.logs({ severity = "warn" }).`,
	}
	other := *judged
	other.Attrs, other.Never = maps.Clone(judged.Attrs), map[string]string{}
	delete(other.Attrs, "metrics")
	for _, name := range []string{"metric", "metrics", "spans", "logs"} {
		other.Never[name] = "What a program says of itself has no place in its trace: it is read in the condition of an assert block, in a snapshot, and in until of the sut."
	}
	return judged, &other
}()

func millisOrNull(d *time.Duration) cty.Value {
	if d == nil {
		return read.Null
	}
	return read.Millis(*d)
}
