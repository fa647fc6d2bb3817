package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type raw string

func (r raw) AppendJSON(dst []byte) []byte { return append(dst, r...) }

type word string

// A trace is a header and a line for each event, written here by hand.
func TestWriteToGolden(t *testing.T) {
	var l Log
	l.Append(Event{Type: RunStart, Payload: Attrs{{"workflow", "support"}, {"run_id", "r1"}, {"inputs", map[string]any{"b": 1, "a": []any{true, nil}, "z": nil}}}})
	l.Append(Event{
		At: 1500 * time.Millisecond, Type: AttemptStart, Step: "ask", Call: "c", Actor: "x",
		Attempt: 2, Round: 1, Turn: 3, Iteration: 4, Target: "primary", Payload: Attrs{{"url", "http://h/a?b=1&c=<d>"}, {"body", nil}},
	})
	l.Append(Event{
		At: 2 * time.Second, Type: AttemptEnd, Step: "ask", Attempt: 2,
		Payload: Attrs{{"cost_usd", 0.25}, {"status_code", 429}, {"retry_after_ns", 30 * time.Second}, {"outcome", word("failure")}, {"usage", raw(`{"total_tokens":11}`)}, {"complete", false}},
	})
	want := `{"trace":1,"file":"a/b.scenario.hcl","scenario":"says \"hi\"","seed":7,"plan":"sha256:00","run_id":"r1"}
{"seq":1,"at_ns":0,"type":"run_start","inputs":{"a":[true,null],"b":1},"run_id":"r1","workflow":"support"}
{"seq":2,"at_ns":1500000000,"type":"attempt_start","step":"ask","call":"c","actor":"x","attempt":2,"round":1,"turn":3,"iteration":4,"target":"primary","url":"http://h/a?b=1&c=<d>"}
{"seq":3,"at_ns":2000000000,"type":"attempt_end","step":"ask","attempt":2,"complete":false,"cost_usd":0.25,"outcome":"failure","retry_after_ns":30000000000,"status_code":429,"usage":{"total_tokens":11}}
`
	var buf bytes.Buffer
	h := Header{File: "a/b.scenario.hcl", Scenario: `says "hi"`, Seed: 7, Plan: "sha256:00", RunID: "r1"}
	if err := WriteTo(&buf, h, l.Events()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, buf.String()); diff != "" {
		t.Error(diff)
	}
	if got := string(Header{}.AppendJSON(nil)); got != `{"trace":1,"seed":0}` {
		t.Errorf("empty header: %s", got)
	}
}

// Strings have the escapes of RFC 8785 §3.2.2.2 and no others; what is no
// UTF-8 becomes the replacement character, byte by byte.
func TestAppendString(t *testing.T) {
	for in, want := range map[string]string{
		"":                     `""`,
		"\u20ac$\x0f\nA'B\"\\": `"€$\u000f\nA'B\"\\"`,
		"</script>&":           `"</script>&"`,
		"\b\t\f\r\x00\x1f\x7f": `"\b\t\f\r\u0000\u001f` + "\x7f" + `"`,
		"a\xffb\xc3":           `"a` + "\uFFFD" + `b` + "\uFFFD" + `"`,
		"\uFFFD":               `"` + "\uFFFD" + `"`,
		"\u2028":               `"` + "\u2028" + `"`,
	} {
		if got := string(AppendString(nil, in)); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// Numbers are laid out as in the table of RFC 8785, appendix B.
func TestAppendFloat(t *testing.T) {
	for bits, want := range map[uint64]string{
		0x0000000000000000: "0",
		0x8000000000000000: "0",
		0x0000000000000001: "5e-324",
		0x8000000000000001: "-5e-324",
		0x7fefffffffffffff: "1.7976931348623157e+308",
		0xffefffffffffffff: "-1.7976931348623157e+308",
		0x4340000000000000: "9007199254740992",
		0xc340000000000000: "-9007199254740992",
		0x4430000000000000: "295147905179352830000",
		0x44b52d02c7e14af5: "9.999999999999997e+22",
		0x44b52d02c7e14af6: "1e+23",
		0x44b52d02c7e14af7: "1.0000000000000001e+23",
		0x444b1ae4d6e2ef4e: "999999999999999700000",
		0x444b1ae4d6e2ef4f: "999999999999999900000",
		0x444b1ae4d6e2ef50: "1e+21",
		0x3eb0c6f7a0b5ed8c: "9.999999999999997e-7",
		0x3eb0c6f7a0b5ed8d: "0.000001",
		0x41b3de4355555553: "333333333.3333332",
		0xbecbf647612f3696: "-0.0000033333333333333333",
		0x43143ff3c1cb0959: "1424953923781206.2",
		0x7fffffffffffffff: "null",
		0x7ff0000000000000: "null",
	} {
		if got := string(AppendFloat(nil, math.Float64frombits(bits))); got != want {
			t.Errorf("%x: %s, want %s", bits, got, want)
		}
	}
}

// Values of every kind an attribute may have are encoded, and what cannot be
// says so instead of failing.
func TestAppendValue(t *testing.T) {
	loop := map[string]any{}
	loop["self"] = loop
	for _, tc := range []struct {
		v    any
		want string
	}{
		{nil, "null"},
		{true, "true"},
		{"x", `"x"`},
		{word("x"), `"x"`},
		{math.MinInt64, "-9223372036854775808"},
		{int64(5), "5"},
		{uint64(math.MaxUint64), "18446744073709551615"},
		{uint8(3), "3"},
		{time.Millisecond, "1000000"},
		{1.0, "1"},
		{float32(0.5), "0.5"},
		{[]string(nil), "[]"},
		{[]string{"a", "b"}, `["a","b"]`},
		{[]byte("hi"), `"hi"`},
		{[]any{nil, math.NaN(), 1}, "[null,null,1]"},
		{[]time.Duration{1, 2}, "[1,2]"},
		{[]map[string]string{{"b": "2", "a": "1"}}, `[{"a":"1","b":"2"}]`},
		{map[string]any{"b": nil, "a": math.Inf(1), "c": "d"}, `{"c":"d"}`},
		{map[string]any{"é": 1, "z": 2, "Z": 3}, `{"Z":3,"z":2,"é":1}`},
		{make(chan int), `"a chan int cannot be encoded"`},
		{struct{}{}, `"a struct {} cannot be encoded"`},
		{map[int]string{1: "x"}, `"a map[int]string cannot be encoded"`},
	} {
		if got := string(AppendValue(nil, tc.v)); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.v, got, tc.want)
		}
	}
	if got := string(AppendValue(nil, loop)); !strings.Contains(got, "nested too deeply") || !json.Valid([]byte(got)) {
		t.Errorf("a value that contains itself: %s", got)
	}
}

type brokenWriter struct{ left int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

// An error of the writer is returned, from the first write and from a later one.
func TestWriteToError(t *testing.T) {
	events := make([]Event, 5000)
	for writes := range 3 {
		if err := WriteTo(&brokenWriter{left: writes}, Header{}, events); err == nil {
			t.Errorf("no error after %d writes", writes)
		}
	}
}

// Whatever an event holds, its line is one line of JSON that encoding/json
// reads back to the same values.
func FuzzEventJSON(f *testing.F) {
	f.Add("step", "key", "value\n\xff", int64(5), 0.1, uint8(3))
	f.Fuzz(func(t *testing.T, step, key, value string, n int64, x float64, count uint8) {
		in := Event{
			Seq: uint64(count), At: time.Duration(n), Type: Fault, Step: step, Attempt: int(count),
			Payload: Attrs{{"list", []any{value, n, nil}}, {"n", n}, {"object", map[string]any{key: value, "nested": map[string]any{key: true}}}, {"x", x}},
		}
		line := in.AppendJSON(nil)
		if bytes.ContainsAny(line, "\n\r") {
			t.Fatalf("more than one line: %q", line)
		}
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.UseNumber()
		var got map[string]any
		if err := dec.Decode(&got); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if step != "" && got["step"] != valid(step) {
			t.Errorf("step %q, want %q", got["step"], valid(step))
		}
		if v, err := got["n"].(json.Number).Int64(); err != nil || v != n {
			t.Errorf("n %v, want %d", got["n"], n)
		}
		if list := got["list"].([]any); list[0] != valid(value) || list[2] != nil {
			t.Errorf("list %v", list)
		}
		if key != "nested" && got["object"].(map[string]any)[valid(key)] != valid(value) {
			t.Errorf("object %v", got["object"])
		}
		if _, there := got["x"]; there == (math.IsNaN(x) || math.IsInf(x, 0)) {
			t.Errorf("x %v of %v", got["x"], x)
		} else if there {
			if v, err := got["x"].(json.Number).Float64(); err != nil || v != x {
				t.Errorf("x %v, want %v", got["x"], x)
			}
		}
	})
}

// valid replaces each byte that is no UTF-8, as encoding/json does.
func valid(s string) string { return string([]rune(s)) }

// Encoding an event costs no allocation into a buffer that is large enough.
func BenchmarkEventJSON(b *testing.B) {
	e := Event{
		Seq: 7, At: time.Second, Type: AttemptEnd, Step: "ask", Attempt: 1, Round: 1, Target: "primary",
		Payload: Attrs{{"by", "script"}, {"cost_usd", 0.25}, {"outcome", "success"}, {"status_code", 200}},
	}
	buf := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		e.AppendJSON(buf)
	}
}
