package exchange

import (
	"net/http"
	"testing"
)

// A client takes gzip where it says so, or says nothing.
func TestTakesGzip(t *testing.T) {
	for said, want := range map[string]bool{
		"gzip": true, "gzip, deflate, br": true, "br;q=1.0, gzip;q=0.8, *;q=0.1": true, "*": true, "deflate, GZIP ; q=0.5": true, "x-gzip": true,
		"identity": false, "": false, "br": false, "gzip;q=0": false, "gzip; q=0.000": false, "deflate": false,
	} {
		if got := takesGzip(http.Header{"Accept-Encoding": {said}}); got != want {
			t.Errorf("%q: %t", said, got)
		}
	}
	if !takesGzip(http.Header{}) {
		t.Error("one that says nothing")
	}
}
