package incident

import (
	"fmt"
	"slices"
	"strings"
)

// A summary is what is said of a trace where there are several to choose from.
type summary struct {
	id            string
	spans, failed int
	name          string
	from          *resource
	start         int64
	hasRoot       bool
}

// Limits of what is kept of a file.
const (
	tracesMax  = 10_000
	spansMax   = 20_000
	recordsMax = 100_000
	listedMax  = 10
)

// A choice counts the traces of a file.
type choice struct {
	wanted string
	by     map[string]*summary
	order  []*summary
	more   int
	lost   int // spans without an id
}

func (c *choice) take(s *rawSpan, from *resource) error {
	id := normal(s.TraceID)
	if id == "" || s.SpanID == "" {
		c.lost++
		return nil
	}
	if !strings.HasPrefix(id, c.wanted) {
		return nil
	}
	sum := c.by[id]
	if sum == nil {
		if len(c.by) == tracesMax {
			c.more++
			return nil
		}
		sum = &summary{id: id, start: int64(s.Start), name: s.Name, from: from}
		c.by[id] = sum
		c.order = append(c.order, sum)
	}
	sum.spans++
	if s.Status.Code.is("2", "ERROR") {
		sum.failed++
	}
	if root := s.ParentSpanID == ""; root && !sum.hasRoot || root == sum.hasRoot && s.Start > 0 && int64(s.Start) < sum.start {
		sum.name, sum.from, sum.hasRoot = s.Name, from, root
	}
	if s.Start > 0 && (sum.start == 0 || int64(s.Start) < sum.start) {
		sum.start = int64(s.Start)
	}
	return nil
}

// choose finds the trace that is wanted: the named one, by its id or the
// beginning of it, or the only one.
func (f *file) choose(wanted string) (string, error) {
	c := &choice{wanted: strings.ToLower(strings.TrimSpace(wanted)), by: map[string]*summary{}}
	f.span = c.take
	f.record = func(*rawRecord) error { return nil }
	if err := f.each(); err != nil {
		return "", err
	}
	switch {
	case len(c.order) == 1 && c.more == 0:
		return c.order[0].id, nil
	case len(c.order) == 0 && wanted != "":
		return "", &Error{Path: f.path, Problem: fmt.Sprintf("no trace has the id %s", wanted), Hint: "without --trace the traces of the file are listed"}
	case len(c.order) == 0 && c.lost > 0:
		return "", &Error{Path: f.path, Problem: fmt.Sprintf("none of the %s has a traceId and a spanId", plural(c.lost, "span")), Hint: "export the spans as OTLP/JSON"}
	case len(c.order) == 0:
		return "", &Error{Path: f.path, Problem: "there are no spans in it", Hint: "export the spans of the trace, and not its metrics or logs alone"}
	}
	return "", &Error{Path: f.path, Problem: f.hide.Text(c.list()), Hint: "choose one with --trace and its id, or the beginning of it"}
}

// list shows the traces: those in which something failed first, the newest
// before the others.
func (c *choice) list() string {
	slices.SortStableFunc(c.order, func(a, b *summary) int {
		if (a.failed > 0) != (b.failed > 0) {
			return map[bool]int{true: -1, false: 1}[a.failed > 0]
		}
		if a.start != b.start {
			return compare(b.start, a.start)
		}
		return strings.Compare(a.id, b.id)
	})
	var b strings.Builder
	what := fmt.Sprintf("%d traces", len(c.order))
	if c.more > 0 {
		what = "more than " + what
	}
	fmt.Fprintf(&b, "it holds %s, and a scenario is made of one:", what)
	for i, s := range c.order {
		if i == listedMax {
			fmt.Fprintf(&b, "\n  … and %d more", len(c.order)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s  %s, %d failed, %q", s.id, plural(s.spans, "span"), s.failed, s.name)
		if s.from.service != "" {
			b.WriteString(" of " + s.from.service)
		}
		b.WriteString(", " + when(s.start))
	}
	return b.String()
}

// trace reads the spans of one trace, and what was logged with them.
func (f *file) trace(id string) (*trace, error) {
	t := &trace{id: id}
	records := map[string][]event{}
	count := 0
	f.span = func(s *rawSpan, from *resource) error {
		if normal(s.TraceID) != id || s.SpanID == "" {
			return nil
		}
		if len(t.spans) == spansMax {
			return &Error{Line: f.line(s.offset), Problem: fmt.Sprintf("the trace %s has more than %d spans", id, spansMax), Hint: "export the part of it that failed"}
		}
		t.spans = append(t.spans, spanOf(s, from, len(t.spans)))
		return nil
	}
	f.record = func(r *rawRecord) error {
		if normal(r.TraceID) != id {
			return nil
		}
		if count++; count > recordsMax {
			return &Error{Problem: fmt.Sprintf("the trace %s has more than %d log records", id, recordsMax), Hint: "export its spans without them, or those of events gen_ai.* alone"}
		}
		of := normal(r.SpanID)
		records[of] = append(records[of], eventOf(r))
		return nil
	}
	if err := f.each(); err != nil {
		return nil, err
	}
	for _, s := range t.spans {
		s.events = append(s.events, records[s.id]...)
		f.hide.span(s)
	}
	t.tree()
	return t, nil
}
