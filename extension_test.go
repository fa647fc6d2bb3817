package scenario_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/providers/catalog"
	"github.com/scenario-lang/scenario/stdlib"
	"github.com/scenario-lang/scenario/wire"
)

// shout is a function of a program's own.
var shout = stdlib.NewFunc("shout(text)", "The text, louder.", function.New(&function.Spec{
	Params: []function.Parameter{{Name: "text", Type: cty.String}},
	Type:   function.StaticReturnType(cty.String),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		return cty.StringVal(strings.ToUpper(args[0].AsString()) + "!"), nil
	},
}))

// acme is a gateway of a company's own that speaks OpenAI's protocol.
func acme() *catalog.Kind {
	kind := *catalog.Lookup("openai")
	kind.Name, kind.Summary, kind.BaseURL = "acme", "The company's own gateway.", "https://llm.acme.example/v1"
	return &kind
}

// brownout is how that gateway fails.
var brownout = &faults.Kind{
	Name: "brownout", Summary: "The gateway gives up after five seconds.", For: []string{"llm"},
	Script: func(s faults.Strike) (wire.WireScript, error) {
		answer := s.Vendor.Error(503, "brownout", "The gateway is short of power.")
		answer.Wait = 5 * time.Second
		meta := s.Meta
		meta.Fault = "brownout"
		return answer.Script(meta), nil
	},
}

const world = `
provider "acme" "primary" { model = "m" }
`

const extended = `
import = ["./_world.scenario.hcl"]
retry "linear" "std" { delay = "1s" }
workflow "ask" {
  provider = provider.primary
  step "llm" "answer" {
    prompt = shout("hello")
    retry  = retry.std
  }
}
scenario "in a language of its own" {
  run = workflow.ask
  on "answer" {
    fault "brownout" {}
    reply { content = "yes" }
  }
  assert "it is heard" { condition = shout(step.answer.content) == "YES!" }
}
`

func inExtendedLanguage() fs.FS {
	return fstest.MapFS{"a.scenario.hcl": {Data: []byte(extended)}, "_world.scenario.hcl": {Data: []byte(world)}}
}

func withExtensions(version string) (*scenario.Suite, error) {
	return scenario.Load(inExtendedLanguage(), "a.scenario.hcl",
		scenario.Function(shout, version), scenario.Provider(acme(), "1"), scenario.Fault(brownout, "1"))
}

func ExampleFunction() {
	suite, err := withExtensions("1")
	if err != nil {
		fmt.Println(err)
		return
	}
	r := suite.Scenarios()[0].Run(context.Background())
	prompt, _ := r.Value("step.answer.attempts[0].request.json.messages[0].content")
	fmt.Println(r.Verdict(), prompt)
	// Output: pass HELLO!
}

func ExampleProvider() {
	suite, err := withExtensions("1")
	if err != nil {
		fmt.Println(err)
		return
	}
	url, _ := suite.Scenarios()[0].Run(context.Background()).Value("step.answer.attempts[0].request.url")
	fmt.Println(url)
	// Output: https://llm.acme.example/v1/chat/completions
}

func ExampleFault() {
	suite, err := withExtensions("1")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range suite.Scenarios()[0].Run(context.Background()).Step("answer").Attempts {
		fmt.Println(a.At, a.Elapsed, a.StatusCode, a.Fault)
	}
	// Output:
	// 0s 5s 503 brownout
	// 6s 0s 200
}

// Shows that what is added counts for the hash with its version, and that a
// language to which nothing is added has the hashes that it had.
func TestExtensionsAreHashed(t *testing.T) {
	hash := func(version string) string {
		suite, err := withExtensions(version)
		if err != nil {
			t.Fatal(err)
		}
		return suite.Scenarios()[0].Hash()
	}
	first, again, other := hash("1"), hash("1"), hash("2")
	if first != again || first == other {
		t.Errorf("%s, again %s, of version 2 %s", first, again, other)
	}
	file := fstest.MapFS{"support.scenario.hcl": {Data: []byte(support)}}
	without, err := scenario.Load(file, ".")
	if err != nil {
		t.Fatal(err)
	}
	with, err := scenario.Load(file, ".", scenario.Fault(brownout, "1"))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := without.Scenarios()[0].Hash(), with.Scenarios()[0].Hash(); a == b {
		t.Errorf("a language with another fault kind has the hash %s, too", a)
	}
}

// Shows that what a language has already cannot be added, nor what is not
// complete, and that what one suite adds no other one has.
func TestExtensionsAreRefused(t *testing.T) {
	named := func(name string) *catalog.Kind {
		kind := acme()
		kind.Name = name
		return kind
	}
	for want, options := range map[string][]scenario.Option{
		`there is a function "upper" already`:                    {scenario.Function(stdlib.NewFunc("upper(x)", "", shout.Implementation()), "1")},
		`there is a function "metric" already`:                   {scenario.Function(stdlib.NewFunc("metric(x)", "", shout.Implementation()), "1")},
		`there is a function "shout" already`:                    {scenario.Function(shout, "1"), scenario.Function(shout, "2")},
		`there is a provider kind "openai" already`:              {scenario.Provider(named("openai"), "1")},
		`"a b" is no name of a provider kind`:                    {scenario.Provider(named("a b"), "1")},
		`needs a family`:                                         {scenario.Provider(&catalog.Kind{Name: "x"}, "1")},
		`there is a fault kind "hang" already`:                   {scenario.Fault(&faults.Kind{Name: "hang", For: brownout.For, Script: brownout.Script}, "1")},
		`the fault kind "x" needs a script`:                      {scenario.Fault(&faults.Kind{Name: "x"}, "1")},
		`the function "shout" needs a version`:                   {scenario.Function(shout, "")},
		`There is no fault kind "brownout".`:                     {scenario.Provider(acme(), "1"), scenario.Function(shout, "1")},
		`There is no provider kind "acme".`:                      {scenario.Fault(brownout, "1"), scenario.Function(shout, "1")},
		"There is no function \"shout\". Did you mean \"sort\"?": {scenario.Fault(brownout, "1"), scenario.Provider(acme(), "1")},
	} {
		_, err := scenario.Load(inExtendedLanguage(), ".", options...)
		if err == nil || !strings.Contains(strings.Join(strings.Fields(err.Error()), " "), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
