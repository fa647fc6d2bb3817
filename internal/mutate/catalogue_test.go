package mutate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/internal/mutate/taken"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

// kept are the attributes of a program that no operator changes, by what they say. A name
// with a block is that attribute of the block alone.
var kept = map[string][]string{
	"what is asked, of whom, and what is made of the answer": {
		"base_url", "base_url_env", "api_key_env", "headers", "model", "dsn_env", "command", "args", "prompt", "messages", "system", "temperature", "max_tokens", "stream",
		"method", "path", "url", "query", "body", "json", "tool", "arguments", "resource", "list", "cursor", "value", "target.provider", "target",
		"run", "inputs", "output", "with", "text", "reply", "description", "step", "candidates", "rationale", "classifier.fallback",
		"gateway", "provider", "taxonomy", "return", "workflow", "forward_to", "registry", "protocol_version", "api", "detect.when",
	},
	"its two sides are weakened as those of any condition, and with max_iterations the loop":   {"while"},
	"which script of a scenario answers, and nothing of the program":                           {"lane"},
	"what is changed with another attribute, or with the block":                                {"min_calls", "target.priority", "validate.condition"},
	"what is told of a mode, and changes no run":                                               {"category", "severity"},
	"which cases a bench runs, what it starts for them, and what it hands to that":             {"cases", "env", "pass_env", "stdin"},
	"which results of a bench are kept after a change, and what is done when a worker is lost": {"sut.depends_on", "rubric.depends_on", "bench.idempotent"},
	"where draws come from, and how many there are: another draw is no other program":          {"bench.seed", "resamples"},
	"what is told of a failure mode, and changes no gate":                                      {"detail"},
	"what is scored, by an expression whose conditions and computations are weakened":          {"passed", "score", "breakdown", "cost_usd"},
	"what must hold, and nothing of the program":                                               {"faults", "kinds"},
	"whether it counts as a gap that a reader never stopped, and nothing of a run":             {"optional"},
}

// Every attribute of a program is changed by an operator, or stands above with what it
// says: a new one has to be decided on.
func TestEveryAttributeIsWeakenedOrKept(t *testing.T) {
	used := map[string]bool{}
	var visit func(s *schema.Block, within []string)
	visit = func(s *schema.Block, within []string) {
		if len(within) > 6 || leftAlone(s.Type) {
			return
		}
		for _, k := range s.Kinds {
			visit(k, within)
		}
		if s.Kinds != nil {
			return
		}
		within = append(slices.Clone(within), opening(s))
		for i := range s.Attrs {
			a := &s.Attrs[i]
			if a.Refused {
				continue
			}
			weakened := changes(t, within, a)
			name, own := a.Name, s.Type+"."+a.Name
			why := keptWhy(own)
			if why == "" {
				why = keptWhy(name)
			} else {
				name = own
			}
			switch {
			case weakened:
			case why == "":
				t.Errorf("%s of %s: no operator changes it, and it is not listed", a.Name, opening(s))
			default:
				used[name] = true
			}
		}
		for _, n := range s.Blocks {
			if n.Type != s.Type { // a block that holds its like
				visit(n, within)
			}
		}
	}
	for _, b := range language.File().Blocks {
		if isProgram(b.Type) {
			visit(b, nil)
		}
	}
	for _, list := range kept {
		for _, name := range list {
			if !used[name] {
				t.Errorf("%s is listed, and is no attribute, or one that an operator changes", name)
			}
		}
	}
}

func keptWhy(name string) string {
	for why, list := range kept {
		if slices.Contains(list, name) {
			return why
		}
	}
	return ""
}

// opening is how a block begins.
func opening(s *schema.Block) string {
	text := s.Type
	for i := range s.Labels {
		switch {
		case i == 0 && s.Kind != "":
			text += fmt.Sprintf(" %q", s.Kind)
		default:
			text += ` "x"`
		}
	}
	return text
}

// Every block of the language is one that is run with as it is, one in which an operator changes something or that it
// takes away, or one that is told of as not looked at. A new one has to be decided on.
func TestEveryBlockIsLookedAtOrTold(t *testing.T) {
	told := map[string]bool{}
	var visit func(s *schema.Block, within []string)
	visit = func(s *schema.Block, within []string) {
		if len(within) > 6 {
			return
		}
		if unlooked()[s.Type] != "" {
			told[s.Type] = true
			text := strings.Join(append(slices.Clone(within), opening(s)), " {\n") + " {}\n" + strings.Repeat("}\n", len(within))
			file, _ := dsl.Parse("a.scenario.hcl", []byte(text))
			if file == nil {
				t.Fatalf("%s cannot be read", text)
			}
			if got := unlookedIn(file); len(got) != 1 || !strings.HasPrefix(got[0], s.Type) {
				t.Errorf("%s: told are %q", text, got)
			}
			return
		}
		looked := s.Type == "" || s.Type == "locals" // of a local each has its own expression
		for _, k := range s.Kinds {
			for i := range k.Attrs {
				looked = looked || !k.Attrs[i].Refused && changes(t, append(slices.Clone(within), opening(k)), &k.Attrs[i])
			}
			for _, n := range k.Blocks {
				if n.Type != s.Type {
					visit(n, append(slices.Clone(within), opening(k)))
				}
			}
		}
		within = append(slices.Clone(within), opening(s))
		for i := range s.Attrs {
			looked = looked || !s.Attrs[i].Refused && changes(t, within, &s.Attrs[i])
		}
		if !looked && !computed(s) {
			t.Errorf("%s: no operator looks at it, and it is not told of", strings.Join(within, " "))
		}
		for _, n := range s.Blocks {
			if n.Type != s.Type {
				visit(n, within)
			}
		}
	}
	for _, b := range language.File().Blocks {
		switch {
		case isAsked(b.Type):
		case !isProgram(b.Type) && b.Type != "locals" && unlooked()[b.Type] == "":
			t.Errorf("%s: is not looked at, and not told of", b.Type)
		default:
			visit(b, nil)
		}
	}
	for typ := range unlooked() {
		if !told[typ] && typ != "dynamic" {
			t.Errorf("%s is told of, and no block of a program", typ)
		}
	}
}

// computed reports whether a block is changed by what its expressions say.
func computed(s *schema.Block) bool {
	return slices.ContainsFunc(s.Attrs, func(a schema.Attr) bool { return !a.Refused && (a.Type == schema.Expr || a.Type == schema.Any) })
}

// changes reports whether an operator changes an attribute, or takes away its block.
func changes(t *testing.T, within []string, a *schema.Attr) bool {
	text := strings.Join(within, " {\n") + " {\n" + a.Name + " = " + valueFor(a) + "\n" + strings.Repeat("}\n", len(within))
	file, _ := dsl.Parse("a.scenario.hcl", []byte(text))
	if file == nil {
		t.Fatalf("%s cannot be read", text)
	}
	sites := sitesOf(file)
	if len(sites) == 0 {
		t.Fatalf("%s has no blocks", text)
	}
	last := sites[len(sites)-1]
	for _, op := range operators {
		if op.edits == nil {
			continue
		}
		for _, e := range op.changes(last) {
			if e.keeps == a.Name {
				return true
			}
		}
	}
	return slices.ContainsFunc(worldOf([]*dsl.File{file}).placed[file.Path], func(p placed) bool { return p.declaration == last.name() && p.keeps == a.Name })
}

// named are the functions of the language whose calls stay as they are, by the reason. Those of the first reasons are
// told of where a program calls one, as not changed; the last are not.
var named = map[string][]string{
	"what it gives is a number or a name of its own, for which there is no other one":                                       {"length", "range"},
	"it decides, so that && and ||, the choice and the filter where it stands are weakened":                                 {"within"},
	"it gives the canonical form of a value, for which there is no plain one":                                               {"sha256canonical"},
	"what surrounds a text, with which replies are seldom written: it would be listed of nearly every file":                 {"trim", "trimspace", "chomp"},
	"it says whether an expression can be evaluated; it is not told of":                                                     {"can"},
	"the text of a file and the names of files, which are data: a text that both a program and a check read is another one": {"file", "fileset"},
}

// changedCalls are calls of functions that are changed only with what they have as their argument, or with what is
// read of them.
var changedCalls = map[string]string{
	"keys":        "keys({ for e in x : e.a => e })",
	"values":      "values({ for e in x : e.a => e })",
	"one":         "one([for e in x : e if e.a])",
	"jsondecode":  "jsondecode(x).a",
	"word":        "word(x, y)",
	"lookup":      "lookup(x, y)",
	"percentile":  "percentile(x, y)",
	"startswith":  "startswith(x, y)",
	"endswith":    "endswith(x, y)",
	"strcontains": "strcontains(x, y)",
	"regexmatch":  "regexmatch(\"^a\", x)",
	"format":      "format(\"%.2f\", x)",
	"formatlist":  "formatlist(\"%.2f\", x)",
	"formatdate":  "formatdate(\"YYYY-MM-DD\", x)",
	"contains":    "[for a in x : a if contains(y, a)]",
	"schemaerror": "schemaerror(x, { type = \"object\", required = [\"a\"] })",
	"jq":          "jq(x, \".a | sort\")",
}

// Every function of the language is changed where a workflow calls it, or stands above with the reason why it is
// not: a new one has to be decided on.
func TestEveryFunctionIsWeakenedOrNamed(t *testing.T) {
	why := map[string]string{}
	for reason, list := range named {
		for _, name := range list {
			if why[name] != "" {
				t.Errorf("%s is listed twice", name)
			}
			why[name] = reason
		}
	}
	var all []string
	for _, f := range stdlib.List() {
		all = append(all, f.Name)
		call := changedCalls[f.Name]
		if call == "" {
			_, of, _ := strings.Cut(f.Signature, "(")
			var args []string
			for i := range strings.Split(of, ",") {
				args = append(args, string(rune('p'+i)))
			}
			call = f.Name + "(" + strings.Join(args, ", ") + ")"
		}
		text := "workflow \"w\" {\n  step \"value\" \"b\" { value = " + call + " }\n}\n"
		u := &unit{path: "a.scenario.hcl", source: []byte(text)}
		list := u.mutants(nil)
		changed := f.Name == "jq" && len(list) > 0
		for _, s := range u.sites {
			s.eachNode(func(_ *dsl.Attr, n hclsyntax.Node) {
				if x, is := n.(*hclsyntax.FunctionCallExpr); is && x.Name == f.Name {
					changed = changed || slices.ContainsFunc(list, func(m *Mutant) bool { return m.changesCall(x) })
				}
			})
		}
		if changed == (why[f.Name] != "") {
			t.Errorf("%s: is changed: %t, and listed: %q", call, changed, why[f.Name])
		}
		told := slices.ContainsFunc(u.unchanged(list), func(text string) bool { return strings.HasPrefix(text, f.Name+"()") })
		if silent := converted()[f.Name]; told != (!changed && !silent) {
			t.Errorf("%s: is told of as not changed: %t", call, told)
		}
	}
	for _, list := range [][]string{sortedNames(why), sortedNames(taken.PlainForms()), sortedNames(converted()), sortedNames(changedCalls)} {
		for _, name := range list {
			if !slices.Contains(all, name) {
				t.Errorf("%s is no function of the language", name)
			}
		}
	}
}

// unordered are the functions of two arguments or more in which no two are swapped, by the reason.
var unordered = map[string][]string{
	"in any order it gives the same":                            {"max", "min", "setunion", "setintersection", "approx", "similarity"},
	"its arguments are different things":                        {"percentile", "bca", "schemaerror", "trim", "trimprefix", "trimsuffix", "indent", "split", "join", "replace", "regex", "regexall", "regexmatch", "startswith", "endswith", "strcontains", "word", "substr", "format", "formatlist", "contains", "lookup", "slice", "zipmap", "element", "index", "uuidv5", "jq", "timeadd", "formatdate"},
	"swapped it gives nothing, or another number in every run":  {"pow", "log", "range", "within"},
	"an argument is put in its place, and what is left is seen": {"concat"},
}

// Every function of two arguments or more has two of them swapped, or stands above with the reason why not.
func TestEveryOrderIsSwappedOrListed(t *testing.T) {
	why := map[string]bool{}
	for _, list := range unordered {
		for _, name := range list {
			why[name] = true
		}
	}
	for _, f := range stdlib.List() {
		if !strings.Contains(f.Signature, ",") {
			continue
		}
		text := "workflow \"w\" {\n  step \"value\" \"b\" { value = " + f.Name + "(input.a, input.b) }\n}\n"
		swapped := slices.ContainsFunc(changesOf(t, text, "computation"), func(m string) bool { return strings.Contains(m, "swapped") })
		if swapped == why[f.Name] {
			t.Errorf("%s: is swapped: %t, and listed: %t", f.Signature, swapped, why[f.Name])
		}
		delete(why, f.Name)
	}
	for name := range why {
		t.Errorf("%s is no function of the language with two arguments", name)
	}
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// entire are the functions that the operator "everywhere" does not leave out, by the reason.
var entire = map[string][]string{
	"what it gives has another type or another form than its argument": {
		"schemaerror", "split", "regex", "regexall", "format", "formatlist", "length", "keys", "values", "range", "zipmap", "jsonencode", "jsondecode",
		"yamldecode", "csvdecode", "sha256canonical", "jq", "ms", "file", "fileset", "toset", "tobool", "tonumber", "tostring",
	},
	"it makes one value of several, or chooses one":   {"sum", "signum", "pow", "log", "percentile", "bca", "similarity", "join", "lookup", "element", "index", "one"},
	"it decides, and its sides are weakened as those": {"approx", "within", "startswith", "endswith", "strcontains", "word", "contains", "regexmatch", "alltrue", "anytrue", "can"},
}

// Every function of the language is left out everywhere, or stands above with the reason why it is not: a new one has
// to be decided on.
func TestEveryFunctionIsLeftOutEverywhereOrEntire(t *testing.T) {
	why := map[string]string{}
	for reason, list := range entire {
		for _, name := range list {
			why[name] = reason
		}
	}
	for _, f := range stdlib.List() {
		if (wrapped(f.Name, 3) >= 0) == (why[f.Name] != "") {
			t.Errorf("%s: an argument is left: %t, and listed: %q", f.Name, wrapped(f.Name, 3) >= 0, why[f.Name])
		}
		delete(why, f.Name)
	}
	for name := range why {
		t.Errorf("%s is no function of the language", name)
	}
}

// valueFor is a value that an attribute may have.
func valueFor(a *schema.Attr) string {
	switch {
	case len(a.OneOf) > 0: // not the default, which cannot be dropped
		i := slices.IndexFunc(a.OneOf, func(word string) bool { return fmt.Sprintf("%q", word) != a.Default })
		return fmt.Sprintf("%q", a.OneOf[max(i, 0)])
	case a.Name == "increment" || strings.HasSuffix(a.Name, "timeout"):
		return `"5s"`
	case a.Name == "required":
		return "false"
	case a.Name == "parameters":
		return `{ required = ["a"] }`
	case a.Name == "tools":
		return `[{ name = "a", parameters = { required = ["a"] } }]`
	case a.Name == "response_format":
		return `{ json_schema = { schema = { required = ["a"] } } }`
	case a.Name == "schema":
		return `{ target = "string", a = "string" }`
	}
	switch a.Type {
	case schema.Int, schema.Number:
		return "3"
	case schema.Bool:
		return "true"
	case schema.Duration:
		return `"5s"`
	case schema.Strings:
		return `["a"]`
	case schema.Ref:
		return "step.a"
	case schema.Refs:
		return "[step.a]"
	case schema.Map, schema.StringMap:
		return "{}"
	}
	return "1"
}
