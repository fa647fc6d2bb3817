package readable

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"
)

// Shows how bodies stand in a file: JSON on one line becomes a line for every
// member, streams one event a block whatever their line ends, and no character
// makes a body one quoted line.
func TestLayout(t *testing.T) {
	long := strings.Repeat("x", 60)
	for name, c := range map[string]struct{ contentType, body, want, words string }{
		"short":                   {"application/json", `{"a":1}`, `{"a":1}`, ""},
		"compact":                 {"application/json", `{"a":"` + long + `","b":[],"c":{"d":[{"e":null}]},"f":{}}` + "\n", "{\n  \"a\": \"" + long + "\",\n  \"b\": [],\n  \"c\": {\n    \"d\": [\n      {\n        \"e\": null\n      }\n    ]\n  },\n  \"f\": {}\n}\n", "compact"},
		"spaced":                  {"", `{"a": "` + long + `, :", "b": [1, 2]}`, "{\n  \"a\": \"" + long + ", :\",\n  \"b\": [\n    1, 2\n  ]\n}", "spaced"},
		"mixed":                   {"application/json", `{"a":"` + long + long + `", "b":1}`, `{"a":"` + long + long + `", "b":1}`, ""},
		"emoji":                   {"application/json", `{"a":"` + long + long + "😀\u2028\\\\\"}", "{\n  \"a\": \"" + long + long + "\\ud83d\\ude00\\u2028\\\\\"\n}", "compact escaped"},
		"windows":                 {"text/event-stream", "data: {\"a\":\"😀\"}\r\n\r\n: x\r\n\r\n", "data: {\"a\":\"\\ud83d\\ude00\"}\n\n: x\n\n", "crlf escaped"},
		"both ends":               {"text/event-stream", "data: 1\r\n\ndata: 2\n\n", "data: 1\r\n\ndata: 2\n\n", ""},
		"no JSON":                 {"text/event-stream", "data: 😀\n\n", "data: 😀\n\n", ""},
		"text":                    {"text/plain", "a\r\nb\r\n", "a\r\nb\r\n", ""},
		"escapes that were there": {"application/json", `{"a":"` + long + long + `\ud83d\ude00` + "😀\"}", "{\n  \"a\": \"" + long + long + `\ud83d\ude00` + `\ud83d\ude00` + "\"\n}", ""},
	} {
		got, words := LayOut(c.contentType, c.body)
		if c.words == "" {
			c.want = c.body // what could not be undone is left as it is
		}
		if got != c.want || strings.Join(words, " ") != c.words {
			t.Errorf("%s: %v\n%s\nwant %s\n%s", name, words, got, c.words, c.want)
		}
		if back, err := Restored(got, words); back != c.body || err != nil {
			t.Errorf("%s: restored %q, %v", name, back, err)
		}
	}
	numbers := "[" + strings.TrimSuffix(strings.Repeat("-0.125,", 200), ",") + "]"
	got, _ := LayOut("application/json", numbers)
	if n := strings.Count(got, "\n"); n < 15 || n > 25 {
		t.Errorf("200 numbers take %d lines:\n%s", n, got)
	}
	if _, err := Restored("{}", []string{"sideways"}); err == nil {
		t.Error("an unknown word is taken")
	}
}

// Whatever JSON and streams hold, the bytes are restored and what stands in the
// file is equal to them as JSON.
func TestLayoutLosesNothing(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	pieces := []string{`{"a":`, `}`, `[`, `]`, `,`, `:`, `"x"`, `"\\"`, `"\ud83d"`, `"\u2028"`, "\"😀\"", "\"\u2028\u0085\ufeff\"", `1`, `-2.50`, `1E9`, `null`, "\n", "\r\n", "\t", " ", "data: ", `\`, `\u`, `\ud83d\ude00`}
	laidOut := 0
	for i := range 200000 {
		var b strings.Builder
		for range random.Intn(12) {
			b.WriteString(pieces[random.Intn(len(pieces))])
		}
		body := b.String()
		if i%2 == 0 {
			body = fmt.Sprintf(`{"k":%q,"a":[%s]}`, strings.Repeat("k", 80), strings.TrimSuffix(strings.Repeat(pieces[5+random.Intn(10)]+",", random.Intn(5)), ","))
		}
		contentType := []string{"application/json", "text/event-stream"}[random.Intn(2)]
		text, words := LayOut(contentType, body)
		if len(words) > 0 {
			laidOut++
		}
		if back, err := Restored(text, words); back != body || err != nil {
			t.Fatalf("%q became %q (%v) and %q, %v", body, text, words, back, err)
		}
		var was, is any
		if json.Unmarshal([]byte(body), &was) == nil {
			if err := json.Unmarshal([]byte(text), &is); err != nil || !reflect.DeepEqual(was, is) {
				t.Fatalf("%q became %q: %v", body, text, err)
			}
		}
	}
	if laidOut < 20000 {
		t.Errorf("only %d were laid out", laidOut)
	}
}
