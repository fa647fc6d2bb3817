package sql_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/sql"
)

// envelope is a request without a body.
func envelope(t testing.TB) *http.Request {
	t.Helper()
	req, _, err := adaptertest.Written(sql.Adapter{}, providers.Input{Statement: "select 1"}, sql.BaseURL)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// Shows that the statement of an envelope and its arguments are read, and what
// is none is refused.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		body string
		want providers.Input
		err  string
	}{
		{`{"query":"select $1","args":[1,"a",null,true,{"b":[1.50]}]}`, providers.Input{Statement: "select $1", Args: []any{1, "a", nil, true, map[string]any{"b": []any{json.Number("1.50")}}}}, ""},
		{`{"query":"begin"}`, providers.Input{Statement: "begin"}, ""},
		{`{"query":" "}`, providers.Input{}, "query is empty, and must be the statement"},
		{``, providers.Input{}, "the body is not the envelope of a statement: EOF"},
		{`{"query":1}`, providers.Input{}, "the body is not the envelope of a statement: json: cannot unmarshal number into Go struct field Statement.query of type string"},
	} {
		got, err := sql.Adapter{}.Read(envelope(t), []byte(c.body))
		said := ""
		if err != nil {
			said = err.Error()
		}
		if said != c.err || adaptertest.Asked(got) != adaptertest.Asked(c.want) {
			t.Errorf("%s: error %q, read\n%s\nwant\n%s", c.body, said, adaptertest.Asked(got), adaptertest.Asked(c.want))
		}
	}
	if !(sql.Adapter{}).Claims(envelope(t)) || (sql.Adapter{}).Claims(adaptertest.NewRequest("SELECT", "/")) {
		t.Error("an envelope is claimed, and nothing else")
	}
}

// Shows that nothing makes the reader of envelopes panic, and that what it reads
// it can write.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"query":"select $1","args":[1,"a",null,{"b":1e2}]}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, body []byte) {
		adaptertest.ReadArbitrary(t, sql.Adapter{}, envelope(t), body, sql.BaseURL)
	})
}
