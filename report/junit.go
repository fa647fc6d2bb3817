package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/interp"
)

// JUnit writes the XML that began with Ant and Surefire and that CI systems
// read: a testsuite for each file, a testcase for each scenario whose class is
// the file. Times are of one clock, which a property names. It is written when the suite ends, as every
// element says first how much it holds.
func JUnit(w io.Writer, opts Options) Reporter {
	return &junit{w: w, clock: opts.clock(), suites: opts.spool(), cases: opts.spool()}
}

type junit struct {
	w io.Writer
	// clock is that of the times.
	clock string

	// suites are the finished ones; file, counts and cases belong to the one
	// that is being added.
	suites Spool
	file   string
	counts Summary
	cases  Spool
	// scratch is one testcase in the making.
	scratch bytes.Buffer
	// invalid counts diagnostics, each of which is a testcase.
	invalid int
}

// incomplete is what a report says of a suite whose counts are not the whole
// story, in a format that else would show it as green.
const incomplete = "The suite is incomplete: it was interrupted, could not be read, or broke a guarantee."

func (j *junit) Add(e Entry) error {
	r := e.Result
	if r.Plan.File != j.file {
		if err := j.endSuite(); err != nil {
			return err
		}
		j.file = r.Plan.File
	}
	j.counts.Add(r)
	b := &j.scratch
	fmt.Fprintf(b, "    <testcase name=%s classname=%s time=\"%.3f\">\n", xmlAttr(e.name()), xmlAttr(r.Plan.File), seconds(r.Virtual))
	if r.Verdict == interp.Skip {
		fmt.Fprintf(b, "      <skipped message=%s></skipped>\n", xmlAttr(e.Reason))
	}
	if r.Verdict == interp.Done {
		fmt.Fprintf(b, "      <skipped message=%s></skipped>\n", xmlAttr("done, "+noGate))
	}
	for i := range r.Problems {
		writeFailure(b, &e, &r.Problems[i])
	}
	if lines := append(evaluations(r), timeline(r.Events)...); len(lines) > 0 {
		fmt.Fprintf(b, "      <system-out>%s</system-out>\n", xmlText(strings.Join(lines, "\n")))
	}
	errors := programLines(r)
	for i := range r.Relaxed {
		errors = append(errors, r.Relaxed[i].Tells()+": "+r.Relaxed[i].Name+": "+r.Relaxed[i].Message)
	}
	if len(errors) > 0 {
		fmt.Fprintf(b, "      <system-err>%s</system-err>\n", xmlText(strings.Join(errors, "\n")))
	}
	b.WriteString("    </testcase>\n")
	return j.keep()
}

// keep puts the testcase in the making aside until its suite ends.
func (j *junit) keep() error {
	_, err := j.scratch.WriteTo(j.cases)
	return err
}

func writeFailure(b *bytes.Buffer, e *Entry, p *interp.Problem) {
	element := "failure"
	if e.Result.Verdict == interp.Error {
		element = "error"
	}
	lines := append([]string{heading(e, p)}, details(e, p)...)
	fmt.Fprintf(b, "      <%s message=%s type=%s>%s</%s>\n", element, xmlAttr(gist(p)), xmlAttr(p.Kind), xmlText(strings.Join(lines, "\n")), element)
}

// endSuite writes the testsuite of one file.
func (j *junit) endSuite() error {
	c := j.counts
	if c.Total() == 0 {
		return nil
	}
	j.counts = Summary{}
	fmt.Fprintf(&j.scratch, "  <testsuite name=%s tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\">\n",
		xmlAttr(j.file), c.Total(), c.Failed, c.Errored, c.Skipped+c.Done, seconds(c.Virtual))
	j.scratch.WriteString("    <properties>\n      <property name=\"clock\" value=\"" + j.clock + "\"></property>\n    </properties>\n")
	if _, err := j.scratch.WriteTo(j.suites); err != nil {
		return err
	}
	if _, err := j.cases.WriteTo(j.suites); err != nil {
		return err
	}
	_, err := io.WriteString(j.suites, "  </testsuite>\n")
	return err
}

func (j *junit) Invalid(d Diagnostic) error {
	file := d.suite()
	if file != j.file {
		if err := j.endSuite(); err != nil {
			return err
		}
		j.file = file
	}
	j.invalid++
	j.counts.Errored++
	name := d.Summary
	if d.Line > 0 {
		name = fmt.Sprintf("%d:%d: %s", d.Line, d.Column, d.Summary)
	}
	message, _, _ := strings.Cut(d.Detail, "\n")
	if message != "" {
		message = ": " + message
	}
	fmt.Fprintf(&j.scratch, "    <testcase name=%s classname=%s time=\"0.000\">\n      <error message=%s type=%s>%s</error>\n    </testcase>\n",
		xmlAttr(name), xmlAttr(file), xmlAttr(d.Summary+message), xmlAttr(string(d.Kind)), xmlText(d.String()+strings.TrimPrefix(d.explanation(), d.Summary)))
	return j.keep()
}

func (j *junit) Close(s Summary) error {
	if err := j.endSuite(); err != nil {
		return err
	}
	s.Errored += j.invalid
	if s.Incomplete {
		s.Errored++
	}
	if _, err := fmt.Fprintf(j.w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"scenario\" tests=\"%d\" failures=\"%d\" errors=\"%d\" time=\"%.3f\">\n",
		s.Total(), s.Failed, s.Errored, seconds(s.Virtual)); err != nil {
		return err
	}
	if _, err := j.suites.WriteTo(j.w); err != nil {
		return err
	}
	end := "</testsuites>\n"
	if s.Incomplete {
		end = fmt.Sprintf("  <testsuite name=\"scenario\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0.000\">\n"+
			"    <testcase name=\"the suite is complete\" classname=\"scenario\" time=\"0.000\">\n"+
			"      <error message=%[1]s type=\"error\">%[2]s</error>\n    </testcase>\n  </testsuite>\n", xmlAttr(incomplete), xmlText(incomplete)) + end
	}
	_, err := io.WriteString(j.w, end)
	return err
}

var (
	textEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;")
	attrEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\t", "&#x9;", "\n", "&#xA;", "\r", "&#xD;")
)

func xmlText(s string) string { return textEscapes.Replace(strings.Map(xmlRune, s)) }

// xmlAttr is the value of an attribute with its quotes.
func xmlAttr(s string) string {
	return `"` + attrEscapes.Replace(strings.Map(xmlRune, s)) + `"`
}

// xmlRune takes out what no XML 1.0 document can hold, not even escaped
// (production 2, Char), and control characters that may stand there and would
// disturb a terminal.
func xmlRune(r rune) rune {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return r
	case r < ' ', obeyed(r), r == 0xfffe, r == 0xffff:
		return utf8.RuneError
	}
	return r
}
