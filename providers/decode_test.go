package providers

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// Shows that a text is decoded as json.Unmarshal decodes it, with its words for
// what is wrong, and that nothing of it is left for the next.
func FuzzDecodeJSON(f *testing.F) {
	seeds := []string{
		``, ` `, `{}`, `{"a":1}`, ` {"text":"a\u0041"} `, `{"a":1} x`, `{"a":1}{"a":2}`, `{"a":`, `{"n":"no number","text":"b"}`, `{"inner":{"n":1},"raw":[1, 2]}`,
		`{"inner":{"n":"x"}}`, `null`, `1`, `1 2`, `"a"`, `[`, `tru`, `{"raw":{"a":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}}`, "\"\xff\"", `{"a":1}]`, `,`,
	}
	for _, a := range seeds {
		for _, b := range seeds {
			f.Add([]byte(a), []byte(b))
		}
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		for _, data := range [][]byte{first, second, first} {
			for _, fresh := range []func() any{func() any { return new(any) }, func() any { return new(decoded) }} {
				got, want := fresh(), fresh()
				given := append([]byte{}, data...)
				gotErr, wantErr := DecodeJSON(given, got), json.Unmarshal(data, want)
				clear(given)
				if (gotErr == nil) != (wantErr == nil) || gotErr != nil && gotErr.Error() != wantErr.Error() {
					t.Fatalf("%q: got error %v, want %v", data, gotErr, wantErr)
				}
				if gotErr == nil && !reflect.DeepEqual(got, want) {
					t.Fatalf("%q: got %+v, want %+v", data, got, want)
				}
			}
		}
	})
}

type decoded struct {
	Text  string          `json:"text"`
	N     int             `json:"n"`
	Raw   json.RawMessage `json:"raw"`
	Inner *again          `json:"inner"`
}

// again is decoded inside of another.
type again struct{ N int }

func (a *again) UnmarshalJSON(data []byte) error {
	type plain again
	return DecodeJSON(data, (*plain)(a))
}

// Shows that one object is accepted and no other value, null least of all.
func TestDecodeObject(t *testing.T) {
	for text, want := range map[string]string{
		`{"n":1}`: "", " {}\n": "", `null`: "it is no JSON object", `[{}]`: "it is no JSON object", `[1`: "unexpected end of JSON input", ``: "unexpected end of JSON input",
		`{} {}`: "invalid character '{' after top-level value", `{"n":"1"}`: "json: cannot unmarshal string into Go struct field decoded.n of type int",
	} {
		said := ""
		if err := DecodeObject([]byte(text), new(decoded)); err != nil {
			said = err.Error()
		}
		if said != want {
			t.Errorf("%q: got %q, want %q", text, said, want)
		}
	}
}

// Shows that a string which is read as it stands is what a decoder makes of it,
// and that everything else is left to one.
func TestPlainString(t *testing.T) {
	for text, plain := range map[string]bool{
		`""`: true, `"a b/λ🌈"`: true, `"<&>"`: true, `"\n"`: false, `"a\u0041"`: false, "\"\xff\"": false, `null`: false, `1`: false, `["a"]`: false, ``: false, `"`: false,
	} {
		got, ok := PlainString([]byte(text))
		var want string
		if err := json.Unmarshal([]byte(text), &want); ok != plain || ok && (err != nil || got != want) {
			t.Errorf("%s: got %q, %t, want %q (%v)", text, got, ok, want, err)
		}
	}
}
