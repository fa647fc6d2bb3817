package interp

import (
	"crypto/sha256"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// undecided are the fields of a plan that are not in its hash, each with why two
// plans that differ in nothing else run the same, or how the hash knows of it
// all the same. A field of which that cannot be said belongs into
// interp/internal/plan/json.go.
var undecided = reasons(map[string][]string{
	"where something stands in a file, or what a file says of it to people": {
		"plan.Action.Order", "plan.Handle.Description", "plan.Handle.File", "plan.Handle.Line", "plan.Handle.Tags",
		"plan.Plan.Place", "plan.Recording.MaxAge", "policy.Retry.Limits",
	},
	"of what a number is made that is in the JSON, which a verdict on a check alone reads": {
		"plan.Step.RetriesFrom",
	},
	"a block, whose attributes are in the JSON one by one": {
		"plan.BenchDecl.Block", "plan.BenchRubric.Block", "plan.BenchSUT.Block",
	},
	"a bound on what runs compute, which ends no run that ends by itself, as that on their events": {
		"plan.Plan.Blocks", "plan.Plan.Instances", "plan.Plan.Others",
	},
	"a list by which what the JSON has is found": {
		"plan.Plan.ScriptsAt",
	},
	"what a search holds runs to, which decides none": {
		"plan.Plan.Tolerates", "plan.Workflow.Tolerates", "plan.Tolerance.Faults", "plan.Tolerance.Kinds",
	},
	"made of what is in the JSON": {
		"actor.HandlerSpec.Return", "actor.ToolSpec.Return", "actor.HandlerSpec.Works", "actor.Spec.Late",
		"plan.Assertion.Source", "plan.Assertion.Lacking", "plan.SnapshotCheck.Source", "plan.BenchRubric.Source", "plan.BenchCase.Ctx", "plan.Classifier.Actors", "plan.Classifier.Keys",
		"plan.Invariant.Absence", "plan.Invariant.Checks", "plan.Invariant.Needs", "plan.Invariant.Plain", "plan.Invariant.Standard", "plan.Plan.Excuses", "plan.Excuse.Asked", "plan.AskedEnding.Of", "plan.AskedEnding.Needs",
		"plan.Plan.Needs", "plan.Provider.Adapter", "plan.Step.ExpectStatus", "plan.Step.Family",
		"plan.Step.Needs", "plan.Step.Shape", "plan.Sub.Arguments", "plan.Workflow.OutputNeeds",
		"plan.Plan.Barred", "plan.Unseen.Interpreted", "plan.Unseen.Driven", "plan.Unseen.Unstarted", "plan.Unseen.Unconnected", "plan.Unseen.Said", "plan.Expectation.Unseen",
		"plan.Secrets.Hidden", "plan.Secrets.Received", "plan.Secrets.Redactor", "plan.Secrets.Tracker", "plan.SnapshotCheck.Path", "plan.Handle.Snapshots",
	},
	"follows from the place in the plan": {
		"plan.Action.Node", "plan.CallAction.Node", "plan.Entry.N", "plan.Node.Inner", "plan.Node.Order",
		"plan.Node.Outer", "plan.Part.Address", "plan.Part.What", "plan.Part.Word", "plan.Script.Part",
		"plan.Step.Index", "plan.Step.Substitute", "plan.Step.Taxonomy", "plan.Step.Tool", "plan.Step.Valued",
		"plan.Target.Gateway", "plan.Target.Plain", "plan.Workflow.Depth", "plan.Workflow.Index",
		"plan.Workflow.Nodes", "plan.Workflow.Size",
	},
	"hashed by itself: Digest, Core and CaseDigest": {
		"plan.BenchRun.Meaning", "plan.Plan.Core", "plan.Plan.HashOnce", "plan.SnapshotCheck.Golden",
		"plan.Workflow.Digest",
	},
	"the cassette, whose digest is in the JSON": {
		"plan.Plan.Responses", "plan.Entry.InFile",
	},
	"what the bench runs; the JSON has it of BenchRun": {
		"plan.BenchDecl.Cases", "plan.BenchSUT.Open", "plan.BenchSUT.Plan", "plan.BenchSUT.Program",
		"plan.BenchSUT.Workflow",
	},
	"what a score brings for people to look at, which a plan has none of": {
		"bench.Score.Seen",
	},
	"no part of the scenario": {
		"plan.Plan.Inapplicable", "plan.InvariantCount.Name", "plan.InvariantCount.Own", "plan.InvariantCount.Standard", "plan.InvariantCount.Foreign", "plan.InvariantCount.Imported", "plan.InvariantCount.Evaluated", "plan.InvariantCount.Always", "plan.InvariantCount.Unmet",
	},
	"of use to the compiler alone": {
		"plan.Entry.TimesSet", "plan.Step.Unresolved", "plan.Workflow.InputsLost",
	},
})

// reasons gives every field its reason.
func reasons(fields map[string][]string) map[string]string {
	of := map[string]string{}
	for why, names := range fields {
		for _, name := range names {
			of[name] = why
		}
	}
	return of
}

// A plan's hash stands for its run, so whatever decides a run is in the JSON
// that is hashed. Every field of everything that a plan consists of is changed
// in the plans of the suite, one at a time: some hash has to change with it.
func TestEveryFieldIsHashed(t *testing.T) {
	found := &parts{of: map[reflect.Type][]part{}}
	for _, file := range suiteFiles(t) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		plans, diags := tryCompile(file, string(source))
		if diags.HasErrors() {
			continue // it asks for variables
		}
		found.here = map[reflect.Type]int{}
		for _, h := range plans {
			p := plan.Inside(h)
			found.in, found.hash, found.seen = p, hashOf(p), map[any]bool{}
			found.walk(reflect.ValueOf(p))
		}
	}
	used := map[string]bool{}
	for typ, list := range found.of {
		for i := range typ.NumField() {
			f := typ.Field(i)
			name := path.Base(typ.PkgPath()) + "." + typ.Name() + "." + f.Name
			if !f.IsExported() || f.Type == reflect.TypeFor[hcl.Range]() || ours(f.Type) {
				continue
			}
			_, excused := undecided[name]
			tried := list
			if excused {
				tried = list[:min(len(list), excusedMax)]
			}
			hashed := slices.ContainsFunc(tried, func(p part) bool { return p.decides(i) })
			switch {
			case !hashed && !excused:
				t.Errorf("%s can be changed and no hash changes with it: add it to interp/internal/plan/json.go, or say in undecided why it decides no run", name)
			case hashed && excused:
				t.Errorf("%s is in a hash: it is not undecided any more", name)
			}
			used[name] = true
		}
	}
	for name := range undecided {
		if !used[name] {
			t.Errorf("there is no field %s", name)
		}
	}
}

// parts are the structs that plans consist of, by their type.
type parts struct {
	of   map[reflect.Type][]part
	in   *plan.Plan
	hash digest // of in
	seen map[any]bool
	// here counts those of the file.
	here map[reflect.Type]int
}

// A part is one struct of a plan.
type part struct {
	value reflect.Value
	in    *plan.Plan
	hash  digest
}

// A digest is the hash of a plan's workflow, and of all else.
type digest [2][sha256.Size]byte

// partsMax is how many of one type are tried in one file, and excusedMax how many
// in all for a field that is excused.
const partsMax, excusedMax = 64, 50

// ours reports whether a type is a struct that is part of a plan.
func ours(typ reflect.Type) bool {
	if typ.Kind() != reflect.Struct {
		return false
	}
	for _, dir := range []string{"interp/internal/plan", "interp/policy", "interp/actor", "interp/bench", "cassette/redact"} {
		if strings.HasSuffix(typ.PkgPath(), dir) {
			return true
		}
	}
	return false
}

// walk finds the structs in a value.
func (p *parts) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || p.seen[v.Interface()] {
			return
		}
		p.seen[v.Interface()] = true
		p.walk(v.Elem())
	case reflect.Interface:
		p.walk(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			p.walk(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			p.walk(v.MapIndex(key))
		}
	case reflect.Struct:
		if !ours(v.Type()) {
			return
		}
		if p.here[v.Type()]++; v.CanSet() && p.here[v.Type()] <= partsMax {
			p.of[v.Type()] = append(p.of[v.Type()], part{v, p.in, p.hash})
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				p.walk(v.Field(i))
			}
		}
	}
}

// decides reports whether the hash of the plan knows a field of the part.
func (p part) decides(i int) bool {
	f := p.value.Field(i)
	before := reflect.New(f.Type()).Elem()
	before.Set(f)
	if !alter(f) {
		return false
	}
	defer f.Set(before)
	return hashOf(p.in) != p.hash
}

// hashOf computes the hash of a plan anew. One that cannot be computed shows
// that what was changed is looked at.
func hashOf(p *plan.Plan) (sum digest) {
	defer func() {
		if recover() != nil {
			sum = digest{}
		}
	}()
	copy(sum[0][:], p.Workflow.Sum())
	sum[1] = p.Sum()
	return sum
}

// alter gives a field another value and reports whether there is one.
func alter(f reflect.Value) bool {
	switch f.Type() {
	case reflect.TypeFor[cty.Value]():
		f.Set(reflect.ValueOf(cty.ObjectVal(map[string]cty.Value{"another": cty.True})))
		return true
	case reflect.TypeFor[hclsyntax.Expression]():
		f.Set(reflect.ValueOf(&hclsyntax.LiteralValueExpr{Val: cty.StringVal("another")}))
		return true
	}
	switch f.Kind() {
	case reflect.Bool:
		f.SetBool(!f.Bool())
	case reflect.Int, reflect.Int64:
		f.SetInt(f.Int() + 1)
	case reflect.Uint64:
		f.SetUint(f.Uint() + 1)
	case reflect.Float64:
		f.SetFloat(f.Float() + 1)
	case reflect.String:
		f.SetString(f.String() + "x")
	case reflect.Pointer:
		if !f.IsNil() {
			f.SetZero()
		} else {
			f.Set(reflect.New(f.Type().Elem()))
		}
	case reflect.Slice:
		if n := f.Len(); n > 0 {
			f.Set(f.Slice(0, n-1))
		} else {
			f.Set(reflect.Append(f, reflect.Zero(f.Type().Elem())))
		}
	case reflect.Map:
		if f.Len() > 0 {
			f.SetZero()
		} else {
			f.Set(reflect.MakeMap(f.Type()))
			f.SetMapIndex(reflect.New(f.Type().Key()).Elem(), reflect.New(f.Type().Elem()).Elem())
		}
	case reflect.Interface:
		if f.IsNil() {
			return false
		}
		f.SetZero()
	default:
		return false
	}
	return true
}
