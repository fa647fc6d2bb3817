package trace

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// weather is a payload with every way to declare an attribute.
type weather struct {
	*Wind
	Place
	Name    string          `attr:"name,outside" doc:"what it is called"`
	Wet     bool            `attr:"wet" doc:"whether it rains"`
	Drops   int             `attr:"drops,always" doc:"how many"`
	Share   float64         `attr:"share" doc:"of the sky"`
	Lasts   time.Duration   `attr:"lasts_ns" doc:"how long"`
	Layers  []string        `attr:"layers,outside" doc:"of clouds"`
	Warmer  *int            `attr:"warmer" doc:"than yesterday"`
	Field   map[string]any  `attr:"field" doc:"of view"`
	Comment nothing         `attr:"comment" doc:"absent where it says so"`
	Where   string          `attr:"where" doc:"shadows the one of the place"`
	Cloud   kindOfCloud     `attr:"cloud" doc:"a word"`
	Extra   map[string]bool // no attribute
}

type (
	kindOfCloud string
	nothing     struct{ Said bool }
)

func (n nothing) Absent() bool                 { return !n.Said }
func (n nothing) AppendJSON(dst []byte) []byte { return append(dst, `"said"`...) }
func (n *nothing) UnmarshalJSON([]byte) error  { n.Said = true; return nil }

type Wind struct {
	From  string `attr:"from" doc:"where it comes from"`
	Speed int    `attr:"speed,always" doc:"in knots"`
}

type Place struct {
	Where string `attr:"where" doc:"hidden by the outer one"`
	Low   bool   `attr:"low" doc:"below the sea"`
}

func (*weather) EventType() Type { return "sky" }

func sky(t Type) Payload {
	if t == "sky" {
		return &weather{}
	}
	return nil
}

// Shows which fields are encoded, in which order and how, and that what is read
// again is the same.
func TestPayload(t *testing.T) {
	four := 4
	for want, p := range map[string]*weather{
		`{"seq":1,"at_ns":0,"type":"sky","drops":0}`: {},
		`{"seq":1,"at_ns":0,"type":"sky","cloud":"cirrus","comment":"said","drops":3,"field":{"a":1.5},"from":"west","lasts_ns":2000000000,"layers":["a","b"],"low":true,"name":"x","share":0.25,"speed":0,"warmer":4,"wet":true,"where":"here"}`: {
			Wind: &Wind{From: "west"}, Place: Place{Where: "never", Low: true}, Name: "x", Wet: true, Drops: 3, Share: 0.25, Lasts: 2 * time.Second,
			Layers: []string{"a", "b"}, Warmer: &four, Field: map[string]any{"a": 1.5}, Comment: nothing{true}, Where: "here", Cloud: "cirrus",
		},
	} {
		var l Log
		l.Append(Event{Payload: p})
		e := l.Events()[0]
		if got := string(e.AppendJSON(nil)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		again, err := ReadEvent([]byte(want), sky)
		if err != nil {
			t.Fatal(err)
		}
		p.Place.Where = "" // the outer one hides it
		if diff := cmp.Diff(p, again.Payload); diff != "" {
			t.Errorf("read again:\n%s", diff)
		}
	}
}

// Shows what generic readers see of a payload: plain values by key, nothing of
// what is not set.
func TestPayloadByKey(t *testing.T) {
	four := 4
	e := Event{Payload: &weather{Drops: 2, Warmer: &four, Cloud: "cirrus", Lasts: time.Second, Layers: []string{"a"}}}
	for key, want := range map[string]any{
		"drops": 2, "warmer": 4, "cloud": "cirrus", "lasts_ns": time.Second, "layers": []string{"a"}, "speed": nil, "name": nil, "colour": nil,
	} {
		if diff := cmp.Diff(want, e.Attr(key)); diff != "" {
			t.Errorf("%s:\n%s", key, diff)
		}
	}
	if e.Text("cloud") != "cirrus" || e.Text("name") != "" || e.Text("drops") != "" || e.Int("drops") != 2 {
		t.Errorf("read as %q, %q, %q, %d", e.Text("cloud"), e.Text("name"), e.Text("drops"), e.Int("drops"))
	}
	var keys []string
	for _, a := range e.Attrs() {
		keys = append(keys, a.Key)
	}
	if got := strings.Join(keys, " "); got != "cloud drops lasts_ns layers warmer" {
		t.Errorf("set are %s", got)
	}
}

// shout hides by writing in capitals.
type shout struct{}

func (shout) Show(_ string, v any) any {
	switch v := v.(type) {
	case string:
		return strings.ToUpper(v)
	case []string:
		return []string{strings.ToUpper(strings.Join(v, ""))}
	}
	return v
}

// Shows that what came from outside goes through the hider, wherever it is read,
// and nothing else does.
func TestHide(t *testing.T) {
	e := Event{Seq: 1, Type: "sky", Payload: &weather{Name: "secret", Layers: []string{"a", "b"}, Cloud: "cirrus"}}
	e.Hide(shout{})
	const want = `{"seq":1,"at_ns":0,"type":"sky","cloud":"cirrus","drops":0,"layers":["AB"],"name":"SECRET"}`
	if got := string(e.AppendJSON(nil)); got != want {
		t.Errorf("encoded as %s", got)
	}
	if e.Text("name") != "SECRET" || e.Text("cloud") != "cirrus" || cmp.Diff([]string{"AB"}, e.Attr("layers")) != "" {
		t.Errorf("read as %q, %q, %q", e.Text("name"), e.Text("cloud"), e.Attr("layers"))
	}
	plain := Event{Type: "sky", Payload: &weather{Cloud: "cirrus"}}
	plain.Hide(shout{})
	if _, same := plain.Payload.(*weather); !same {
		t.Error("an event that has nothing from outside got a hider")
	}
	list := Event{Type: "sky", Payload: Attrs{{"any", "secret"}}}
	list.Hide(shout{})
	if list.Text("any") != "SECRET" {
		t.Errorf("of a list it is %q", list.Text("any"))
	}
}

// Shows that a payload is described by its tags.
func TestDescribe(t *testing.T) {
	got := Describe(&weather{}, "The sky.")
	want := TypeInfo{Type: "sky", Doc: "The sky.", Attrs: []AttrInfo{
		{"cloud", "string", "a word"},
		{"comment", "any", "absent where it says so"},
		{"drops", "int", "how many"},
		{"field", "object", "of view"},
		{"from", "string", "where it comes from"},
		{"lasts_ns", "duration", "how long"},
		{"layers", "list", "of clouds"},
		{"low", "bool", "below the sea"},
		{"name", "string", "what it is called"},
		{"share", "number", "of the sky"},
		{"speed", "int", "in knots"},
		{"warmer", "int", "than yesterday"},
		{"wet", "bool", "whether it rains"},
		{"where", "string", "shadows the one of the place"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
