package lie

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/schema"
)

// told has a lie told of documents, and returns them.
func told(l *Lie, args schema.Values, arguments []string, docs ...string) ([]string, error) {
	c := &Content{Arguments: arguments}
	out := append([]string{}, docs...)
	for i := range out {
		c.Documents = append(c.Documents, &out[i])
	}
	err := l.Tell(args, c)
	return out, err
}

// What is false of a document is what the lie says, and every other byte stays: spaces,
// order of members, spelling of numbers, escapes.
func TestBytes(t *testing.T) {
	for _, c := range []struct {
		name      string
		lie       *Lie
		args      schema.Values
		arguments []string
		doc, want string
	}{
		{"half of a list", TruncatedList, nil, nil, `[1, 2,  3 ]`, `[1 ]`},
		{"an empty list", TruncatedList, schema.Values{"keep": 0}, nil, `{"a":[ 1,2 ],"b":{}}`, `{"a":[  ],"b":{}}`},
		{"the outer lists alone", TruncatedList, schema.Values{"keep": 1}, nil, `{"a":[[1,2],[3]],"b":[4,5],"n":2}`, `{"a":[[1,2]],"b":[4],"n":2}`},
		{"lists of a name", TruncatedList, schema.Values{"keep": 1, "fields": []string{"tags"}}, nil, `{"items":[{"tags":["a","b"]},{"tags":["c"]}]}`, `{"items":[{"tags":["a"]},{"tags":["c"]}]}`},
		{"a list of texts with quotes", TruncatedList, schema.Values{"keep": 1}, nil, `["a\"]","b\\","c"]`, `["a\"]"]`},

		{"cents", WrongNumbers, nil, nil, `{"id": 7, "total": 12.50, "n":-3, "big": 9007199254740993}`, `{"id": 7, "total": 1250, "n":-300, "big": 900719925474099300}`},
		{"a hundredth", WrongNumbers, schema.Values{"factor": 0.01}, nil, `{"total":7,"orderId":7}`, `{"total":0.07,"orderId":7}`},
		{"an exponent", WrongNumbers, nil, nil, `[1e3]`, `[100000]`},
		{"of a name", WrongNumbers, schema.Values{"fields": []string{"a"}}, nil, `{"a":1,"b":1}`, `{"a":100,"b":1}`},
		{"words", WrongNumbers, schema.Values{"factor": 10.0}, nil, "It costs $1,234.50 (or 3).\nSee 2026-03-01, v1.2.3, INV-7 and 10:30; 0 remain.", "It costs $12,345 (or 30).\nSee 2026-03-01, v1.2.3, INV-7 and 10:30; 0 remain."},

		{"an id", WrongRecord, nil, nil, `{"id":7,"total":7,"customer_id":"C-09","customerId":9}`, ""},
		{"what is named", WrongRecord, schema.Values{"fields": []string{"x"}}, nil, `{"x":41,"id":1}`, `{"x":42,"id":1}`},

		{"a number that was asked for", Contradiction, nil, []string{"7"}, `{"a":7,"b":"7","c":77}`, ""},
		{"words that were asked for", Contradiction, nil, []string{"Paris"}, `It rains in Paris, not in Parisian.`, ""},
	} {
		got, err := told(c.lie, c.args, c.arguments, c.doc)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		again, _ := told(c.lie, c.args, c.arguments, c.doc)
		if got[0] != again[0] {
			t.Errorf("%s: %q and then %q", c.name, got[0], again[0])
		}
		if c.want != "" && got[0] != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got[0], c.want)
		}
	}
}

// A record is somebody else's in all that identifies it, in the form that it had, and in
// nothing else; what is said again in words is said alike.
func TestWrongRecord(t *testing.T) {
	docs, err := told(WrongRecord, nil, nil,
		`{"id":7,"uuid":"3f0e9a","email":"ann.lee@shop.example","userName":"Ann Lee","customer":"ann","total":7,"ok":true,"note":"Ann Lee"}`,
		"Order of Ann Lee <ann.lee@shop.example>.")
	if err != nil {
		t.Fatal(err)
	}
	var was, is map[string]any
	if err := json.Unmarshal([]byte(docs[0]), &is); err != nil {
		t.Fatalf("%v: %s", err, docs[0])
	}
	was = map[string]any{"id": 7.0, "uuid": "3f0e9a", "email": "ann.lee@shop.example", "userName": "Ann Lee", "customer": "ann", "total": 7.0, "ok": true, "note": "Ann Lee"}
	for _, name := range []string{"id", "uuid", "email", "userName", "customer"} {
		if is[name] == was[name] {
			t.Errorf("%s is still %v", name, is[name])
		}
	}
	for _, name := range []string{"total", "ok", "note"} {
		if is[name] != was[name] {
			t.Errorf("%s is %v, and was %v", name, is[name], was[name])
		}
	}
	if want := "Order of " + is["userName"].(string) + " <" + is["email"].(string) + ">."; docs[1] != want {
		t.Errorf("%q, want %q", docs[1], want)
	}
}

// Numbers of a database stay what its columns take, and what does not fit stays as it is.
func TestTable(t *testing.T) {
	table := &Table{
		Columns: []Column{{"id", "int8"}, {"n", "int4"}, {"price", "numeric"}, {"who", "text"}},
		Rows:    [][]any{{json.Number("1"), json.Number("7"), json.Number("1.5"), "ann"}, {2.0, 2e9, nil, "bo"}},
		Fits: func(column int, v any) error {
			if n, ok := v.(json.Number); ok && column == 1 && len(n) > 9 {
				return errors.New("too large")
			}
			return nil
		},
	}
	if err := WrongNumbers.Tell(schema.Values{"factor": 10.5}, &Content{Table: table}); err != nil {
		t.Fatal(err)
	}
	want := [][]any{{json.Number("1"), json.Number("73"), json.Number("15.75"), "ann"}, {2.0, 2e9, nil, "bo"}}
	if diff := cmp.Diff(want, table.Rows); diff != "" {
		t.Error(diff)
	}
	if err := Contradiction.Tell(nil, &Content{Table: table, Arguments: []string{"bo", "1"}}); err != nil {
		t.Fatal(err)
	}
	if table.Rows[0][0] != json.Number("2") || table.Rows[1][3] == "bo" || table.Rows[0][3] != "ann" {
		t.Errorf("%v", table.Rows)
	}
}

// An answer that cannot be false in a way is refused, and stays as it was.
func TestPowerless(t *testing.T) {
	for _, c := range []struct {
		lie  *Lie
		args schema.Values
		doc  string
	}{
		{TruncatedList, nil, `{"a":1}`},
		{TruncatedList, nil, `{"a":[]}`},
		{TruncatedList, schema.Values{"keep": 2}, `[1,2]`},
		{TruncatedList, nil, "a, b and c"},
		{WrongNumbers, nil, `{"a":"7","id":7,"z":0}`},
		{WrongNumbers, nil, "none"},
		{WrongNumbers, nil, `[1e999999999]`},
		{WrongRecord, nil, `{"total":7,"name":null}`},
		{WrongRecord, nil, "Ann"},
		{Contradiction, nil, `{"a":1}`},
	} {
		got, err := told(c.lie, c.args, []string{"x"}, c.doc)
		if !IsPowerless(err) || got[0] != c.doc {
			t.Errorf("%s of %s: %v, %s", c.lie.Name, c.doc, err, got[0])
		}
	}
	if _, err := told(WrongNumbers, schema.Values{"factor": 1.0}, nil, "[7]"); err == nil || IsPowerless(err) {
		t.Errorf("a factor of 1: %v", err)
	}
}

// FuzzTell shows that a lie about JSON is JSON, and that no text breaks one.
func FuzzTell(f *testing.F) {
	for _, doc := range []string{`{"a":[1,{"id":7,"b":["x"]}],"c":"\u00e9\\"}`, `[[[]]]`, "1,000 $3.5.", `{"a":1e400}`, "\xff 7", `["\ud800"]`} {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		for _, l := range Lies() {
			if l.Tell == nil {
				continue
			}
			got, err := told(l, schema.Values{"keep": 1}, []string{"7", "x", "b"}, doc)
			if err == nil && json.Valid([]byte(doc)) && !json.Valid([]byte(got[0])) {
				t.Fatalf("%s of %q is %q", l.Name, doc, got[0])
			}
		}
	})
}
