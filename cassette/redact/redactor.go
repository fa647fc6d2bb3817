package redact

import (
	"net/http"
	"slices"
	"sort"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/styles"
)

// A Redactor hides what must not be shown or stored: what stands under a name
// that carries credentials, and the values that it was made with, however they
// are encoded. Its methods can be applied again without changing anything more,
// give the same text for the same text, and return their argument where there is
// nothing to hide.
//
// A nil Redactor knows no values and hides by name alone. A Redactor is safe for
// concurrent use, and is not changed once it was made, except by
// [Redactor.Learn] and by what a [Received] receives. What was computed from a secret, such as its hash or a part of
// it, is found where somebody told of it so.
type Redactor struct {
	forms []form
	// starts lists the forms by their first four bytes, the longest first.
	starts map[uint32][]int
	// known has the texts of the forms, of which thousands may begin alike.
	known map[string]bool
	first [256]bool
	exact map[string]string
	rules *rules // nil where there are none
	// tokens says that tokens are hidden by their form, too.
	tokens bool
	// lines are the beginnings, up to the end of a line, of the forms of secrets
	// that have several.
	lines []string
	// derived is what was found to be made of these secrets; nil where nobody looks.
	derived *derived
	// received is what became known while something ran; nil where nobody listens.
	received *Received
}

// ShortestSecret is how many bytes a value must have to be hidden: shorter
// ones turn up everywhere.
const ShortestSecret = styles.Shortest

// New returns a redactor of these values, nil where none is long
// enough to be hidden.
func New(secrets []string) *Redactor {
	r := &Redactor{starts: map[uint32][]int{}, exact: map[string]string{}}
	for _, s := range slices.Sorted(slices.Values(secrets)) {
		r.add(s)
	}
	if len(r.forms) == 0 {
		return nil
	}
	return r
}

// add makes a redactor know one secret more, unless it is too short to be hidden.
func (r *Redactor) add(s string) {
	if _, known := r.exact[s]; known || len(s) < ShortestSecret || IsPlaceholder(s) {
		return
	}
	r.exact[s] = Placeholder(s)
	for _, part := range append([]string{s}, linesOf(s)...) {
		for n, text := range styles.Of(part) {
			if len(text) >= ShortestSecret {
				r.addForm(form{text, part, n})
			}
		}
	}
	for at := range len(s) - 1 {
		if s[at] == '\n' {
			r.lines = append(r.lines, s[:at+1])
		}
	}
}

// addForm adds a form among those that begin alike: the longest first, and each
// text once.
func (r *Redactor) addForm(f form) {
	if r.known[f.text] {
		return
	}
	if r.known == nil {
		r.known = map[string]bool{}
	}
	r.known[f.text] = true
	start := startOf(f.text)
	alike := r.starts[start]
	at := sort.Search(len(alike), func(i int) bool { return len(r.forms[alike[i]].text) < len(f.text) })
	r.starts[start] = slices.Insert(alike, at, len(r.forms))
	r.forms = append(r.forms, f)
	r.first[f.text[0]] = true
}

// shortestLine is how many bytes a line of a secret must have to be hidden alone.
const shortestLine = 8

// linesOf are the lines of a secret that has several, as a stream brings them one
// by one: those that say something. The marks around a key are no secret.
func linesOf(secret string) []string {
	if !strings.Contains(secret, "\n") {
		return nil
	}
	var list []string
	for line := range strings.Lines(secret) {
		line = strings.TrimSpace(line)
		if len(line) >= shortestLine && !strings.HasPrefix(line, "-----") {
			list = append(list, line)
		}
	}
	return list
}

// Recording returns a redactor that also hides tokens by their form, as is done
// with whatever is recorded; r, which may be nil, stays as it is.
func (r *Redactor) Recording() *Redactor {
	out := &Redactor{}
	if r != nil {
		*out = *r
	}
	out.tokens = true
	return out
}

// Header is the value of a header field as it may be shown. The fields that
// carry credentials are always hidden.
func (r *Redactor) Header(name, value string) string {
	if !r.isField(name, value) {
		return r.Text(value)
	}
	if value == "" || IsPlaceholder(value) {
		return value
	}
	return Placeholder(value)
}

// HeaderName is the name of a header field as it may be shown. Clients write its first
// letters large and proxies all of them small, so that a secret in it is found by its
// small letters, too.
func (r *Redactor) HeaderName(name string) string {
	if shown := r.Key(name); shown != name {
		return shown
	}
	small := strings.ToLower(name)
	if shown := r.Key(small); shown != small {
		return shown
	}
	return name
}

// URL is a URL as it may be shown: without user, password, and the values of
// parameters that carry credentials.
func (r *Redactor) URL(raw string) string { return r.Values(r.address(raw)) }

// Body is the body of a request or an answer as it may be shown. The members
// of JSON objects are hidden by name at any depth, also in JSON within a
// string and in the events of a stream; of a form its fields.
func (r *Redactor) Body(contentType, body string) string {
	if isForm(contentType) {
		return r.Values(r.form(hideParameters(body)))
	}
	return r.Text(body)
}

// Lines is a text of several lines as it may be shown, whatever they are: in the
// events of a stream or the objects of lines of JSON, a secret may stand in pieces
// at one place of several.
func (r *Redactor) Lines(body string) string { return r.Text(hidePieces(body, r)) }

func isForm(contentType string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(contentType)), "application/x-www-form-urlencoded")
}

// Text is any text as it may be shown: URLs and JSON in it are hidden by name,
// and the secrets by value.
func (r *Redactor) Text(text string) string { return r.Values(r.byRule(hideNames(text))) }

// behind is [Redactor.Text] of lines that follow others, of which the last one is in a table,
// nil for none. It returns the table that goes on behind them.
func (r *Redactor) behind(text string, t *table) (string, *table) {
	text, whole := t.follows(text)
	shown, open := hideNamesOf(text)
	if !whole {
		t = open
	}
	return r.Values(r.byRule(shown)), t
}

// A Sent is a request.
type Request struct {
	Method, URL string
	Header      http.Header
	Body        []byte
}

// Request is a request as it may be shown or stored. It shares no memory that
// it changed with the original.
func (r *Redactor) Request(in Request) Request {
	out := Request{Method: in.Method, URL: r.URL(in.URL), Header: in.Header, Body: in.Body}
	for name, values := range in.Header {
		for i, v := range values {
			shown := r.Header(name, v)
			if shown == v {
				continue
			}
			if sameMap(out.Header, in.Header) {
				out.Header = in.Header.Clone()
			}
			out.Header[name][i] = shown
		}
	}
	for name, values := range out.Header {
		if shown := r.HeaderName(name); shown != name {
			if sameMap(out.Header, in.Header) {
				out.Header = in.Header.Clone()
			}
			delete(out.Header, name)
			out.Header[shown] = values
		}
	}
	body := string(in.Body)
	if shown := r.asked(in.Header, body); shown != body {
		out.Body = []byte(shown)
	}
	return out
}

// sameMap reports whether two headers of equal names are one map; a clone has
// slices of its own.
func sameMap(a, b http.Header) bool {
	for name, values := range a {
		if len(values) > 0 {
			return &values[0] == &b[name][0]
		}
	}
	return true
}

// Finds reports whether a text holds one of the secrets, in any of the
// encodings: a check for what is about to be written.
func (r *Redactor) Finds(text string) bool { return r.Values(text) != text }
