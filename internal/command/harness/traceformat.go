package harness

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// A traceFormat is one way of writing the traces of a suite to a file.
type traceFormat struct {
	name string
	// What is a file of it, for messages.
	What string
	// endings are how names of such files end.
	endings []string
	// start is how every file of it begins.
	start string
	// open and close stand around the scenarios, of which each is written on
	// its own; n counts those before it.
	open, close string
	write       func(w io.Writer, n int, o *outcome) error
	// spans says that it shows spans and not events.
	spans bool
}

// TraceFormats lists every format; the first one is taken where nothing says
// otherwise.
var TraceFormats = []traceFormat{
	{
		name: "jsonl", What: "trace", start: trace.Start,
		write: func(w io.Writer, _ int, o *outcome) error {
			_, err := w.Write(o.trace)
			return err
		},
	},
	{
		name: "otlp", What: "file of OTLP/JSON", start: `{"resourceSpans":`, spans: true,
		endings: []string{".otlp.json", ".otlp.jsonl"},
		write: func(w io.Writer, _ int, o *outcome) error {
			_, err := w.Write(append(telemetry.AppendOTLP(nil, o.spans), '\n'))
			return err
		},
	},
	{
		name: "chrome", What: "file of Chrome trace events", start: telemetry.ChromeOpen, spans: true,
		endings: []string{".chrome.json", ".perfetto.json"},
		open:    telemetry.ChromeOpen, close: telemetry.ChromeClose,
		write: func(w io.Writer, n int, o *outcome) error {
			before := ","
			if n == 0 {
				before = telemetry.ChromeOpen
			}
			_, err := w.Write(telemetry.AppendChrome([]byte(before), n+1, o.result.Header(), o.spans))
			return err
		},
	},
}

// traceFormatOf is the format that the name of a file asks for.
func traceFormatOf(path string) *traceFormat {
	name := strings.ToLower(filepath.Base(path))
	for i := range TraceFormats {
		for _, ending := range TraceFormats[i].endings {
			if strings.HasSuffix(name, ending) {
				return &TraceFormats[i]
			}
		}
	}
	return &TraceFormats[0]
}
