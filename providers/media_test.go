package providers

import (
	"mime"
	"net/http"
	"testing"
)

// Shows that the media type of a field is the one that the standard library
// finds where it finds one, and is there also where the parameters are broken.
func TestMediaType(t *testing.T) {
	for value, want := range map[string]string{
		"": "", "application/json": "application/json", " Text/HTML ; charset=utf-8": "text/html", "text/plain; charset": "text/plain", "text/plain; a=1; a=2": "text/plain",
		"application/problem+json;": "application/problem+json", "nonsense": "nonsense",
	} {
		got := MediaType(http.Header{"Content-Type": {value}})
		if known, _, err := mime.ParseMediaType(value); got != want || err == nil && got != known {
			t.Errorf("%q: got %q, want %q, the library has %q", value, got, want, known)
		}
	}
}
