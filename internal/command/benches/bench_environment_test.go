package benches

import "testing"

// Shows that the port of a service on this machine is no difference between two
// runs, and that its host, its path, and ports elsewhere are.
func TestEnvironmentSumLeavesLoopbackPortsOut(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		alike bool
	}{
		{"OPENAI_BASE_URL=http://127.0.0.1:4001/v1", "OPENAI_BASE_URL=http://127.0.0.1:50222/v1", true},
		{"URL=http://localhost:1", "URL=http://localhost:2", true},
		{"URL=http://[::1]:1/a", "URL=http://[::1]:2/a", true},
		{"URL=http://127.0.0.1:1/a", "URL=http://127.0.0.1:1/b", false},
		{"URL=https://models.test:1/", "URL=https://models.test:2/", false},
		{"MODEL=a:1", "MODEL=a:2", false},
	} {
		if got := environmentSum([]string{c.a}) == environmentSum([]string{c.b}); got != c.alike {
			t.Errorf("%s and %s: alike is %v", c.a, c.b, got)
		}
	}
}
