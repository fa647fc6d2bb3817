package match

import (
	"bytes"
	"encoding/json"
	"math/big"
	"testing"
)

// Two requests have one key exactly when nothing differs, and a body has the
// key of every re-encoding of it.
func FuzzKey(f *testing.F) {
	f.Add([]byte(`{"a":[1,2.50,"x"]}`), []byte(`{"a":[1,2.5,"y"]}`))
	f.Add([]byte(`{"messages":[{"content":" a\r\n"}],"tools":[{"name":"f"}]}`), []byte(`x`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		for _, profile := range Profiles() {
			m := Match{Profile: profile}
			x, y := request(string(a)), request(string(b))
			if equal := m.Key(x) == m.Key(y); equal != (len(m.Diff(x, y)) == 0) {
				t.Fatalf("%s: equal %v, differences %v", profile, equal, m.Diff(x, y))
			}
			d := json.NewDecoder(bytes.NewReader(a))
			d.UseNumber()
			var v any
			if d.Decode(&v) != nil || d.More() {
				continue
			}
			again, err := json.Marshal(v)
			if err == nil && len(again) > 0 && again[0] == '{' && m.Key(request(string(again))) != m.Key(x) {
				t.Fatalf("%s: %s and %s differ", profile, a, again)
			}
		}
	})
}

// Canonical numbers are equal exactly when the values are.
func FuzzCanonicalNumber(f *testing.F) {
	f.Add("1.0", "10e-1")
	f.Add("-0", "0e9")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !json.Valid([]byte(a)) || !json.Valid([]byte(b)) || len(a) > 30 || len(b) > 30 {
			return
		}
		x, err1 := json.Number(a).Float64()
		y, err2 := json.Number(b).Float64()
		p, ok1 := new(big.Rat).SetString(a)
		q, ok2 := new(big.Rat).SetString(b)
		if err1 != nil || err2 != nil || !ok1 || !ok2 {
			return
		}
		if equal := canonicalNumber(a) == canonicalNumber(b); equal != (p.Cmp(q) == 0) {
			t.Fatalf("%s and %s: %v (%v, %v)", a, b, equal, x, y)
		}
	})
}
