package match

import "testing"

// What routers of Express, Rails, Gin, Flask, FastAPI and net/http fill is found, and no
// other use of a colon or a brace: Google's methods and the parts of a URN have colons.
func TestPlaceholders(t *testing.T) {
	for path, want := range map[string]string{
		"/orders/:id":                      ":id",
		"/orders/:order_id/items/:n":       ":order_id",
		"/orders/{id}":                     "{id}",
		"/a/{b}/c":                         "{b}",
		"/v1beta/models/m:generateContent": "",
		"/orders/*":                        "",
		"/orders/:8080":                    "",
		"/urn:isbn:1":                      "",
		"/a/{}":                            "",
		"/a/{b":                            "",
		"/a/:":                             "",
		"/":                                "",
	} {
		if got := placeholder(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
