package dsl

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcled"

	"github.com/scenario-lang/scenario/dsl/dotted"
	"github.com/scenario-lang/scenario/dsl/excerpt"
	"github.com/scenario-lang/scenario/dsl/mistakes"
)

// WriteOptions says how diagnostics are written.
type WriteOptions struct {
	// Color uses the escape sequences of terminals.
	Color bool
	// Width is where sentences are wrapped, 0 for 80 columns. Source lines and
	// hints, which are there to be copied, are not wrapped.
	Width int
	// Outlines are those of files that were read without an error, by their names;
	// any other source is parsed again for the blocks in it.
	Outlines map[string]Outline
}

// An Outline says where the top-level blocks of a file are. It holds nothing else of
// the file.
type Outline []outlined

type outlined struct {
	start, end int // bytes
	header     string
}

// Outlines are those of a file and of what it imports, by their paths.
func (f *File) Outlines() map[string]Outline {
	all := make(map[string]Outline, 1+len(f.Imports))
	for _, in := range f.Imports {
		all[in.Path] = in.outline()
	}
	all[f.Path] = f.outline()
	return all
}

func (f *File) outline() (o Outline) {
	for _, b := range f.Body.Blocks {
		if b.DefRange.Filename != f.Path {
			continue // an import brought it
		}
		header := strings.Clone(b.Type)
		for _, label := range b.Labels {
			header += fmt.Sprintf(" %q", label)
		}
		o = append(o, outlined{b.DefRange.Start.Byte, b.End.End.Byte, header})
	}
	return o
}

// at is the header of the block around a byte, "" for none.
func (o Outline) at(offset int) string {
	for _, b := range o {
		if b.start <= offset && offset < b.end {
			return b.header
		}
	}
	return ""
}

const (
	defaultWidth = 80
	maxLabels    = 2   // of a block
	maxSnippet   = 6   // lines of source for one diagnostic
	maxLine      = 160 // characters of one of them
)

// WriteDiagnostics writes diagnostics for people, in the order of files and
// lines, those without a place last: the summary, the place, the lines of
// source with the wrong part underlined, and the detail. A diagnostic of the
// syntax itself is rewritten in the words of the language. sources holds the
// texts of the files by the names that the diagnostics carry; one that is not
// there is shown without its lines.
func WriteDiagnostics(w io.Writer, diags hcl.Diagnostics, sources map[string][]byte, opts WriteOptions) {
	p := printer{sources: sources, opts: opts, parsed: map[string]*hcl.File{}}
	for i, d := range InOrder(diags, sources) {
		if i > 0 {
			p.out.WriteByte('\n')
		}
		p.diagnostic(d)
	}
	// A failing writer has nobody to be reported to.
	_, _ = w.Write(p.out.Bytes())
}

// Distinct leaves out what was said before of the same place, such as the
// errors of a file that several others import.
func Distinct(diags hcl.Diagnostics) hcl.Diagnostics {
	if len(diags) < 2 {
		return diags
	}
	type said struct {
		at              hcl.Range
		severity        hcl.DiagnosticSeverity
		summary, detail string
	}
	seen := make(map[said]bool, len(diags))
	var once hcl.Diagnostics
	for _, d := range diags {
		key := said{severity: d.Severity, summary: d.Summary, detail: d.Detail}
		if d.Subject != nil {
			key.at = *d.Subject
		}
		if !seen[key] {
			seen[key] = true
			once = append(once, d)
		}
	}
	return once
}

// InOrder returns diagnostics as [WriteDiagnostics] writes them: those of the
// syntax rewritten in the words of the language, all sorted by file and line,
// those without a place last.
func InOrder(diags hcl.Diagnostics, sources map[string][]byte) hcl.Diagnostics {
	byFile := map[string]hcl.Diagnostics{}
	var names []string
	for _, d := range diags {
		name := fileOf(d)
		if _, seen := byFile[name]; !seen {
			names = append(names, name)
		}
		byFile[name] = append(byFile[name], d)
	}
	slices.SortFunc(names, func(a, b string) int {
		if (a == "") != (b == "") {
			return strings.Compare(b, a) // without a place last
		}
		return strings.Compare(a, b)
	})
	var sorted hcl.Diagnostics
	for _, name := range names {
		all := mistakes.Rewrite(byFile[name], sources[name])
		slices.SortStableFunc(all, func(a, b *hcl.Diagnostic) int {
			if a.Subject == nil {
				return 0
			}
			return a.Subject.Start.Byte - b.Subject.Start.Byte
		})
		sorted = append(sorted, all...)
	}
	return sorted
}

func fileOf(d *hcl.Diagnostic) string {
	if d.Subject == nil {
		return ""
	}
	return d.Subject.Filename
}

type printer struct {
	out     bytes.Buffer
	sources map[string][]byte
	parsed  map[string]*hcl.File
	opts    WriteOptions
	line    lineOf
}

// A lineOf is the line of a file that was shown last.
type lineOf struct {
	file       string
	start, end int // the end is where the next one begins
	text       []byte
}

const (
	colorRed    = "\x1b[1;31m"
	colorYellow = "\x1b[1;33m"
	colorBold   = "\x1b[1m"
	colorOff    = "\x1b[0m"
)

func (p *printer) colored(color, text string) string {
	if !p.opts.Color {
		return text
	}
	return color + text + colorOff
}

func (p *printer) diagnostic(d *hcl.Diagnostic) {
	label, color := "Error", colorRed
	if d.Severity == hcl.DiagWarning {
		label, color = "Warning", colorYellow
	}
	fmt.Fprintf(&p.out, "%s %s\n", p.colored(color, label+":"), p.colored(colorBold, excerpt.Visible(d.Summary)))
	if d.Subject != nil {
		p.place(d)
		p.snippet(d, color)
	}
	if d.Detail == "" {
		return
	}
	for _, line := range strings.Split(strings.TrimRight(d.Detail, "\n"), "\n") {
		p.sentence(excerpt.Visible(line))
	}
}

// place says where, with the block around it.
func (p *printer) place(d *hcl.Diagnostic) {
	within := p.around(d.Subject)
	switch {
	case strings.Count(within, `"`) > 2*maxLabels: // a quote in it is not closed
		within = ""
	case within != "":
		within = ", in " + excerpt.Visible(within)
	}
	fmt.Fprintf(&p.out, "  on %s line %d%s:\n", excerpt.Visible(d.Subject.Filename), d.Subject.Start.Line, within)
}

// around is the header of the block around a place, "" for none.
func (p *printer) around(at *hcl.Range) string {
	if o, ok := p.opts.Outlines[at.Filename]; ok {
		return o.at(at.Start.Byte)
	}
	if file := p.file(at.Filename); file != nil {
		return hcled.ContextString(file, at.Start.Byte)
	}
	return ""
}

// file parses a source once, for the blocks in it; nil where that is not
// possible.
func (p *printer) file(name string) *hcl.File {
	if file, ok := p.parsed[name]; ok {
		return file
	}
	p.parsed[name] = nil
	src, ok := p.sources[name]
	if !ok || unreadable(name, src) != nil {
		return nil
	}
	p.parsed[name], _ = dotted.ParseConfig(src, name, hcl.InitialPos)
	return p.parsed[name]
}

// snippet shows the lines of the subject and underlines it in the first.
func (p *printer) snippet(d *hcl.Diagnostic, color string) {
	src, rng := p.sources[d.Subject.Filename], d.Subject
	if rng.Start.Byte < 0 || rng.Start.Byte > len(src) || len(src) == 0 {
		return
	}
	if l := &p.line; l.file != rng.Filename || rng.Start.Byte < l.start || rng.Start.Byte >= l.end {
		start := bytes.LastIndexByte(src[:rng.Start.Byte], '\n') + 1
		text, end := mistakes.LineAt(src, start)
		*l = lineOf{rng.Filename, start, end, text}
	}
	start := p.line.start
	end := min(max(rng.End.Byte, rng.Start.Byte), len(src))
	more := min(bytes.Count(src[min(rng.Start.Byte, end):end], []byte("\n")), maxSnippet-1)
	width := len(fmt.Sprint(rng.Start.Line + more))
	for n := range maxSnippet {
		line, next := p.line.text, p.line.end
		from, to := 0, 0
		if n > 0 {
			line, next = mistakes.LineAt(src, start)
		} else {
			from, to = min(rng.Start.Byte-start, len(line)), min(end-start, len(line))
		}
		shown, left := excerpt.Around(line, from, maxLine)
		fmt.Fprintf(&p.out, "  %*d: %s\n", width, rng.Start.Line+n, shown)
		if n == 0 {
			p.underline(width, left, line[from:max(to, from)], color)
		}
		if start = next; start >= end || start >= len(src) {
			return
		}
	}
	fmt.Fprintf(&p.out, "  %*s: …\n", width, "")
}

// underline marks the subject, which comes after left on the line above.
func (p *printer) underline(width int, left string, subject []byte, color string) {
	marks := min(max(excerpt.Columns(excerpt.Visible(string(excerpt.Prefix(subject, maxLine*utf8.UTFMax)))), 1), maxLine)
	fmt.Fprintf(&p.out, "  %*s  %s%s\n", width, "", excerpt.Blank(left), p.colored(color, strings.Repeat("^", marks)))
}

// sentence writes one line of a detail. A hint, and what is indented, stays on
// a line of its own.
func (p *printer) sentence(line string) {
	if strings.HasPrefix(line, "hint:") || strings.HasPrefix(line, " ") || line == "" {
		p.out.WriteString(line + "\n")
		return
	}
	limit := p.opts.Width
	if limit <= 0 {
		limit = defaultWidth
	}
	used := 0
	for _, word := range strings.Fields(line) {
		wide := excerpt.Columns(word)
		switch {
		case used == 0:
		case used+1+wide > limit:
			p.out.WriteByte('\n')
			used = 0
		default:
			p.out.WriteByte(' ')
			used++
		}
		p.out.WriteString(word)
		used += wide
	}
	p.out.WriteByte('\n')
}
