package observe

import (
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A SutResult is what became of the program under test.
type SutResult struct {
	ExitCode       *int   // nil while there is none
	Signal         string // that ended it, "" for none
	Stdout, Stderr string // the last of each
	Ready, Elapsed *time.Duration
	Refused        []RefusedHost
	Port           int // 0 for none
}

// A RefusedHost is a host that the program called and that is no provider's.
type RefusedHost struct {
	Host  string
	Count int
}

// SutFields are what conditions read of the program under test.
var SutFields = []read.Field[SutResult]{
	read.Attr("exit_code", read.Nullable(read.NumberShape), "The status that it ended with; null while it has none.", func(s *SutResult) cty.Value {
		if s.ExitCode == nil {
			return read.Null
		}
		return read.Number(*s.ExitCode)
	}),
	read.Attr("signal", read.Nullable(read.TextShape), "The signal that ended it, null for none.", func(s *SutResult) cty.Value { return read.TextOrNull(s.Signal) }),
	read.Attr("stdout", read.TextShape, "What it wrote to standard output, the last MiB.", func(s *SutResult) cty.Value { return read.Text(s.Stdout) }),
	read.Attr("stderr", read.TextShape, "What it wrote to standard error, the last MiB.", func(s *SutResult) cty.Value { return read.Text(s.Stderr) }),
	read.Attr("ready_ms", read.Nullable(read.NumberShape), "How long it took until it was ready.", func(s *SutResult) cty.Value { return millisOrNull(s.Ready) }),
	read.Attr("elapsed_ms", read.Nullable(read.NumberShape), "How long it ran.", func(s *SutResult) cty.Value { return millisOrNull(s.Elapsed) }),
	read.Part("refused_hosts", read.TupleOf(read.ShapeOf("host", RefusedHostFields)), "Hosts of no provider that it called.", func(s *SutResult, need *read.Needs) cty.Value {
		return read.Elements(s.Refused, need, func(h RefusedHost, part *read.Needs) cty.Value { return read.Object(RefusedHostFields, &h, part) })
	}),
	read.Attr("port", read.Nullable(read.NumberShape), "The port that a server was given.", func(s *SutResult) cty.Value { return read.NumberOrNull(s.Port) }),
}

// RefusedHostFields are those of an element of sut.refused_hosts.
var RefusedHostFields = []read.Field[RefusedHost]{
	read.Attr("host", read.TextShape, "The host with its port.", func(h *RefusedHost) cty.Value { return read.Text(h.Host) }),
	read.Attr("count", read.NumberShape, "How often.", func(h *RefusedHost) cty.Value { return read.Number(h.Count) }),
}

// SutShape is the shape of the root sut.
var SutShape = read.ShapeOf("program", SutFields)

func millisOrNull(d *time.Duration) cty.Value {
	if d == nil {
		return read.Null
	}
	return read.Millis(*d)
}
