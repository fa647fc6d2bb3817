package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/engine"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// resultRoots are the names of what conditions read of a run.
var resultRoots = []string{"step", "steps", "run", "target", "breaker", "gateway", "fanout", "classify", "call", "actor", "lock", "registry", "report"}

// Results are built as far as an expression reads them. Shows that no
// expression can tell: over everything that a run of the examples leaves behind,
// each form that goes over elements or names has the value that it has where
// everything is built.
func TestNarrowResultsReadLikeWholeOnes(t *testing.T) {
	directories, forms := 0, 0
	seen := map[string]int{}
	for _, file := range resultFiles(t) {
		plans := compileFile(t, file)
		for _, p := range plans[:min(len(plans), 3)] {
			in := plan.Inside(p)
			if p.Skip != "" || in.BenchRun != nil && in.BenchRun.Scoring {
				continue
			}
			r := engine.NewRun(in, RunOptions{}, nil)
			if err := r.Play(); err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			whole := &read.Needs{}
			for _, root := range resultRoots {
				whole.Child(root).All = true
			}
			full := r.Obs.ObservedContext(whole, nil)
			for _, path := range pathsIn(full) {
				if seen[path.kind()]++; seen[path.kind()] > 4 {
					continue
				}
				for _, form := range path.forms() {
					forms++
					e, diags := hclsyntax.ParseExpression([]byte(form), "x.hcl", hcl.InitialPos)
					if diags.HasErrors() {
						t.Fatalf("%s: %v", form, diags)
					}
					want, diags := e.Value(full)
					if diags.HasErrors() {
						continue // it has no value at all
					}
					needs := &read.Needs{}
					needs.Add(e)
					got, diags := e.Value(r.Obs.ObservedContext(needs, nil))
					if diags.HasErrors() || !got.RawEquals(want) {
						t.Errorf("%s, scenario %q: %s is %#v, want %#v %v", file, p.Name, form, got, want, diags)
					}
				}
				if path.object {
					directories++
				}
			}
		}
	}
	if directories < 100 || forms < 2000 {
		t.Errorf("only %d directories and %d expressions were looked at: the walk is broken", directories, forms)
	}
}

// resultFiles are the examples, in a short test those that have the most.
func resultFiles(t *testing.T) []string {
	files := suiteFiles(t)
	if testing.Short() {
		files = slices.DeleteFunc(files, func(f string) bool { return !strings.Contains(f, "services") && !strings.Contains(f, "bench") })
	}
	return files
}

// A resultPath is the way to a value that has elements or names.
type resultPath struct {
	expr   string
	object bool
	// names are of its parts, or of those of its first element.
	names []string
}

// kind is the path without the names that its file gave.
func (p resultPath) kind() string {
	parts := strings.Split(p.expr, ".")
	if len(parts) > 1 && parts[0] != "run" {
		parts[1] = "NAME"
	}
	return strings.Join(append(parts, p.names...), ".")
}

// forms are the expressions that go over it.
func (p resultPath) forms() []string {
	list := []string{
		fmt.Sprintf("[for k, v in %s : k]", p.expr), fmt.Sprintf("length(%s)", p.expr), fmt.Sprintf("[for v in %s : v]", p.expr),
		fmt.Sprintf("[for k, v in %s : k if v != null]", p.expr),
	}
	for _, n := range p.names {
		of := "." + n
		if !hclsyntax.ValidIdentifier(n) {
			of = fmt.Sprintf("[%q]", n)
		}
		list = append(list, fmt.Sprintf("[for v in %s : v%s]", p.expr, of), fmt.Sprintf("{for k, v in %s : k => v%s...}", p.expr, of))
		if p.object {
			list = append(list, fmt.Sprintf("length(%s) > 0 && %s%s == %s[%q]", p.expr, p.expr, of, p.expr, n))
		} else {
			list = append(list, fmt.Sprintf("%s[*]%s", p.expr, of), fmt.Sprintf("[%s[0]%s, [for v in %s : v%s]]", p.expr, of, p.expr, of))
		}
	}
	return list
}

// pathsIn walks what a run can be asked for.
func pathsIn(ctx *hcl.EvalContext) []resultPath {
	var list []resultPath
	var walk func(expr string, v cty.Value, depth int)
	walk = func(expr string, v cty.Value, depth int) {
		switch t := v.Type(); {
		case v.IsNull() || depth > 5:
		case t.IsObjectType():
			names := read.SortedNames(v.AsValueMap())
			p := resultPath{expr: expr, object: true, names: names[:min(len(names), 4)]}
			if depth > 0 {
				list = append(list, p)
			}
			for _, n := range names {
				if hclsyntax.ValidIdentifier(n) {
					walk(expr+"."+n, v.GetAttr(n), depth+1)
				}
			}
		case t.IsTupleType():
			p := resultPath{expr: expr}
			if len(t.TupleElementTypes()) > 0 {
				if e := v.Index(cty.NumberIntVal(0)); !e.IsNull() && e.Type().IsObjectType() {
					names := read.SortedNames(e.AsValueMap())
					p.names = names[:min(len(names), 6)]
				}
				walk(expr+"[0]", v.Index(cty.NumberIntVal(0)), depth+1)
			}
			list = append(list, p)
		}
	}
	for _, root := range resultRoots {
		if v, ok := ctx.Variables[root]; ok {
			walk(root, v, 0)
		}
	}
	return list
}
