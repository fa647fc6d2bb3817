package convert

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"gopkg.in/yaml.v3"
)

// stubRequest turns what a stub compares into a request that fits it, and
// returns a name for it.
func (r *importReader) stubRequest(o *object, step *DraftStep) string {
	method := o.text("method")
	if method == "" || method == "ANY" {
		if method != "" {
			r.note(o.get("method"), "any method", "becomes GET")
		}
		method = http.MethodGet
	}
	step.Safe = slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete, http.MethodOptions}, method)
	path, query := r.stubPath(o)
	query = append(query, r.patterns(o, "queryParameters")...)
	query = append(query, r.patterns(o, "queryParams")...)
	step.Request = []Attr{{"method", method}, {"path", path}}
	if len(query) > 0 {
		step.Request = append(step.Request, Attr{"query", once(query)})
	}
	if fields := r.patterns(o, "headers"); len(fields) > 0 {
		step.Request = append(step.Request, Attr{"headers", once(fields)})
	}
	if body := r.stubSent(o); body.Value != nil && method != http.MethodGet {
		step.Request = append(step.Request, body)
	}
	o.leave("it would be a credential in the file", "basicAuthCredentials", "basicAuth", "cookies")
	o.leave("a step cannot be chosen by it", "formParameters", "multipartPatterns", "pathParameters", "host", "port", "scheme", "customMatcher", "clientIp")
	o.end()
	return method + " " + path
}

// once keeps the first attribute of each name.
func once(list []Attr) []Attr {
	var out []Attr
	for _, a := range list {
		out = mergedAttrs(out, []Attr{a})
	}
	return out
}

// stubPath is a path that the stub answers, with its query.
func (r *importReader) stubPath(o *object) (string, []Attr) {
	for _, key := range []string{"url", "urlPath", "urlPathTemplate", "urlPattern", "urlPathPattern"} {
		n := o.get(key)
		if n == nil {
			continue
		}
		path := o.text(key)
		if strings.HasSuffix(key, "Pattern") || key == "urlPathTemplate" {
			r.note(n, key, "becomes a path that it may stand for: write the one that is called")
			path = example(path)
		}
		base, query, _ := strings.Cut(path, "?")
		var fields []Attr
		if values, err := url.ParseQuery(query); err == nil {
			for _, name := range slices.Sorted(maps.Keys(values)) {
				fields = append(fields, Attr{name, values.Get(name)})
			}
		}
		if !strings.HasPrefix(base, "/") {
			base = "/" + base
		}
		return base, fields
	}
	return "/", nil
}

// patterns are fields that a stub compares, with a value that fits.
func (r *importReader) patterns(o *object, key string) []Attr {
	n := o.get(key)
	if n == nil {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		r.wrong(n, key+" of "+o.what, "an object")
		return nil
	}
	var fields []Attr
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		if value, ok := r.fitting(r.object(n.Content[i+1], "a comparison")); ok {
			fields = append(fields, Attr{name, value})
		}
	}
	return fields
}

// fitting is a text that a comparison accepts; ok is false where the field must
// be absent.
func (r *importReader) fitting(o *object) (text string, ok bool) {
	defer o.end()
	o.skip("caseInsensitive")
	if n := o.get("absent"); n != nil {
		return "", n.Value != "true"
	}
	if o.has("equalTo") {
		return o.text("equalTo"), true
	}
	for _, key := range []string{"contains", "matches", "doesNotMatch", "doesNotContain", "equalToJson", "includes", "hasExactly", "before", "after", "or", "and", "not", "equalToDateTime"} {
		if n := o.get(key); n != nil {
			r.note(n, "the comparison "+key, "becomes a value that may fit: write the one that is sent")
			switch {
			case key == "contains":
				return o.text(key), true
			case key == "matches":
				return example(o.text(key)), true
			}
			return "x", true
		}
	}
	return "x", true
}

// stubSent is a body that the stub accepts. Of several comparisons the first
// that says all of it counts.
func (r *importReader) stubSent(o *object) Attr {
	var body Attr
	for _, n := range o.list("bodyPatterns") {
		p := r.object(n, "a comparison of the body")
		p.skip("ignoreArrayOrder", "ignoreExtraElements", "caseInsensitive")
		switch value := p.get("equalToJson"); {
		case value != nil && value.Kind == yaml.ScalarNode && yamlnode.FromJSON([]byte(value.Value)) != nil:
			body = Attr{"json", treeValue(yamlnode.FromJSON([]byte(value.Value)))}
		case value != nil && value.Kind != yaml.ScalarNode:
			body = Attr{"json", treeValue(value)}
		case p.has("equalTo"):
			body = Attr{"body", p.text("equalTo")}
		case p.has("contains") && body.Value == nil:
			r.note(p.node, "a part of a body", "becomes all of it")
			body = Attr{"body", p.text("contains")}
		default:
			p.leave("write a body that fits into the step", "equalToXml", "matches", "matchesJsonPath", "matchesXPath", "matchesJsonSchema", "doesNotMatch", "doesNotContain", "binaryEqualTo", "absent", "contains")
		}
		p.end()
	}
	return body
}

// isText reports whether a scenario file can hold the bytes.
func isText(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }
