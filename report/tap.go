package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

// TAP writes the Test Anything Protocol, version 14 (testanything.org): a test
// point for each scenario, and below one that did not pass a YAML block that
// says why.
func TAP(w io.Writer, opts Options) Reporter { return &tap{w: w, clock: opts.clock()} }

type tap struct {
	w io.Writer
	n int
	// clock is that of the times.
	clock string
}

func (t *tap) Add(e Entry) error {
	var b bytes.Buffer
	t.begin(&b)
	t.n++
	r := e.Result
	bad := r.Verdict == interp.Fail || r.Verdict == interp.Error
	if bad {
		b.WriteString("not ")
	}
	fmt.Fprintf(&b, "ok %d - %s: %s", t.n, tapText(r.Plan.File), tapText(e.name()))
	switch r.Verdict {
	case interp.Done:
		b.WriteString(" # SKIP done, " + noGate)
	case interp.Skip:
		b.WriteString(strings.TrimRight(" # SKIP "+tapText(e.Reason), " "))
	}
	b.WriteByte('\n')
	if bad {
		t.writeDiagnostics(&b, &e)
	}
	for _, line := range evaluations(r) {
		fmt.Fprintf(&b, "# %s\n", tapText(line))
	}
	_, err := t.w.Write(b.Bytes())
	return err
}

func (t *tap) begin(b *bytes.Buffer) {
	if t.n == 0 {
		b.WriteString("TAP version 14\n")
	}
}

func (t *tap) Invalid(d Diagnostic) error {
	var b bytes.Buffer
	t.begin(&b)
	t.n++
	fmt.Fprintf(&b, "not ok %d - %s\n  ---\n  status: error\n  at:\n    file: %s\n    line: %d\n    column: %d\n  failures:\n", t.n, tapText(d.String()), yamlQuoted(d.File), d.Line, d.Column)
	fmt.Fprintf(&b, "    - kind: %s\n      name: %s\n      file: %s\n      line: %d\n      message: %s\n  ...\n",
		yamlQuoted(string(d.Kind)), yamlQuoted(d.Summary), yamlQuoted(d.File), d.Line, yamlBlock(d.explanation(), "        "))
	_, err := t.w.Write(b.Bytes())
	return err
}

// Close writes the plan, which may stand last: how many scenarios there are is
// known when all were told.
func (t *tap) Close(s Summary) error {
	var b bytes.Buffer
	t.begin(&b)
	fmt.Fprintf(&b, "1..%d\n", t.n)
	if s.Incomplete {
		fmt.Fprintf(&b, "Bail out! %s\n", incomplete)
	}
	fmt.Fprintf(&b, "# %s\n", s.line(t.clock))
	_, err := t.w.Write(b.Bytes())
	return err
}

var tapEscapes = strings.NewReplacer(`\`, `\\`, "#", `\#`, "\n", " ", "\t", " ")

// tapText is text in a line of the protocol.
func tapText(s string) string { return strings.Map(visible, tapEscapes.Replace(s)) }

func (t *tap) writeDiagnostics(b *bytes.Buffer, e *Entry) {
	r, took := e.Result, fmt.Sprintf("  virtual_ms: %d\n", e.Result.Virtual.Milliseconds())
	switch {
	case r.Way.Driven() && r.Ran():
		took = fmt.Sprintf("  elapsed_ms: %d\n", r.Virtual.Milliseconds())
	case r.Way.Driven():
		took = ""
	}
	fmt.Fprintf(b, "  ---\n  status: %s\n%s  at:\n    file: %s\n    line: %d\n", r.Verdict, took, yamlQuoted(r.Plan.File), r.Plan.Line)
	if len(r.Problems) > 0 {
		b.WriteString("  failures:\n")
	}
	for i := range r.Problems {
		p := &r.Problems[i]
		file, line := place(r, p)
		fmt.Fprintf(b, "    - kind: %s\n      name: %s\n      file: %s\n      line: %d\n      message: %s\n",
			yamlQuoted(p.Kind), yamlQuoted(p.Name), yamlQuoted(file), line, yamlBlock(explanation(p), "        "))
	}
	if said := programLines(r); said != nil {
		fmt.Fprintf(b, "  program: %s\n", yamlBlock(strings.Join(said, "\n"), "    "))
	}
	b.WriteString("  ...\n")
}

// yamlQuoted is a string in YAML's double quotes, whose escapes include those
// of JSON.
func yamlQuoted(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// A buffer takes everything, and a string can always be encoded.
	_ = enc.Encode(strings.Map(printable, s))
	return strings.TrimRight(b.String(), "\n")
}

// yamlBlock is text of several lines as people read it, indented under its key.
func yamlBlock(s, indent string) string {
	if !strings.Contains(s, "\n") || strings.HasSuffix(s, "\n") {
		return yamlQuoted(s)
	}
	var b strings.Builder
	b.WriteString("|2-")
	for l := range strings.SplitSeq(s, "\n") {
		b.WriteByte('\n')
		if l = strings.Map(printable, l); l != "" {
			b.WriteString(indent + l)
		}
	}
	return b.String()
}

// printable keeps of a text what YAML 1.2 calls printable and no reader takes
// for the end of a line, and new lines.
func printable(r rune) rune {
	switch r {
	case '\n':
		return r
	case 0x2028, 0x2029, 0xfeff, 0xfffe, 0xffff:
		return '\uFFFD'
	}
	return visible(r)
}
