package unread

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"
)

// Shows of generated JSON, written with and without spaces, that a change of one plain value leaves text that is JSON
// and has another value there, and everything else as it was.
func TestChangesOfBodies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	changed := 0
	for range 2000 {
		v := map[string]any{"a": generated(r, 0), "b": generated(r, 0)}
		raw, err := json.Marshal(v)
		if r.IntN(2) == 0 {
			raw, err = json.MarshalIndent(v, "", "  ")
		}
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		root := parsed(text)
		if root == nil {
			t.Fatalf("%s is not parsed", text)
		}
		var paths []string
		root.leaf("", 0, func(path string, _ *value) { paths = append(paths, path) })
		path := paths[r.IntN(len(paths))]
		for _, how := range []how{alike, each, none} {
			other := change{how: how, n: 3}.in(text, func(p string) bool { return p == path })
			was, is := leaves(t, text), leaves(t, other)
			for p, list := range was {
				same := reflect.DeepEqual(list, is[p])
				if p == path && how != none && same || p != path && !same {
					t.Fatalf("%d of %s in\n%s\nis\n%s", how, path, text, other)
				}
				if p == path && !same {
					changed++
				}
			}
		}
	}
	if changed < 4000 {
		t.Errorf("%d values were changed", changed)
	}
}

// leaves are the plain values of a text, as its own parser reads them from what the standard library does.
func leaves(t *testing.T, text string) map[string][]any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	list := map[string][]any{}
	parsed(text).leaf("", 0, func(path string, v *value) {
		var e any
		if err := json.Unmarshal([]byte(text[v.from:v.to]), &e); err != nil {
			t.Fatalf("%s of %s: %v", path, text, err)
		}
		list[path] = append(list[path], e)
	})
	return list
}

func generated(r *rand.Rand, depth int) any {
	switch n := r.IntN(9); {
	case n < 2 && depth < 3:
		m := map[string]any{}
		for i := range r.IntN(4) {
			m[string(rune('k'+i))] = generated(r, depth+1)
		}
		return m
	case n < 4 && depth < 3:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, generated(r, depth+1))
		}
		return list
	case n == 4:
		return r.IntN(5000) - 1000
	case n == 5:
		return r.Float64() * 1e9
	case n == 6:
		return r.IntN(2) == 0
	case n == 7:
		return nil
	}
	return []string{"", "other", "ä\"\\\n\u2028", "{\"x\": [1]}", "12", "order-" + strconv.Itoa(r.IntN(9))}[r.IntN(6)]
}

// Shows that what is no JSON, or no object or list, has no plain values.
func TestBodiesThatAreNoJSON(t *testing.T) {
	for _, text := range []string{"", "a=1&b=2", `"text"`, "12", "{", `{"a":`, `{"a":1} x`, `[1,]`, "null", "<a/>"} {
		if v := parsed(text); v != nil {
			t.Errorf("%q is parsed", text)
		}
		if other := (change{how: alike}).in(text, func(string) bool { return true }); other != text {
			t.Errorf("%q is changed to %q", text, other)
		}
	}
}

// Shows that a member which is left out leaves all others as they were, and that another text of a form has its form.
func TestWithoutAndInForm(t *testing.T) {
	for _, c := range [][3]string{
		{`{"a":{"b":1,"c":2},"l":[{"b":1},{"b":2}]}`, "a.b", `{"a":{"c":2},"l":[{"b":1},{"b":2}]}`},
		{`{"a":{"b":1,"c":2},"l":[{"b":1},{"b":2}]}`, "l[].b", `{"a":{"b":1,"c":2},"l":[{},{}]}`},
		{`{"a":12345678901234567890,"b":"<x>"}`, "c", `{"a":12345678901234567890,"b":"<x>"}`},
	} {
		if got := (change{how: absent}).in(c[0], func(path string) bool { return path == c[1] }); got != c[2] {
			t.Errorf("%s without %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
	for was, want := range map[string]string{"CHF": "EUR", "EUR": "USD", "CH": "DE", "2026-02-28": "2026-03-01", "ab-12f": "bc-23a", "o-7": "p-8", "12": "12", "two words": "two words"} {
		if got := alikeInForm(was); got != want {
			t.Errorf("%s: %s, want %s", was, got, want)
		}
	}
}
