package cassette

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/disk"
	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/wire"
)

// The tiers of a change in an answer.
const (
	// Shape is what a program relies on: status, fields of the header, the kind
	// of body, members and types of JSON, the order of events.
	Shape = "shape"
	// Content is what an answer says within its shape.
	Content = "content"
)

// A Change is one field in which an answer is another than it was recorded.
type Change struct {
	Tier string
	// Path is where: "status", "header Retry-After", "body.choices[].message",
	// `events.message_start.usage`.
	Path string
	// Recorded and Now are the values as JSON, or "(absent)"; under Shape they
	// are words: types, kinds of events, ends.
	Recorded, Now string
}

// Checked is a recorded answer beside the one that came now.
type Checked struct {
	// Recorded is nil for a call that was not recorded, Now for one that was not
	// made this time. They belong to the recorder.
	Recorded, Now *Interaction
	// Asked is how the requests differ: other words may have another answer.
	Asked []match.FieldDiff
	// Changes are in the order of their tiers, at most 100 of each, and show no
	// secret.
	Changes []Change
}

// Tier is the graver one of the changes, "" where the answers are equal.
func (c Checked) Tier() string {
	if len(c.Changes) == 0 {
		return ""
	}
	return c.Changes[0].Tier
}

// NewChecker is a recorder that writes nothing, not even a lock: [Recorder.Check]
// compares what it is given with the cassette at path, which must exist. The
// error is that of [Load] where it cannot be read.
func NewChecker(path string, o RecordOptions) (*Recorder, error) {
	r := &Recorder{path: path, options: o, disk: disk.OS{}, checks: true}
	var err error
	if r.old, err = loadOld(r.disk, path); err != nil {
		return nil, err
	}
	switch {
	case r.old == nil:
		return nil, fmt.Errorf("cassette %s: there is nothing to compare with: %w", path, fs.ErrNotExist)
	case r.old.Scripts != nil:
		return nil, fmt.Errorf("cassette %s: it is of the format %s, which holds no exchanges to compare with", path, r.old.Format)
	}
	return r, nil
}

var errChecks = errors.New("this recorder only checks")

// Check compares what was sealed with the cassette, in the order of the calls,
// and last what was recorded and not asked for this time. wanted says of a
// recorded interaction whether it should have been.
func (r *Recorder) Check(wanted func(*Interaction) bool) []Checked {
	r.mu.Lock()
	defer r.mu.Unlock()
	fresh := r.fresh()
	old := retagged(r.old.Interactions, r.options.Scenarios, fresh)
	pairs := paired(old, fresh, r.old.Own)
	out := pairs[:0]
	for _, p := range pairs {
		if p.Now == nil && !wanted(p.Recorded) {
			continue
		}
		r.compare(&p)
		out = append(out, p)
	}
	return out
}

func (r *Recorder) compare(c *Checked) {
	if c.Recorded == nil || c.Now == nil {
		c.Changes = []Change{{Content, "call", outcomeOf(c.Recorded), outcomeOf(c.Now)}}
		return
	}
	c.Asked = match.Match{}.Changes(r.asked(c.Recorded), r.asked(c.Now))
	c.Changes = changes(r.shown(c.Recorded), r.shown(c.Now))
}

// Compare lays two recordings of the same calls side by side, in the order of the
// second, and what the first alone has last: Asked is how the requests differ
// under m. ignore are the places that [match.Match.Ignore] would need, and would
// suffice, for those that can be made equal by it.
func Compare(recorded, now *Cassette, m match.Match) (list []Checked, ignore []string) {
	r := &Recorder{}
	list = paired(recorded.Interactions, now.Interactions, recorded.Own && now.Own)
	var requests [][2]match.Request
	for i := range list {
		c := &list[i]
		r.compare(c)
		if c.Recorded != nil && c.Now != nil {
			pair := [2]match.Request{r.asked(c.Recorded), r.asked(c.Now)}
			c.Asked = m.Changes(pair[0], pair[1])
			requests = append(requests, pair)
		}
	}
	return list, m.Propose(requests)
}

func outcomeOf(it *Interaction) string {
	if it == nil {
		return match.Absent
	}
	return it.Outcome()
}

// asked is a request without any secret. What is hidden has no value in it.
func (r *Recorder) asked(it *Interaction) match.Request {
	in := redact.Request(it.Request())
	for _, red := range r.hiding() {
		in = red.Request(in)
	}
	return match.Request{
		Method: in.Method, URL: redact.Blank(redact.HideTokens(in.URL)),
		Header: http.Header{"Content-Type": in.Header["Content-Type"]}, Body: []byte(redact.Blank(redact.HideTokens(string(in.Body)))),
	}
}

// An answer is what is compared of an interaction, without any secret.
type answer struct {
	status       int
	outcome, end string
	header       http.Header
	trailer      http.Header
	body         string
}

// shown is the answer of an interaction as a recording would keep it: files of
// other tools keep more.
func (r *Recorder) shown(it *Interaction) answer {
	a := answer{
		status: httptext.StatusCode(it.Response.Status), outcome: it.Outcome(), end: wordOf(it.Response.End),
		header: headerOf(it.Response.Header), trailer: headerOf(it.Response.Trailer), body: string(it.Response.Body()),
	}
	if it.Error != "" {
		a.status = 0
	}
	for _, red := range r.hiding() {
		a.header, a.trailer = keptHeader(red, a.header, keptResponse, r.keep), keptHeader(red, a.trailer, nil, r.keep)
		a.body = red.Stored(a.header, a.body)
	}
	a.body = redact.Blank(a.body)
	return a
}

// hiding are the redactors of the calls; one that knows no values hides by name
// where there was none.
func (r *Recorder) hiding() []*redact.Redactor {
	if len(r.redactors) == 0 {
		return []*redact.Redactor{nil}
	}
	return r.redactors
}

func headerOf(fields []wire.Field) http.Header {
	h := http.Header{}
	for _, f := range fields {
		h.Add(f.Name, f.Value)
	}
	return h
}

// changes lists how b is another answer than a, the shape first.
func changes(a, b answer) []Change {
	var shape, content match.Differ
	switch {
	case a.status == 0 || b.status == 0:
		shape.Words("outcome", a.outcome, b.outcome)
	case a.status != b.status:
		// Two answers that mean different things are not compared field by field.
		shape.Words("status", strconv.Itoa(a.status), strconv.Itoa(b.status))
		content.Compare("body", a.body, b.body)
	default:
		shape.Words("end", a.end, b.end)
		compareHeaders(&shape, &content, "header", a.header, b.header)
		compareHeaders(&shape, &content, "trailer", a.trailer, b.trailer)
		x, y := match.BodyOf(a.header.Get("Content-Type"), a.body), match.BodyOf(b.header.Get("Content-Type"), b.body)
		x.CompareShape(&shape, y)
		x.CompareContent(&content, y)
	}
	return ranked(shape.Diffs, content.Diffs)
}

// compareHeaders compares the names of fields, which are shape, and what they
// say, which is content but for the kind of the body.
func compareHeaders(shape, content *match.Differ, what string, a, b http.Header) {
	for _, name := range slices.Sorted(maps.Keys(match.Union(a, b))) {
		path := what + " " + name
		x, y := redact.Blank(strings.Join(a[name], ", ")), redact.Blank(strings.Join(b[name], ", "))
		switch {
		case a[name] == nil || b[name] == nil:
			shape.Words(path, cmp.Or(x, match.Absent), cmp.Or(y, match.Absent))
		case name == "Content-Type" && httptext.MediaType(x) != httptext.MediaType(y):
			shape.Words(path, x, y)
		default:
			content.Compare(path, x, y)
		}
	}
}

// ranked are the changes of both tiers, without those of the content that the
// shape has told already.
func ranked(shape, content []match.FieldDiff) []Change {
	var out []Change
	told := map[string]bool{}
	for _, d := range shape {
		out = append(out, Change{Shape, d.Path, d.Recorded, d.Actual})
		told[d.Path] = true
	}
	for _, d := range content {
		if !toldIn(told, d.Path) {
			out = append(out, Change{Content, d.Path, d.Recorded, d.Actual})
		}
	}
	return out
}

var listIndex = pattern.New(`\[[0-9]+\]`)

// toldIn reports whether a path or what it stands in was told.
func toldIn(told map[string]bool, path string) bool {
	path = listIndex().ReplaceAllString(path, "[]")
	for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
		if told[path[:end]] {
			return true
		}
	}
	return false
}
