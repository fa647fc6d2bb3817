package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette/redact"
)

// TestBelow shows that decoded values are hidden below the name of a credential as they are in
// a text, and that what is said about the credential stays.
func TestBelow(t *testing.T) {
	const secret = "Gs6zAw1vHd38KqTy"
	for _, c := range []struct {
		text  string
		shown bool
	}{
		{`{"password":{"old":"V"}}`, false},
		{`{"tokens":{"ann":["x","V"]}}`, false},
		{`{"token":{"access":{"value":"V"}}}`, false},
		{`{"api_keys":[{"k":"V"}]}`, false},
		{`{"auth":["ann","V"]}`, false},
		{`{"fields":[{"key":"password","val":"V"}]}`, false},
		{`{"pin":{"old":4930}}`, false},
		{`{"token":{"id":"V"}}`, true},
		{`{"city":{"old":"V"}}`, true},
		{`{"password":{"min_length":4930}}`, true},
	} {
		text := strings.ReplaceAll(c.text, "V", secret)
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		s := Secrets{Redactor: redact.New(nil)}
		for how, got := range map[string]string{"tree": fmt.Sprint(s.tree(v)), "value": s.Value(ctyOf(v)).GoString()} {
			if is := strings.Contains(got, secret) || strings.Contains(got, "4930") && !strings.Contains(got, "REDACTED"); is != c.shown {
				t.Errorf("%s: %s: that it is shown is %v: %s", how, text, is, got)
			}
		}
	}
}

func ctyOf(v any) cty.Value {
	switch v := v.(type) {
	case map[string]any:
		attrs := map[string]cty.Value{}
		for k, e := range v {
			attrs[k] = ctyOf(e)
		}
		return cty.ObjectVal(attrs)
	case []any:
		var list []cty.Value
		for _, e := range v {
			list = append(list, ctyOf(e))
		}
		return cty.TupleVal(list)
	case json.Number:
		return cty.MustParseNumberVal(v.String())
	}
	return cty.StringVal(fmt.Sprint(v))
}
