package effects

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/providers/catalog"
	"github.com/scenario-lang/scenario/schema"
)

// everyNth is the sample of the short test.
const everyNth = 12

// Shows that every change of the tables shows where the line says, that what is
// refused is refused, and that a gap is one.
func TestEffects(t *testing.T) {
	effects := readWorlds(t, "testdata")
	if testing.Short() {
		var sample []effect
		for i := range effects {
			if i%everyNth == 0 {
				sample = append(sample, effects[i])
			}
		}
		effects = sample
	}
	for _, said := range checkAll(effects) {
		t.Error(said)
	}
}

// checkAll checks each line, and runs each file only once.
func checkAll(effects []effect) []string {
	c := &checker{outcomes: map[string]*outcome{}}
	var said []string
	for i := range effects {
		if err := c.check(&effects[i]); err != nil {
			said = append(said, fmt.Sprintf("%s: %s %s: %v", effects[i].place, effects[i].change.path, effects[i].change.name(), err))
		}
	}
	return said
}

type checker struct{ outcomes map[string]*outcome }

// run is the outcome of a file of a world, from before where it was run
// already.
func (c *checker) run(w *world, source string) *outcome {
	key := w.name + "\n" + source
	o := c.outcomes[key]
	if o == nil {
		o = w.run(source)
		c.outcomes[key] = o
	}
	return o
}

func (c *checker) check(e *effect) error {
	before, after, _, err := e.apply()
	if err != nil {
		return err
	}
	a, b := c.run(e.world, before), e.world.run(after)
	if a.errors != nil {
		return fmt.Errorf("the world is refused: %s", a.detail)
	}
	if want, ok := strings.CutPrefix(e.shows, "refused "); ok {
		if want = strings.Trim(want, `"`); !slices.Contains(b.errors, want) || len(b.errors) > 1 {
			return fmt.Errorf("want it refused as %q and nothing else, got: %s%v", want, b.detail, differences(a, b))
		}
		return nil
	}
	if want, ok := strings.CutPrefix(e.shows, "warned "); ok {
		if want = strings.Trim(want, `"`); !slices.Contains(b.warned, want) || b.errors != nil {
			return fmt.Errorf("want a warning %q, got: %s%q", want, b.detail, b.warned)
		}
		return nil
	}
	reader, tool := strings.CutPrefix(e.shows, "read by ")
	if tool {
		if err := tested(reader); err != nil {
			return err
		}
	}
	gap := tool || strings.HasPrefix(e.shows, "gap: ")
	if b.errors != nil {
		if gap {
			return fmt.Errorf("it is a gap no more, it is refused: say so in place of %q\n%s", e.shows, b.detail)
		}
		return fmt.Errorf("it is refused: %s", b.detail)
	}
	list := differences(a, b)
	if where := ofTheRun(list); where != "" && a.plans != nil && slices.Equal(a.plans, b.plans) {
		return fmt.Errorf("both runs are of one plan, by its hash, and differ in %s: what decides it is missing in plan/json.go", where)
	}
	switch {
	case gap && len(list) > 0:
		return fmt.Errorf("it is a gap no more: say where it shows in place of %q: %v", e.shows, list)
	case !gap && len(list) == 0:
		return fmt.Errorf("it has no effect, want %s", e.shows)
	case !gap && !slices.Contains(list, e.shows):
		return fmt.Errorf("it does not show in %s, but in %v", e.shows, list)
	}
	return nil
}

// tested reports whether there is a test: a directory and the test's name.
func tested(reader string) error {
	dir, name, _ := strings.Cut(reader, " ")
	files, err := filepath.Glob(filepath.Join("..", "..", dir, "*_test.go"))
	for _, f := range files {
		if src, err := os.ReadFile(f); err == nil && bytes.Contains(src, []byte("\nfunc "+name+"(t *testing.T)")) {
			return nil
		}
	}
	return errors.Join(err, fmt.Errorf("%s has no test %q that reads it", dir, name))
}

// A word is an attribute of a block, by the block's path.
type word struct{ path, attr string }

func (w word) String() string { return w.path + " " + w.attr }

// words lists every attribute of the language. The replies of each kind of
// provider are a table of their own.
func words() map[word]*schema.Attr {
	list := map[word]*schema.Attr{}
	var visit func(b *schema.Block, path string)
	visit = func(b *schema.Block, path string) {
		if b.Kinds != nil {
			for _, k := range b.Kinds {
				visit(&schema.Block{Type: b.Type, Attrs: k.Attrs, Blocks: k.Blocks}, path+":"+k.Kind)
			}
			return
		}
		for i := range b.Attrs {
			list[word{path, b.Attrs[i].Name}] = &b.Attrs[i]
		}
		for _, n := range b.Blocks {
			if n.Type == "step" && strings.Contains(path, "step:loop") {
				continue // a loop has the steps that a workflow has
			}
			visit(n, strings.TrimPrefix(path+"/"+n.Type, "/"))
		}
	}
	visit(language.File(), "")
	for _, k := range catalog.Kinds() {
		for i := range k.Reply {
			list[word{repliesOf(k.Name), k.Reply[i].Name}] = &k.Reply[i]
		}
	}
	return list
}

// repliesOf is the path of the attributes of a reply that a kind of provider
// has.
func repliesOf(kind string) string { return scripted + "/reply:" + kind }

const scripted = "scenario/on"

// outaged are the paths of what outages do. Their arguments are read and played as
// those of a script's faults are.
const outaged = "scenario/outage/fault:"

// asked is the path of what a request of a program must have. It stands in every
// fault and in every step that calls a service, too, where one function compiles
// it whatever the kind is.
const asked = "endpoint/match"

// anyKind is the path of a match block in a block of another kind, for one that
// is tried.
func anyKind(path string) string {
	switch {
	case strings.Contains(path, "/fault:"):
		return scripted + "/fault:http_error/match"
	case strings.Contains(path, "/replay/"):
		return scripted + "/reply/match"
	case strings.Contains(path, "/step:"):
		return "workflow/step:http/match"
	}
	return path
}

// twins are paths whose tables stand at another path, too, and are tried there
// word by word. At the twin a single word is enough, to show that the block
// is read.
var twins = sync.OnceValue(func() map[string]string {
	list := map[string]string{
		"bench/sut/cassette":        "scenario/cassette",
		"bench/sut/cassette/redact": "scenario/cassette/redact",
	}
	for w := range words() {
		if rest, ok := strings.CutPrefix(w.path, "bench/sut/on"); ok {
			list[w.path] = scripted + rest
		}
		if kind, ok := strings.CutPrefix(w.path, outaged); ok {
			list[w.path] = scripted + "/fault:" + kind
			continue
		}
		if strings.HasPrefix(w.path, scripted) && strings.HasSuffix(w.path, "/match") || strings.HasPrefix(w.path, "workflow/step:") && strings.HasSuffix(w.path, "/match") {
			list[w.path] = asked
			continue
		}
		if fault, inner, ok := strings.Cut(w.path, "/fault:"); ok && fault == scripted {
			if _, block, ok := strings.Cut(inner, "/"); ok {
				list[w.path] = scripted + "/" + block
			}
		}
	}
	return list
})

// Shows that every word of the language has a line, also one that was added
// after this test was written, and every line a word.
func TestEveryWordHasALine(t *testing.T) {
	tried, refused := map[word]bool{}, map[word]bool{}
	paths := map[string]bool{}
	for _, e := range readWorlds(t, "testdata") {
		_, _, path, err := e.apply()
		if err != nil {
			continue // said by the other test
		}
		w := word{path, e.change.attr}
		tried[w], paths[path] = true, true
		refused[w] = refused[w] || strings.HasPrefix(e.shows, "refused ")
		if path == scripted+"/reply" {
			tried[word{repliesOf(e.world.provider()), e.change.attr}] = true
		}
	}
	all := words()
	missing := map[string][]string{}
	covered := 0
	for w := range all {
		if twin := twins()[w.path]; twin != "" && !tried[w] {
			if paths[w.path] || strings.HasPrefix(w.path, "bench/sut/on") && paths["bench/sut/on/reply"] || strings.HasPrefix(w.path, outaged) && paths[outaged+"delay"] || twin == asked && paths[anyKind(w.path)] {
				continue
			}
		}
		if tried[w] {
			covered++
			if all[w].Refused && !refused[w] {
				t.Errorf("%s: the tables refuse it, and no line shows that the compiler does", w)
			}
			continue
		}
		missing[w.path] = append(missing[w.path], w.attr)
	}
	for _, path := range slices.Sorted(maps.Keys(missing)) {
		slices.Sort(missing[path])
		hint := ""
		if kind, ok := strings.CutPrefix(path, "workflow/step:"); ok && slices.Contains(missing[path], "attempt_timeout") {
			hint = fmt.Sprintf("\nSteps of kind %q take what is said about calls of a service. A kind that calls none refuses it by its word in serviceless, in dsl/language/language.go.", kind)
		}
		t.Errorf("%s: no line of testdata changes %s%s", path, strings.Join(missing[path], " "), hint)
	}
	t.Logf("%d of %d words are tried; the others stand in tables that are tried elsewhere", covered, len(all))
}

// Shows that a reply takes the attributes of its own provider's kind and
// refuses all others, with values that the other kinds take.
func TestRepliesOfOtherKindsAreRefused(t *testing.T) {
	values, worlds := map[string]string{}, map[string]*world{}
	for _, e := range readWorlds(t, "testdata") {
		if e.change.path != scripted+"/reply" || e.change.attr == "" || e.change.value == gone {
			continue
		}
		values[e.change.attr] = e.change.value
		if worlds[e.world.provider()] == nil {
			worlds[e.world.provider()] = e.world
		}
	}
	for w := range words() {
		if kind, ok := strings.CutPrefix(w.path, repliesOf("")); ok && values[w.attr] == "" {
			t.Errorf("no line of testdata gives %s a value in a reply of a provider of kind %q", w.attr, kind)
		}
	}
	for _, k := range catalog.Kinds() {
		w := worlds[k.Name]
		if w == nil {
			t.Errorf("no line of testdata changes a reply of a provider of kind %q: add a world whose first provider is of that kind, and a line for each attribute of its replies", k.Name)
			continue
		}
		own := &schema.Block{Attrs: k.Reply}
		for _, other := range catalog.Kinds() {
			for _, a := range other.Reply {
				if own.Attr(a.Name) != nil || values[a.Name] == "" {
					continue
				}
				source, _, err := edit{path: scripted + "/reply", attr: a.Name, value: values[a.Name]}.apply(w.source)
				if err != nil {
					t.Fatal(err)
				}
				if o := w.run(source); !slices.Contains(o.errors, "Unknown attribute") {
					t.Errorf("%s: a reply takes %s = %s, which only other kinds have: %s", k.Name, a.Name, values[a.Name], o.detail)
				}
			}
		}
	}
}

// Shows that tables which are tried at one place only are the same at the
// other.
func TestTwinsAreAlike(t *testing.T) {
	all := words()
	for w, a := range all {
		twin := twins()[w.path]
		if twin == "" {
			continue
		}
		if other := all[word{twin, w.attr}]; !reflect.DeepEqual(a, other) {
			t.Errorf("%s and %s %s differ: try both", w, twin, w.attr)
		}
	}
}

// ofTheRun is the first difference in what happened, "" where there is none. What
// a file says of itself, as its tags, is no part of a plan.
func ofTheRun(list []string) string {
	for _, where := range list {
		if strings.Contains(where, ".") && !strings.HasPrefix(where, "report.") || where == "verdict" {
			return where
		}
	}
	return ""
}
