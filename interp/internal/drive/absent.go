package drive

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// absences are the texts that languages make of a value that is not there: Python, JavaScript, Go and SQL.
var absences = []string{"None", "undefined", "null", "NaN", "[object Object]", "<nil>"}

// absentMax bounds in how many bytes of requests they are looked for.
const absentMax = 32 << 20

// Absent says of a request of a program that succeeded that it has such a text where a value should be, as
// in /users/undefined or in the key order-None, which a script answers like any other. "" for none, and
// where the scenario has that text itself: in a check, in what the program was given, or in an answer.
func (r *Run) Absent(command []string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Obs.Run.Status != read.StatusSuccess {
		return ""
	}
	left := absentMax
	meant := map[string]bool{} // by the text: all answers are looked through once for each
	for _, e := range r.Log.Events() {
		p, is := e.Payload.(*event.AttemptStart)
		if !is || p.Request == nil || p.Asker == nil {
			continue
		}
		if left -= len(p.URL) + len(p.Body); left < 0 {
			return ""
		}
		text, where := absentIn(p.Request)
		if text == "" {
			continue
		}
		if _, known := meant[text]; !known {
			meant[text] = r.speaksOf(text, command)
		}
		if meant[text] {
			continue
		}
		return fmt.Sprintf("request %d to %s has %q %s, as programs write it where a value is missing, and the script answers it all the same.\nhint: if that is meant, say so in a check of endpoint.%[2]s.attempts[%[5]d].request", e.Attempt, e.Step, text, where, e.Attempt-1)
	}
	return ""
}

// speaksOf reports whether the scenario has a text by itself.
func (r *Run) speaksOf(text string, command []string) bool {
	if answers := r.answers(); strings.Contains(r.handed(command), text) || strings.Contains(answers, text) && (text != "null" || strings.Contains(answers, `"null"`)) {
		return true // JSON has null for other reasons
	}
	for _, e := range r.plan.Conditions() {
		says := false
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			v, written := dsl.Literal(e)
			says = says || written && v.Type() == cty.String && !v.IsNull() && strings.Contains(v.AsString(), text)
		})
		if says {
			return true
		}
	}
	return false
}

// absentIn is what a request has in the place of a value, and where; "" for nothing.
func absentIn(q *event.Request) (text, where string) {
	if u, err := url.Parse(q.URL); err == nil {
		for _, part := range strings.Split(u.Path, "/") {
			if text = absent(part); text != "" {
				return text, "in its path, " + u.Path
			}
		}
		query := u.Query()
		for _, name := range read.SortedNames(query) {
			for _, value := range query[name] {
				if text = absent(value); text != "" {
					return text, "as the parameter " + name
				}
			}
		}
	}
	for _, text := range absences {
		if strings.Contains(q.Statement, "'"+text+"'") {
			return text, "in its statement"
		}
	}
	for _, name := range read.SortedNames(q.Headers) {
		value := q.Headers[name]
		if name == "origin" { // of a page without one
			continue
		}
		for _, text := range absences {
			if value == redact.Placeholder(text) || value == redact.Placeholder("Bearer "+text) {
				return text, "in the header " + name
			}
		}
		if text = absent(strings.TrimPrefix(value, "Bearer ")); text != "" {
			return text, "in the header " + name
		}
	}
	var body any
	if !slices.ContainsFunc(absences, func(text string) bool { return strings.Contains(q.Body, text) }) || json.Unmarshal([]byte(q.Body), &body) != nil {
		return "", ""
	}
	return absentWithin(body, "")
}

// absentWithin looks through a JSON value, of which path is the place.
func absentWithin(v any, path string) (text, where string) {
	switch v := v.(type) {
	case string:
		if text = absent(v); text != "" {
			return text, "as " + strings.TrimPrefix(path, ".")
		}
	case map[string]any:
		for _, name := range read.SortedNames(v) {
			if text, where = absentWithin(v[name], path+"."+name); text != "" {
				return text, where
			}
		}
	case []any:
		for i, e := range v {
			if text, where = absentWithin(e, path+"["+strconv.Itoa(i)+"]"); text != "" {
				return text, where
			}
		}
	}
	return "", ""
}

// absent is the text for a missing value that a value is, or that is a piece of it where it is a key of
// several: order-None.
func absent(value string) string {
	for _, text := range absences {
		if value == text {
			return text
		}
	}
	if strings.ContainsAny(value, " \n") || len(value) > 200 {
		return ""
	}
	for _, piece := range strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune("-_:/.|,", c) }) {
		if slices.Contains(absences, piece) && (piece != "null" || strings.HasSuffix(value, piece)) { // null-island is a name
			return piece
		}
	}
	return ""
}

// Mislabelled says of a request of a program over HTTP that its body is JSON and its Content-Type says
// something else, where a check reads the JSON and none reads the field: a service would refuse it, or find no
// member in it. "" for none.
func (r *Run) Mislabelled() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if reads, labels := r.readsJSON(); !r.endedWell() || !reads || labels || r.speaksOf("content-type", nil) {
		return ""
	}
	left := absentMax
	for _, e := range r.Log.Events() {
		p, is := e.Payload.(*event.AttemptStart)
		if !is || p.Request == nil || p.Asker == nil || p.Body == "" {
			continue
		}
		s := r.Obs.Steps[e.Step]
		if label := p.Headers["content-type"]; s == nil || s.Step.Kind != plan.KindHTTP || strings.Contains(strings.ToLower(label), "json") {
			continue
		}
		if left -= len(p.Body); left < 0 {
			return ""
		}
		if text := strings.TrimLeft(p.Body, " \t\r\n"); !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") || !json.Valid([]byte(p.Body)) {
			continue
		}
		label := "no Content-Type"
		if p.Headers["content-type"] != "" {
			label = "the Content-Type " + p.Headers["content-type"]
		}
		return fmt.Sprintf("request %d to %s has a body of JSON and %s: a service would refuse it, or find no member in it, and request.json reads it all the same.\nhint: send application/json, and check it: endpoint.%[2]s.attempts[%[4]d].request.headers[\"content-type\"] == \"application/json\"", e.Attempt, e.Step, label, e.Attempt-1)
	}
	return ""
}

// readsJSON reports whether a check reads the JSON of a request, and whether one reads its Content-Type.
func (r *Run) readsJSON() (reads, labels bool) {
	through := func(t hcl.Traversal) {
		for i := range t {
			name, _ := read.AttrName(t, i)
			reads = reads || name == "json" && i > 0 && (read.IsRequest(t) || t.IsRelative())
			labels = labels || name == "content-type"
		}
	}
	for _, e := range r.plan.Conditions() {
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			switch x := e.(type) {
			case *hclsyntax.ScopeTraversalExpr:
				through(x.Traversal)
			case *hclsyntax.RelativeTraversalExpr:
				through(x.Traversal)
			}
		})
	}
	return reads, labels
}
