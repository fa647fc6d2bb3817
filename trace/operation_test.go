package trace

import "testing"

// Attempts are named by what they do, never by a query, which may hold
// secrets.
func TestOperation(t *testing.T) {
	for want, attrs := range map[string][]Attr{
		"chat gpt":          {{"operation", "chat"}, {"model", "gpt"}, {"method", "POST"}, {"url", "https://h/x"}},
		"chat":              {{"operation", "chat"}},
		"GET /path":         {{"method", "GET"}, {"url", "https://h/path?key=secret"}},
		"GET":               {{"method", "GET"}, {"url", "://bad"}},
		"tools/call search": {{"method", "tools/call"}, {"tool", "search"}},
		"SELECT":            {{"statement", "  select 1"}},
		"attempt":           {{"statement", "  "}},
	} {
		if got := Operation(&Event{Payload: Attrs(attrs)}); got != want {
			t.Errorf("%v: %q, want %q", attrs, got, want)
		}
	}
}
