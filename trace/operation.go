package trace

import (
	"net/url"
	"strings"
)

// Operation is what an attempt does, as its span is called: `chat MODEL`,
// `tools/call NAME`, `GET /path` or `SELECT`, by what its event says.
func Operation(e *Event) string {
	method := e.Text("method")
	switch operation := e.Text("operation"); {
	case operation != "":
		return strings.TrimSpace(operation + " " + e.Text("model"))
	case strings.Contains(method, "/"):
		return strings.TrimSpace(method + " " + e.Text("tool"))
	case method != "":
		return strings.TrimSpace(method + " " + path(e.Text("url")))
	}
	if words := strings.Fields(e.Text("statement")); len(words) > 0 {
		return strings.ToUpper(words[0])
	}
	return "attempt"
}

// path is the path of a URL, without the query, which may hold secrets.
func path(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Path
}
