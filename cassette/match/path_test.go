package match

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// What a message names can be ignored as it is written there: two requests are
// equal when all places in which they differ are.
func TestDifferencesCanBeIgnored(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	tried := 0
	for range 3_000 {
		a, b := arbitraryRequest(t, r), arbitraryRequest(t, r)
		for _, profile := range []string{Strict, Semantic} {
			m := Match{Profile: profile}
			diffs := m.Diff(a, b)
			if len(diffs) == 0 || len(diffs) == diffsMax {
				continue
			}
			tried++
			for _, d := range diffs {
				if err := CheckPath(d.Path); err != nil {
					t.Fatal(err)
				}
				m.Ignore = append(m.Ignore, d.Path)
			}
			if left := m.Diff(a, b); len(left) > 0 || m.Key(a) != m.Key(b) {
				t.Fatalf("%s\n%s\n%s\nignoring %q\nleft %v", profile, a.Body, b.Body, m.Ignore, left)
			}
		}
	}
	if tried < 3_000 {
		t.Errorf("only %d pairs differed", tried)
	}
}

func arbitraryRequest(t *testing.T, r *rand.Rand) Request {
	t.Helper()
	var body any = arbitraryBody(r)
	if r.IntN(3) == 0 {
		body = map[string]any{"a b": arbitraryValue(r, 3), "c": arbitraryValue(r, 2)}
	}
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return Request{Method: "POST", URL: "https://" + pick(r, "a", "b") + "/v1?x=" + pick(r, "1", "2", "1&x=3&y=", "2&y=1"), Body: data}
}

// A place that is ignored is left out on both sides, and nothing else is.
func TestIgnore(t *testing.T) {
	const one = `{"a":{"id":1,"n":"x"},"l":[{"id":1,"n":1},{"id":2,"n":2}],"m":[[1,2],[3]]}`
	for _, c := range []struct {
		ignore, another string
		equal           bool
	}{
		{"body.a.id", `{"a":{"id":9,"n":"x"},"l":[{"id":1,"n":1},{"id":2,"n":2}],"m":[[1,2],[3]]}`, true},
		{"body.a.id", `{"a":{"n":"x"},"l":[{"id":1,"n":1},{"id":2,"n":2}],"m":[[1,2],[3]]}`, true},
		{"body.a.id", `{"a":{"id":9,"n":"y"},"l":[{"id":1,"n":1},{"id":2,"n":2}],"m":[[1,2],[3]]}`, false},
		{"body.l[*].id", `{"a":{"id":1,"n":"x"},"l":[{"id":7,"n":1},{"id":8,"n":2}],"m":[[1,2],[3]]}`, true},
		{"body.l[*].id", `{"a":{"id":1,"n":"x"},"l":[{"id":1,"n":2},{"id":2,"n":2}],"m":[[1,2],[3]]}`, false},
		{"body.l[*].id", `{"a":{"id":1,"n":"x"},"l":[{"id":1,"n":1}],"m":[[1,2],[3]]}`, false},
		{"body.l[1].id", `{"a":{"id":1,"n":"x"},"l":[{"id":1,"n":1},{"id":3,"n":2}],"m":[[1,2],[3]]}`, true},
		{"body.l[1].id", `{"a":{"id":1,"n":"x"},"l":[{"id":3,"n":1},{"id":2,"n":2}],"m":[[1,2],[3]]}`, false},
		{"body.m[*][0]", `{"a":{"id":1,"n":"x"},"l":[{"id":1,"n":1},{"id":2,"n":2}],"m":[[9,2],[9]]}`, true},
		{`body["a"].id`, `{"a":{"id":9,"n":"x"},"l":[{"id":1,"n":1},{"id":2,"n":2}],"m":[[1,2],[3]]}`, true},
		{"body", `{}`, true},
		{"query", `{}`, false},
	} {
		m := Match{Ignore: []string{c.ignore}}
		if equal := len(m.Diff(asked(one), asked(c.another))) == 0; equal != c.equal {
			t.Errorf("%s: %s: equal %v", c.ignore, c.another, equal)
		}
		if !m.Compares(asked(one), c.ignore) && strings.HasPrefix(c.ignore, "body") {
			t.Errorf("%s: nothing is compared there", c.ignore)
		}
	}
}

// A place that begins as a condition has it is answered with the place: only requests are
// compared, so none begins with that word.
func TestPathOfRequest(t *testing.T) {
	for path, want := range map[string]string{
		"request.body.model": "write body.model",
		"request.model":      "write body.model",
		"request.method":     "requests that differ in the method",
		"request":            "write body.request",
	} {
		if err := CheckPath(path); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "body.request.") {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

// What is no place says why.
func TestCheckPath(t *testing.T) {
	for _, path := range []string{"", "a", "metadata.id", "path", "method", "host.x", "body.", "body..a", "body[", "body[x]", "body[-1]", `body["a`, `body["a"x]`, "header X[0]", "bodyx"} {
		if CheckPath(path) == nil {
			t.Errorf("%q is a place", path)
		}
	}
	for _, path := range []string{"host", "query", "query.ts", "query.ts[0]", "body", "body.a-b_1[*][2].c", `body["a b"]["\"]"]`} {
		if err := CheckPath(path); err != nil {
			t.Error(err)
		}
	}
}
