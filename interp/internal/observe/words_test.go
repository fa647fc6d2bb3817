package observe

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// outside are the attributes of a type of event that come from outside of the
// engine, by their tags.
func outside(t trace.Type) map[string]bool {
	found := map[string]bool{}
	var add func(s reflect.Type)
	add = func(s reflect.Type) {
		for i := range s.NumField() {
			f := s.Field(i)
			tag, ok := f.Tag.Lookup("attr")
			switch {
			case ok && strings.Contains(tag, ",outside"):
				found[strings.SplitN(tag, ",", 2)[0]] = true
			case !ok && f.Anonymous:
				part := f.Type
				if part.Kind() == reflect.Pointer {
					part = part.Elem()
				}
				add(part)
			}
		}
	}
	add(reflect.TypeOf(event.Empty(t)).Elem())
	return found
}

// Every string that an event, a label of a metric or a span has is of a closed
// set, or stands in a list with the reason why it is of none.
func TestEveryWordOfQueriesIsClosed(t *testing.T) {
	used := map[string]bool{}
	check := func(what, key string, w *schema.Words, open map[string]string) {
		if used[key] = true; (w == nil) == (open[key] == "") {
			t.Errorf("%s: %q is of a closed set (%v), or of none for a reason (%q), and not of both", what, key, w, open[key])
		}
	}
	for _, typ := range event.Types() {
		skip := outside(typ.Type)
		for _, a := range typ.Attrs {
			if (a.Type == "string" || wordsOfEvent(typ.Type, a.Name) != nil) && !skip[a.Name] {
				check(string(typ.Type), a.Name, wordsOfEvent(typ.Type, a.Name), openEventTexts)
			}
		}
	}
	for key := range eventWords {
		_, name, dotted := strings.Cut(key, ".")
		if !dotted {
			name = key
		}
		if !used[name] && anyEvent().Attrs[name] == nil {
			t.Errorf("no event has %q", key)
		}
	}
	for _, m := range telemetry.Names("") {
		for _, label := range m.Labels {
			w := labelWords[label]
			if special := labelWords[strings.TrimPrefix(m.Name, "scenario_")+"."+label]; special != nil {
				w = special
			}
			check(m.Name, label, w, openLabels)
		}
	}
	for _, a := range telemetry.SpanAttributes() {
		if a.Type == "string" {
			check("a span", a.Name, spanWords[a.Name], openSpanTexts)
		}
	}
}

// Whatever the language's own strings are called in the source, those that this
// package writes out again are among the words: the layers of deadlines that
// events are made with.
func TestLayersAreThoseOfTheEngine(t *testing.T) {
	found := map[string]bool{}
	for _, dir := range []string{"../engine", "../../actor"} {
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.HasSuffix(f.Name(), "_test.go") || !strings.HasSuffix(f.Name(), ".go") {
				continue
			}
			src, err := os.ReadFile(dir + "/" + f.Name())
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`event\.Timeout\{Layer: "(\w+)"`).FindAllSubmatch(src, -1) {
				found[string(m[1])] = true
			}
		}
	}
	for _, l := range layer.Members {
		if !found[l] {
			t.Errorf("no deadline has the layer %q", l)
		}
		delete(found, l)
	}
	for l := range found {
		t.Errorf("the layer %q is not among the words", l)
	}
}
