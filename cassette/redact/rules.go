package redact

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// Rules are what a scenario hides beside what is always hidden. Names are
// compared like those: in any case, of members and parameters with or without
// underscores and hyphens.
type Rules struct {
	// Headers, Query and JSON are the names of header fields, of parameters of
	// a query or fields of a form, and of members of JSON objects.
	Headers, Query, JSON []string
	// Patterns find values; all that one matches is hidden.
	Patterns []*regexp.Regexp
}

// Empty reports whether nothing more is hidden.
func (l Rules) Empty() bool { return len(l.Headers)+len(l.Query)+len(l.JSON)+len(l.Patterns) == 0 }

// rules are [Rules] ready to be looked up.
type rules struct {
	headers, query, json map[string]bool
	patterns             []*regexp.Regexp
}

// With returns a redactor that also hides what the rules say; r, which may be
// nil, stays as it is.
func (r *Redactor) With(l Rules) *Redactor {
	if l.Empty() {
		return r
	}
	out := &Redactor{}
	if r != nil {
		*out = *r
	}
	out.rules = &rules{headers: folded(l.Headers), query: folded(l.Query), json: folded(l.JSON), patterns: l.Patterns}
	return out
}

func folded(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[fold(n)] = true
	}
	return set
}

// fold is a name in lower case without underscores and hyphens.
func fold(name string) string { return strings.ToLower(withoutSigns.Replace(name)) }

var withoutSigns = strings.NewReplacer("_", "", "-", "")

// Member is a text as it may be shown that stands under a name in an object.
func (r *Redactor) Member(name, text string) string {
	if text != "" && !IsPlaceholder(text) && (r.IsName(name) || IsSecretMember(name, text)) {
		return Placeholder(text)
	}
	return r.Text(text)
}

// IsName reports whether values of this name are hidden whatever they are: one
// that [IsSecretName] knows, or one of the rules for JSON.
func (r *Redactor) IsName(name string) bool {
	return IsSecretName(name) || r != nil && r.rules != nil && r.rules.json[fold(name)]
}

func (r *Redactor) isField(name, value string) bool {
	return isSecretField(name, value) || r != nil && r.rules != nil && r.rules.headers[fold(name)]
}

// byRule hides by the names of the rules what was not hidden already.
func (r *Redactor) byRule(text string) string {
	if r == nil || r.rules == nil {
		return text
	}
	if len(r.rules.json) > 0 {
		text = members{value: r.rules.member, may: func(string) bool { return true }}.hide(text, 0)
	}
	if len(r.rules.query) > 0 {
		text = hideFields(eachURL(text, r.rules.url), r.rules.isParameter)
	}
	return text
}

// member is [members.value] for the names of the rules, which may have any
// letters.
func (l *rules) member(text string, m member) (value, begins int, below nameKind) {
	end := stringEnd(text, m.quote)
	colon := skipSpace(text, end)
	if colon < len(text) && text[colon] == ':' && l.json[fold(unescape(inside(text, m.quote, end)))] {
		return skipSpace(text, colon+1), 0, plain
	}
	return 0, 0, plain
}

// url hides the parameters of a URL's query and fragment by the names of the
// rules.
func (l *rules) url(raw string) string {
	rest, fragment, hasFragment := strings.Cut(raw, "#")
	base, query, hasQuery := strings.Cut(rest, "?")
	if hasQuery {
		base += "?" + hideParametersIf(query, l.isParameter)
	}
	if hasFragment {
		base += "#" + hideParametersIf(fragment, l.isParameter)
	}
	return base
}

func (l *rules) isParameter(name, _ string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	return l.query[fold(name)]
}

// form hides fields of a form by the names of the rules.
func (r *Redactor) form(body string) string {
	if r == nil || r.rules == nil {
		return body
	}
	return hideParametersIf(body, r.rules.isParameter)
}

// address hides what a URL carries, by all names.
func (r *Redactor) address(raw string) string {
	raw = hideURL(raw)
	if r == nil || r.rules == nil {
		return raw
	}
	return r.rules.url(raw)
}

// matched adds the regions that patterns match in a part of a text that begins
// at a place.
func (r *Redactor) matched(found []region, part string, at int) []region {
	if r.rules == nil || len(r.rules.patterns) == 0 {
		return found
	}
	for _, p := range r.rules.patterns {
		for _, m := range p.FindAllStringIndex(part, -1) {
			if m[0] < m[1] {
				found = append(found, region{start: at + m[0], end: at + m[1], longest: m[1] - m[0], secret: part[m[0]:m[1]]})
			}
		}
	}
	return sorted(found)
}

// whole reports whether a pattern matches all of a text.
func (r *Redactor) whole(text string) bool {
	if r.rules == nil {
		return false
	}
	for _, p := range r.rules.patterns {
		if m := p.FindStringIndex(text); m != nil && m[0] == 0 && m[1] == len(text) && text != "" {
			return true
		}
	}
	return false
}

// Alike is a request as it is compared where a scenario has rules of its own:
// what is hidden has no value any more, as a recording and a replay need not
// have the same one.
func (r *Redactor) Alike(in Request) Request {
	out := r.Request(in)
	out.URL, out.Body = Blank(out.URL), []byte(Blank(string(out.Body)))
	shown := out.Header
	out.Header = http.Header{}
	for name, values := range shown {
		for _, v := range values {
			out.Header[name] = append(out.Header[name], Blank(v))
		}
	}
	return out
}

// Blank puts one word for every placeholder.
func Blank(text string) string {
	var e edits
	for at := 0; at < len(text); {
		start, end := nextPlaceholder(text, at)
		if start < end {
			e.replace(start, end, "<REDACTED>")
		}
		at = end
	}
	return e.apply(text)
}
