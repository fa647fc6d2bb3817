package chat

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

// Posts reports whether a request is a POST to one of these paths.
func Posts(r *http.Request, paths ...string) bool {
	if r.Method != http.MethodPost {
		return false
	}
	for _, p := range paths {
		if r.URL.Path == p {
			return true
		}
	}
	return false
}

// ModelMethod takes an address apart that names a model and what is asked of it,
// as Google's do: …/COLLECTION/MODEL:METHOD. It is "" where an address does not.
func ModelMethod(r *http.Request, collection string) (model, method string) {
	path := r.URL.EscapedPath()
	i := strings.LastIndexByte(path, '/')
	if i < 0 || !strings.HasSuffix(path[:i], "/"+collection) {
		return "", ""
	}
	last := path[i+1:]
	if i = strings.LastIndexByte(last, ':'); i < 0 {
		return "", ""
	}
	return Unescaped(last[:i]), last[i+1:]
}

// Unescaped is a segment of a path as it was before it was escaped, and "" for
// one that nobody escaped so.
func Unescaped(segment string) string {
	text, err := url.PathUnescape(segment)
	if err != nil {
		return ""
	}
	return text
}

// Result is what Read returns: the input, or what is wrong with the body.
func Result(in providers.Input, body Object) (providers.Input, error) {
	if err := body.Err(); err != nil {
		return providers.Input{}, err
	}
	return in, nil
}

// Texts is what a content says that is a string, or a list of parts: the text of
// those of the given types, joined. Parts of other types, such as images, are
// passed over.
func (v Value) Texts(types ...string) string {
	if !v.IsList() {
		return v.Said()
	}
	var b strings.Builder
	for _, part := range v.Objects() {
		kind := part.Need("type").Text()
		for _, t := range types {
			if kind == t {
				b.WriteString(part.Need("text").Text())
			}
		}
	}
	return b.String()
}

// ReadFunctionTools reads what [FunctionTools] writes. Tools of other types are
// the vendor's own and passed over, but for custom ones, which take a text and
// have no schema.
func ReadFunctionTools(list Value) []providers.Tool {
	var tools []providers.Tool
	for _, o := range list.Objects() {
		switch kind := o.Get("type"); kind.Text() {
		case "function", "":
			tools = append(tools, ReadFunction(o.Need("function").Object()))
		case "custom":
			tools = append(tools, ReadFunction(o.Need("custom").Object()))
		}
	}
	return tools
}

// ReadFunction reads a function that is offered to a model.
func ReadFunction(o Object) providers.Tool {
	return providers.Tool{Name: o.Need("name").Text(), Description: o.Get("description").Text(), Schema: o.Get("parameters").Any()}
}
