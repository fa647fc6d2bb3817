package plan

import (
	"net/http"
	"strings"
)

// HeaderMap flattens header fields: names in lower case, several values joined
// by a comma, credentials hidden.
func HeaderMap(h http.Header) map[string]string {
	m := make(map[string]string, len(h))
	for name, values := range h {
		m[strings.ToLower(name)] = ByName.Header(name, strings.Join(values, ", "))
	}
	return m
}
