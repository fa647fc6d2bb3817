package adaptertest_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/providers/adaptertest"
)

// Shows that of what any provider asks, with and without a body, a recording compares
// something that the request says, and nothing where its query and its body are ignored
// or everything in them is.
func TestRequestsThatAreIgnoredWhole(t *testing.T) {
	for _, reading := range readings {
		t.Run(reading.name, func(t *testing.T) {
			asked := 0
			for seed := range uint64(300) {
				r := rand.New(rand.NewPCG(seed, 9))
				in := reading.draw(r)
				req, body, err := adaptertest.Written(reading.adapter, in, reading.base)
				if err != nil || in.Model != "" && len(in.Messages) == 0 {
					continue // a name that has no place in a path, a model that is told nothing
				}
				at := "https://api.example/" + strings.TrimPrefix(req.URL.EscapedPath(), "/")
				was := match.Request{Method: req.Method, URL: at + "?" + req.URL.RawQuery, Header: req.Header, Body: body}
				other := was
				other.URL, other.Body = at+"?other=1", []byte(`{"other":1}`)
				for _, profile := range []string{match.Strict, match.Semantic} {
					plain, all := match.Match{Profile: profile}, match.Match{Profile: profile, Ignore: []string{"query", "body"}}
					if plain.Asks(was) == 0 {
						continue
					}
					asked++
					if !plain.Says(was, match.AsItIs) {
						t.Fatalf("%s: nothing is compared of %s %s\n%s", profile, was.Method, was.URL, body)
					}
					if all.Key(was) != all.Key(other) && profile == match.Strict {
						t.Fatalf("another request is noticed: %v", all.Diff(was, other))
					}
					if !all.IgnoresAll(was, match.AsItIs) {
						t.Fatalf("%s: something is compared of %s %s\n%s", profile, was.Method, was.URL, body)
					}
				}
			}
			if asked < 100 {
				t.Errorf("only %d requests ask anything", asked)
			}
		})
	}
}
