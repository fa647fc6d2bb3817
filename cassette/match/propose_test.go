package match

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is proposed makes the requests equal, is as little as that takes, and is
// never what a model is told.
func TestPropose(t *testing.T) {
	header := http.Header{"Content-Type": {"application/json"}}
	request := func(url, body string) Request { return Request{"POST", url, header, []byte(body)} }
	pair := func(a, b string) [2]Request {
		return [2]Request{request("https://a.example/x", a), request("https://a.example/x", b)}
	}
	for name, c := range map[string]struct {
		m     Match
		pairs [][2]Request
		want  []string
	}{
		"nothing": {Match{}, [][2]Request{pair(`{"a":1}`, `{"a":1.0}`)}, nil},
		"members": {Match{}, [][2]Request{pair(`{"a":1,"m":{"t":1},"z":1}`, `{"a":1,"m":{"t":2},"z":1}`), pair(`{"b":1}`, `{}`)}, []string{"body.m.t", "body.b"}},
		"a query, and a host": {
			Match{},
			[][2]Request{{request("https://a.example/x?ts=1&q=7", `{}`), request("https://b.example/x?ts=2&q=7", `{}`)}},
			[]string{"host", "query.ts"},
		},
		"items":              {Match{}, [][2]Request{pair(`{"i":[{"at":1,"n":1},{"at":2,"n":1}]}`, `{"i":[{"at":3,"n":1},{"at":4,"n":1}]}`)}, []string{"body.i[*].at"}},
		"one item":           {Match{}, [][2]Request{pair(`{"i":[{"at":1},{"at":2}]}`, `{"i":[{"at":1},{"at":4}]}`)}, []string{"body.i[1].at"}},
		"items of items":     {Match{}, [][2]Request{pair(`{"i":[[{"at":1},{"at":2}],[{"at":3}]]}`, `{"i":[[{"at":4},{"at":5}],[{"at":6}]]}`)}, []string{"body.i[*][*].at"}},
		"a longer list":      {Match{}, [][2]Request{pair(`{"i":[1,2],"k":1}`, `{"i":[1,2,3],"k":1}`)}, []string{"body.i"}},
		"a list and its own": {Match{}, [][2]Request{pair(`{"i":[{"a":1}]}`, `{"i":[{"a":2},{"a":3}]}`)}, []string{"body.i"}},
		"names with spaces":  {Match{}, [][2]Request{pair(`{"a b":{"c.d":1}}`, `{"a b":{"c.d":2}}`)}, []string{`body["a b"]["c.d"]`}},
		"what is ignored already": {
			Match{Ignore: []string{"body.a"}},
			[][2]Request{pair(`{"a":1,"b":1}`, `{"a":2,"b":2}`)},
			[]string{"body.b"},
		},
		"what a model is told": {
			Match{},
			[][2]Request{pair(`{"model":"m","messages":[{"role":"user","content":"a"}],"user":"1"}`, `{"model":"m","messages":[{"role":"user","content":"b"}],"user":"2"}`)},
			nil, // the pair is another request, whatever is ignored
		},
		"settings of a model": {
			Match{},
			[][2]Request{pair(`{"model":"m","messages":[],"metadata":{"t":1}}`, `{"model":"m","messages":[],"metadata":{"t":2}}`), pair(`{"model":"m","messages":["a"]}`, `{"model":"m","messages":["b"]}`)},
			[]string{"body.metadata.t"},
		},
		"method and path": {Match{}, [][2]Request{{request("https://a.example/x", `{"a":1}`), request("https://a.example/y", `{"a":2}`)}}, nil},
		"semantic":        {Match{Profile: Semantic}, [][2]Request{pair(`{"model":"m","messages":[],"temperature":1}`, `{"model":"m","messages":[],"temperature":2}`)}, nil},
	} {
		got := c.m.Propose(c.pairs)
		if diff := cmp.Diff(c.want, got); diff != "" && len(got)+len(c.want) > 0 {
			t.Errorf("%s: %s", name, diff)
		}
		for _, place := range got {
			if err := CheckPath(place); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// A message shows numbers as people write them, whatever form they are compared in.
func TestNumbersAsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"0.5": "0.5", "10": "10", "1.50": "1.5", "1500": "1500", "-0.25e1": "-2.5", "0": "0", "-7e-3": "-0.007", "12.0": "12", "1e300": "1e300", "1e-300": "1e-300", "123456789.125": "123456789.125",
	} {
		m := Match{}
		header := http.Header{"Content-Type": {"application/json"}}
		got := m.Diff(Request{"POST", "https://a.example", header, []byte(`{"a":` + text + `}`)}, Request{"POST", "https://a.example", header, []byte(`{}`)})
		if len(got) != 1 || got[0].Recorded != want {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
}
