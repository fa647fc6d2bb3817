package incident

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/cassette/convert"
	"github.com/scenario-lang/scenario/cassette/redact"
)

// A Draft is a trace as the blocks of a scenario file.
type Draft struct {
	Blocks []*convert.Block
	// Head are the lines of the comment that the file begins with.
	Head []string
	// Notes are sentences about what the spans do not say, and what was left out.
	Notes []string
	Calls int
}

// Options are what an import needs beside the file.
type Options struct {
	// Trace is the id of the trace, or the beginning of it; "" where there is one.
	Trace string
	// Program asks for endpoints, for the program itself, in the place of a workflow
	// that does what the program did.
	Program bool
	// Redactor hides secrets; nil hides what is known by its name or its form.
	Redactor *redact.Redactor
}

// callsMax bounds a draft: a longer one is read by nobody.
const callsMax = 200

// Import makes a draft of one trace of a file. path only names it in messages.
// Every error is an *[Error].
func Import(path string, data []byte, o Options) (*Draft, error) {
	f := &file{path: path, data: bytes.TrimPrefix(data, byteOrderMark), hide: hider{o.Redactor.Recording()}}
	id, err := f.choose(o.Trace)
	if err != nil {
		return nil, err
	}
	t, err := f.trace(id)
	if err != nil {
		return nil, err
	}
	d := &drafter{trace: t, names: namer{}, steps: namer{}, silent: map[string][]string{}}
	if err := d.calls(path); err != nil {
		return nil, err
	}
	blocks := d.providerBlocks()
	if o.Program {
		blocks = append(blocks, d.program()...)
	} else {
		blocks = append(blocks, d.workflow()...)
	}
	convert.Hide(f.hide.Redactor, blocks)
	notes := d.notes()
	return &Draft{Blocks: blocks, Notes: notes, Head: d.head(notes), Calls: len(d.found)}, nil
}

// A drafter makes the blocks of one trace.
type drafter struct {
	trace     *trace
	finder    *finder
	found     []*call
	providers []*provider
	names     namer // of providers
	steps     namer
	retries   []*convert.Block

	// silent are the steps of which no span says something, by what that is; order
	// is in which order that came up, and remarks are of the trace as a whole.
	silent  map[string][]string
	order   []string
	remarks []string
}

// calls finds the calls, in the order of their beginning, and names them.
func (d *drafter) calls(path string) error {
	d.finder = &finder{other: map[string]int{}, behind: map[string]int{}}
	d.finder.findAll(nil, d.trace.roots)
	d.found = d.finder.calls
	slices.SortStableFunc(d.found, func(a, b *call) int {
		if a.start() != b.start() {
			return compare(a.start(), b.start())
		}
		return a.span.n - b.span.n
	})
	if len(d.found) == 0 {
		return &Error{Path: path, Problem: fmt.Sprintf("none of the %s of trace %s is a call that a scenario can answer%s", plural(len(d.trace.spans), "span"), d.trace.id, d.left()), Hint: "spans of HTTP clients, of models (gen_ai.*), of MCP clients and of PostgreSQL are; see whether the instrumentation of the program has them"}
	}
	if more := len(d.found) - callsMax; more > 0 {
		d.found = d.found[:callsMax]
		d.remark(fmt.Sprintf("the first %d calls are drafted, and %d are left out", callsMax, more))
	}
	for _, c := range d.found {
		c.name = d.steps.unique(c.called())
	}
	for _, c := range d.found {
		d.serve(c)
	}
	return nil
}

// called is what the step of a call is called.
func (c *call) called() string {
	s := c.span
	if step := s.text("scenario.step_id"); step != "" {
		return step
	}
	switch c.kind {
	case llm:
		operation := s.text("gen_ai.operation.name", "llm.request.type")
		if operation == "" {
			operation = "chat"
		}
		return operation + " " + c.model()
	case mcp:
		return s.text("gen_ai.tool.name", "mcp.resource.uri", "gen_ai.prompt.name", "mcp.method.name")
	case sql:
		if text := s.text("db.query.summary", "db.query.text", "db.statement"); text != "" {
			return text
		}
		return "connect"
	}
	return s.text("http.request.method", "http.method") + " " + address(c.attempts[0].span).Path
}

// unsaid notes what no span says, of the step of this name.
func (d *drafter) unsaid(what, step string) {
	if d.silent[what] == nil {
		d.order = append(d.order, what)
		d.silent[what] = []string{}
	}
	if step != "" && !slices.Contains(d.silent[what], step) {
		d.silent[what] = append(d.silent[what], step)
	}
}

// notes are all that is to be said about the draft, in the order in which it came
// up.
func (d *drafter) notes() []string {
	var notes []string
	for _, what := range d.order {
		names := d.silent[what]
		text := "the spans do not say " + what
		if len(names) > 0 {
			more := ""
			if len(names) > namedMax {
				more = fmt.Sprintf(" and %d more", len(names)-namedMax)
			}
			text += ": " + strings.Join(names[:min(len(names), namedMax)], ", ") + more
		}
		notes = append(notes, text)
	}
	d.structure()
	return append(notes, d.remarks...)
}

// remark notes something about the trace as a whole.
func (d *drafter) remark(text string) { d.remarks = append(d.remarks, text) }

const namedMax = 6

// structure notes what the trace as a whole leaves open.
func (d *drafter) structure() {
	if left := d.left(); left != "" {
		d.remark(strings.TrimPrefix(left, ": "))
	}
	for _, service := range d.finder.beyond {
		name := service
		if name == "" {
			name = "another program"
		}
		d.remark(fmt.Sprintf("the work of %s behind these calls is left out (%s)", name, plural(d.finder.behind[service], "span")))
	}
	d.odd(d.trace.orphans, "without the parent that is named: a part of the trace may be missing")
	d.odd(d.trace.cycles, "among its own ancestors: it stands for itself")
	d.odd(d.trace.twice, "in the file more than once: the first counts")
	var idle time.Duration
	for i, c := range d.found[1:] {
		if gap := c.start() - d.found[i].end(); gap > 0 {
			idle += time.Duration(gap)
		}
	}
	if idle >= time.Millisecond {
		d.remark("what the program itself did between the calls took " + round(idle).String() + ", and takes no time here")
	}
	if !slices.ContainsFunc(d.found, (*call).failed) && d.ended() != "" {
		d.remark("the program failed and none of its calls did, so the draft passes: look for the cause in the program")
	}
}

func (d *drafter) odd(n int, what string) {
	if n > 0 {
		d.remark(plural(n, "span") + " " + what)
	}
}

// left are the client spans that no step stands for.
func (d *drafter) left() string {
	var parts []string
	for _, what := range d.finder.names {
		parts = append(parts, fmt.Sprintf("%s (%s)", what, plural(d.finder.other[what], "span")))
	}
	if parts == nil {
		return ""
	}
	return ": no step stands for " + strings.Join(parts[:min(len(parts), namedMax)], ", ")
}

// ended is what the program said of its end, "" where it was well.
func (d *drafter) ended() string {
	for _, r := range d.trace.roots {
		if r.text("scenario.name") != "" {
			// What is around the run says how the scenario was judged.
			for _, k := range r.kids {
				if k.has("scenario.workflow") && k.broken() {
					return k.said()
				}
			}
			continue
		}
		if r.broken() {
			return r.said()
		}
	}
	return ""
}

// said is what a span says of its failure.
func (s *span) said() string {
	if words := s.words(); s.message == "" && len(words) > 0 {
		return words[len(words)-1]
	} else if s.message == "" {
		return "a failure"
	}
	return s.message
}

// title is what the trace is about: the name of its first root.
func (d *drafter) title() string {
	root := d.trace.roots[0]
	if name := root.text("scenario.name"); name != "" {
		return name
	}
	if root.name == "" {
		return "trace " + d.trace.id[:min(8, len(d.trace.id))]
	}
	return root.name
}

// head are the lines at the beginning of the file.
func (d *drafter) head(notes []string) []string {
	root := d.trace.roots[0]
	of := ""
	if root.from.service != "" {
		of = " of " + root.from.service
	}
	lines := []string{fmt.Sprintf("Drafted from the trace %s%s, which began at %s.", d.trace.id, of, when(root.start))}
	if end := d.ended(); end != "" {
		lines = append(lines, "It ended with: "+end)
	}
	if len(notes) > 0 {
		lines = append(lines, "", "What to know about it, and to fill in:")
		for _, n := range notes {
			lines = append(lines, "- "+n)
		}
	}
	return lines
}

func (d *drafter) providerBlocks() []*convert.Block {
	var blocks []*convert.Block
	for _, p := range d.providers {
		blocks = append(blocks, p.block())
	}
	return blocks
}
