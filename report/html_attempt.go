package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/trace"
)

// What is shown of one scenario's attempts at most, and of one text in them.
const (
	htmlAttempts = 200
	htmlFold     = 800
	htmlText     = 16 << 10
)

// htmlDetails bounds, in bytes, the sections of a page to which attempts are
// still added: of a suite in which everything fails the first tell enough.
const htmlDetails = 12 << 20

// attempts lists what was sent and answered, folded.
func (s *section) attempts() {
	if !s.detailed {
		s.add("<p class=\"mut\">The attempts are left out, as the page is long; --trace-out has all.</p>\n")
		return
	}
	shown := 0
	for _, step := range s.p.steps {
		for _, b := range step.inOrder() {
			if shown++; shown == 1 {
				s.add("<h3>Attempts</h3>\n")
			}
			if shown <= htmlAttempts {
				s.attempt(step, b)
			}
		}
	}
	if shown > htmlAttempts {
		s.add("<p class=\"mut\">%s are not shown; --trace-out has all.</p>\n", plural(shown-htmlAttempts, "more attempt"))
	}
}

// inOrder are the attempts of all lanes as they began.
func (s *stepRow) inOrder() []*bar {
	var all []*bar
	for _, l := range s.lanes {
		for i := range l.bars {
			all = append(all, &l.bars[i])
		}
	}
	slices.SortStableFunc(all, func(a, b *bar) int { return cmp.Compare(a.start.Seq, b.start.Seq) })
	return all
}

func (s *section) attempt(step *stepRow, b *bar) {
	s.add("<details class=\"at\"><summary><svg width=16 height=16 style=\"vertical-align:-3px\" aria-hidden=true><use href=\"#k%d\" x=8 y=8 /></svg> %s <b>%d</b>", int(b.kind()), step.name, b.start.Attempt)
	if b.start.Target != "" {
		s.add(" @ %s", b.start.Target)
	}
	if lane := b.start.Text("lane"); lane != "" {
		s.add(" lane %s", shortened(lane, laneMax))
	}
	if b.start.Iteration > 0 {
		s.add(" iteration %d", b.start.Iteration)
	}
	if b.start.Turn > 1 {
		s.add(" turn %d", b.start.Turn)
	}
	s.add(" <span class=\"mut\">%s", brief(b.from))
	if b.to > b.from {
		s.add(" to %s", brief(b.to))
	}
	s.add("</span> ")
	if b.end == nil {
		s.add("never ended")
	} else {
		said := b.end.Text("outcome")
		if kind := b.end.Text("kind"); kind != "" && kind != said {
			said += " " + kind
		}
		s.add("%s", said)
		if code, ok := b.end.Attr("status_code").(int); ok {
			s.add(" %d", code)
		}
		if fault := b.end.Text("fault_type"); fault != "" {
			s.add(" <span class=\"ft\">fault %s</span>", fault)
		}
	}
	s.add("</summary><div id=\"%sa%d\">\n", s.id, b.start.Seq)
	s.event("Request", b.start)
	if b.end != nil {
		s.event("Answer", b.end)
	}
	s.add("</div></details>\n")
}

// event shows the attributes of one end of an attempt: short ones as a list,
// long ones each in a block.
func (s *section) event(title string, e *trace.Event) {
	s.add("<h4>%s</h4>", title)
	var long []trace.Attr
	listed := false
	for _, a := range inReadingOrder(e.Attrs()) {
		value := attrText(a)
		if value == "" {
			continue
		}
		if len(value) > 120 || strings.Contains(value, "\n") {
			long = append(long, trace.Attr{Key: a.Key, Value: value})
			continue
		}
		if !listed {
			s.add("<dl>")
			listed = true
		}
		s.add("<dt>%s<dd class=mono>%s", a.Key, value)
	}
	if listed {
		s.add("</dl>\n")
	}
	for _, a := range long {
		s.block(a.Key, a.Value.(string))
	}
}

// readFirst are the attributes of an attempt in the order in which people look for
// them; the others follow by their names.
var readFirst = []string{
	"method", "url", "provider", "system", "operation", "model", "query", "args",
	"outcome", "status_code", "kind", "message", "fault_type", "mode", "category", "retryable",
	"headers", "body", "content", "tool_calls", "finish_reason", "usage",
}

// inReadingOrder sorts attributes for people.
func inReadingOrder(attrs []trace.Attr) []trace.Attr {
	rank := func(a trace.Attr) int {
		if i := slices.Index(readFirst, a.Key); i >= 0 {
			return i
		}
		return len(readFirst)
	}
	sorted := slices.Clone(attrs)
	slices.SortStableFunc(sorted, func(a, b trace.Attr) int { return rank(a) - rank(b) })
	return sorted
}

// block shows a long text, folded where it is very long, and cut where a page
// is no place for it.
func (s *section) block(name, text string) {
	size := plural(len(text), "byte")
	if len(text) > htmlText {
		text = strings.ToValidUTF8(text[:htmlText], "") + "\n… cut; --trace-out has all"
	}
	if len(text) > htmlFold {
		s.add("<details><summary>%s, %s</summary><pre>%s</pre></details>\n", name, size, text)
		return
	}
	s.add("<dl><dt>%s</dl><pre>%s</pre>\n", name, text)
}

// attrText is an attribute as people read it: a string as it is, JSON inside of
// it laid out, anything else as JSON.
func attrText(a trace.Attr) string {
	text, ok := a.Value.(string)
	if !ok {
		if d := duration(a); d != "" {
			return d
		}
		text = string(trace.AppendValue(nil, a.Value))
	}
	if text == "null" || text == "" {
		return ""
	}
	if first := text[0]; (first == '{' || first == '[') && len(text) > 110 && len(text) < 1<<20 {
		var b bytes.Buffer
		if json.Indent(&b, []byte(text), "", "  ") == nil {
			return b.String()
		}
	}
	return text
}
