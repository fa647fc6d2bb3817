package exchange

import (
	"context"
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/http"
)

// Shows that a request which is sent again, under another context, has the names of its header fields as they were
// written.
func TestAgainKeepsNames(t *testing.T) {
	req, err := http.Adapter{}.Request(context.Background(), providers.Input{BaseURL: "http://h", Headers: map[string]string{"x-api-key": "k"}})
	if err != nil {
		t.Fatal(err)
	}
	q := &Request{HTTP: req}
	// A plain map, as http.Header would ask for the name in its canonical form.
	sent := map[string][]string(providers.Spelled(q.Again(context.Background())).Header)
	if len(sent["x-api-key"]) != 1 {
		t.Errorf("sent again: %v", sent)
	}
}
