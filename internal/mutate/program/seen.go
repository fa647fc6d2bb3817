package program

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/scenario-lang/scenario/internal/mutate/source/beside"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// A feature is something of a run that can be another one in the next: what was asked, answered or written.
type feature struct{ of, text string }

// seenOf are the features of a run, those first that checks usually read. Show is what is shown of a
// text: it has no secrets and no path of a copy.
func seenOf(r *sut.Run, exchanges []interp.Ended, show func(string) string) (list []feature) {
	value := func(expr string) any { return valueOf(r, expr) }
	add := func(of string, v any) {
		text, ok := v.(string)
		if !ok {
			data, _ := json.Marshal(timeless(v))
			text = string(data)
		}
		list = append(list, feature{of, clockless(show(text))})
	}
	for _, name := range endpointsOf(exchanges) {
		all, _ := value(fmt.Sprintf("[for a in endpoint.%s.attempts : { method = a.request.method, url = a.request.url, body = a.request.body, headers = a.request.headers }]", name)).([]any)
		add("the number of requests of "+name, len(all))
		for i, one := range all {
			request, _ := one.(map[string]any)
			of := fmt.Sprintf("request %d of %s", i+1, name)
			for _, part := range []string{"method", "url", "body"} {
				add("the "+part+" of "+of, request[part])
			}
			headers, _ := request["headers"].(map[string]any)
			for _, field := range slices.Sorted(maps.Keys(headers)) {
				add("the header field "+field+" of "+of, headers[field])
			}
		}
	}
	for _, a := range r.Answers {
		add("the answer to "+a.Name, value(a.Read))
	}
	if r.Program != nil {
		add("the status", value("sut.exit_code"))
		for _, stream := range []string{"stdout", "stderr"} {
			text, _ := value("sut." + stream).(string)
			for i, line := range strings.Split(text, "\n") {
				add(fmt.Sprintf("line %d of %s", i+1, stream), line)
			}
		}
	}
	return list
}

// valueOf is the value of an expression after a run, nil where it has none that is known.
func valueOf(r *sut.Run, expr string) any {
	if r.Seen == nil {
		return nil
	}
	v, diags := r.Seen.Value(expr)
	if diags.HasErrors() || !v.IsWhollyKnown() || v.IsMarked() {
		return nil
	}
	text, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return nil
	}
	var out any
	if json.Unmarshal(text, &out) != nil {
		return nil
	}
	return out
}

// endpointsOf are the names of those that were asked.
func endpointsOf(exchanges []interp.Ended) (names []string) {
	for _, x := range exchanges {
		if x.Endpoint != "" && !slices.Contains(names, x.Endpoint) {
			names = append(names, x.Endpoint)
		}
	}
	slices.Sort(names)
	return names
}

// answersOf are what the endpoints answered in JSON.
func answersOf(r *sut.Run, exchanges []interp.Ended) (list []beside.Answer) {
	for _, name := range endpointsOf(exchanges) {
		all, _ := valueOf(r, fmt.Sprintf("[for a in endpoint.%s.attempts : { status = a.status_code, content = a.response.content }]", name)).([]any)
		for _, one := range all {
			answer, _ := one.(map[string]any)
			status, _ := answer["status"].(float64)
			content, _ := answer["content"].(string)
			var said any
			if len(content) < mostWrote && json.Unmarshal([]byte(content), &said) == nil {
				list = append(list, beside.Answer{Of: name, Status: int(status), JSON: said})
			}
		}
	}
	return list
}

// filesOf are the features of the files that a run wrote, but for those that were changed before it. Show is what is
// shown of a text of them: none has secrets or the path of a copy.
func filesOf(files []written, changes []change, show func(string) string) (list []feature) {
	for _, w := range files {
		switch {
		case slices.ContainsFunc(changes, func(c change) bool { return c.of.Path == w.path }):
		case w.gone:
			list = append(list, feature{"the file " + w.path, "(removed)"})
		default:
			list = append(list, feature{"the file " + w.path, clockless(show(w.text))})
		}
	}
	return list
}

// timeless is a value without the times and the numbers of connections in it.
func timeless(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = timeless(v[i])
		}
	case map[string]any:
		for name, of := range v {
			if strings.HasSuffix(name, "_ms") || name == "connection" || name == "trace_id" {
				delete(v, name)
				continue
			}
			v[name] = timeless(of)
		}
	}
	return v
}

// instants are times of the day with the day before them, seconds since 1970 and how long something took: they are
// others in each run, or the same in two that began in one second.
var instants = pattern.New(`(?:\b\d{4}[-/]\d{2}[-/]\d{2}[T ]|\b)\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?|\b1[6-9]\d{8}(?:\d{3}|\d{6}|\d{9})?(?:\.\d+)?\b|\b\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s|secs|seconds)\b`)

// clockless is a text without the times in it.
func clockless(text string) string { return instants().ReplaceAllString(text, "(time)") }

// usual are the features that a program has each time that it is run.
func usual(a, b []feature) map[string]string {
	second := make(map[string]string, len(b))
	for _, f := range b {
		second[f.of] = f.text
	}
	same := make(map[string]string, len(a))
	for _, f := range a {
		if text, ok := second[f.of]; ok && text == f.text {
			same[f.of] = f.text
		}
	}
	return same
}

// differs says in what a run first differs from the usual ones, "" for in nothing. Varying are features that the
// usual ones had in one way and another.
func differs(of map[string]string, varying map[string]bool, run []feature) string {
	there := make(map[string]bool, len(run))
	for _, f := range run {
		there[f.of] = true
		if text, ok := of[f.of]; ok && text != f.text {
			if binary(f.text) && binary(text) {
				return f.of + " is other binary data"
			}
			return fmt.Sprintf("%s is %s (without it %s)", f.of, excerpt(f.text, text), excerpt(text, f.text))
		} else if !ok && !varying[f.of] && f.text != "" {
			return fmt.Sprintf("%s is %s (without it there is none)", f.of, excerpt(f.text, ""))
		}
	}
	var gone []string
	for name, text := range of {
		if !there[name] && text != "" {
			gone = append(gone, name)
		}
	}
	if len(gone) == 0 {
		return ""
	}
	slices.Sort(gone)
	return fmt.Sprintf("there is no %s (without it %s)", strings.TrimPrefix(gone[0], "the "), excerpt(of[gone[0]], ""))
}

// How much of a text is shown, and how much of that before the place where it differs from another.
const (
	shownMost   = 60
	shownBefore = 20
)

// binary reports whether a text is none: a database, an image, a program.
func binary(text string) bool { return strings.IndexByte(text, 0) >= 0 }

// excerpt is the part of a text where it begins to differ from another one.
func excerpt(text, other string) string {
	if binary(text) {
		return "binary data"
	}
	at := 0
	for at < len(text) && at < len(other) && text[at] == other[at] {
		at++
	}
	from := max(0, at-shownBefore)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	to := min(len(text), from+shownMost)
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	quoted := fmt.Sprintf("%q", text[from:to])
	if from > 0 {
		quoted = "…" + quoted
	}
	if to < len(text) {
		quoted += "…"
	}
	return quoted
}
