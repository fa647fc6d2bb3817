package compile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// scenarios compiles all that one scenario block stands for.
func (c *compiler) scenarios(b *dsl.Block) []*plan.Plan {
	if !b.Multiplied() {
		if p := c.compileScenario(b); p != nil {
			return []*plan.Plan{p}
		}
		return nil
	}
	var plans []*plan.Plan
	wrong := 0
	for _, in := range c.instances(b) {
		before := len(c.Diags)
		if own := c.Expander().Instance(b, in.name, []string{in.name}, in.values, "for_each", "matrix"); own != nil {
			c.ReadFilesIn(own)
			if p := c.compileScenario(own); p != nil {
				plans = append(plans, p)
			}
		}
		c.Said(c.Expander())
		if c.Diags[before:].HasErrors() {
			if wrong++; wrong == dsl.WrongInstances {
				break
			}
		}
	}
	return plans
}

// shareOut tells the scenarios of a file how many of them one block stands for by for_each, by matrix or as
// what a dynamic block generates, which are declared at one place, and how many such there are beside it. All
// scenarios are told how many are written one by one: whatever is chosen to run, each has the same share.
func shareOut(plans []*plan.Plan) {
	of := map[int]int{}
	for _, p := range plans {
		of[p.Line]++
	}
	generated, blocks := 0, 0
	for _, n := range of {
		if n > 1 {
			generated += n
		} else {
			blocks++
		}
	}
	if generated > 0 {
		blocks++
	}
	for _, p := range plans {
		p.Blocks = blocks
		if p.Instances = of[p.Line]; p.Instances > 1 {
			p.Others = generated - 1
		}
	}
}

// instance is one of the scenarios that a block stands for.
type instance struct {
	name   string
	values dsl.Bindings
}

// instances are those of for_each, and of each of them those of matrix.
func (c *compiler) instances(b *dsl.Block) []instance {
	defer c.Said(c.Expander())
	each, ok := c.forEach(b)
	if !ok {
		return nil
	}
	var list []instance
	for _, in := range each {
		axes, ok := c.axes(b, in)
		if !ok {
			return nil
		}
		total := len(each)
		for _, a := range axes {
			if total *= len(a.values); total > dsl.MaxExpansions {
				break
			}
		}
		if total > dsl.MaxExpansions {
			c.Errorf(b.DefRange, "Too many instances", "A scenario may stand for at most %d, and this one would for more.", dsl.MaxExpansions)
			return nil
		}
		list = append(list, combine(b.Name(), in, axes)...)
	}
	if c.Expander().TooMany(b, len(list), func(i int) dsl.Bindings { return list[i].values }) {
		return nil
	}
	for _, in := range list {
		if c.Secrets.Text(in.name) != in.name {
			c.Errorf(b.DefRange, "Secret in a name", "The instances of %q are named after a value that is sensitive, and names are in every report. Make an object whose keys are no secrets: { first = var.secret }.", b.Name())
			return nil
		}
	}
	return list
}

// forEach is one instance for each key, or a single one where there is no
// for_each. The names are the keys.
func (c *compiler) forEach(b *dsl.Block) ([]instance, bool) {
	a := b.Attr("for_each")
	if a == nil {
		return []instance{{values: dsl.Bindings{}}}, true
	}
	v, ok := c.Expander().Value(a.Expr, nil, "the for_each of a scenario")
	if !ok {
		return nil, false
	}
	wrong := func(format string, args ...any) ([]instance, bool) {
		c.Errorf(a.Expr.Range(), "Wrong for_each", format, args...)
		return nil, false
	}
	v, _ = v.UnmarkDeep()
	switch {
	case v.IsNull() || !v.CanIterateElements():
		return wrong("A for_each is an object, or a list of strings; this is %s.", render.Value(v, 60))
	case v.LengthInt() == 0:
		return wrong("This is empty, so the scenario would never run. Leave the scenario out, or set skip.")
	case v.LengthInt() > dsl.MaxExpansions:
		return wrong("A scenario may stand for at most %d, and this has %d elements.", dsl.MaxExpansions, v.LengthInt())
	}
	named := v.Type().IsObjectType() || v.Type().IsMapType()
	seen := map[string]bool{}
	var list []instance
	for it := v.ElementIterator(); it.Next(); {
		key, value := it.Element()
		if !named {
			key = value
		}
		if key.IsNull() || key.Type() != cty.String {
			return wrong("The elements of a list in for_each are strings, because they name the instances; %s is none. Make an object of others, whose keys are the names: %s.", render.Value(key, 60), byName(v))
		}
		name := key.AsString()
		if name == "" || seen[name] {
			return wrong("The key %q is empty or there twice, and the keys name the instances. toset(…) takes out repetitions.", name)
		}
		seen[name] = true
		list = append(list, instance{name, dsl.Bindings{"each": {"key": key, "value": read.Normalise(value)}}})
	}
	return list, true
}

// byName is how an object of the elements of a list is written: by an attribute whose
// values are strings and all differ, where they have one.
func byName(list cty.Value) string {
	elements := list.AsValueSlice()
	if first := elements[0]; first.Type().IsObjectType() && !first.IsNull() {
		for _, name := range slices.Sorted(maps.Keys(first.Type().AttributeTypes())) {
			if named(elements, name) {
				return fmt.Sprintf("{ for x in [ … ] : x.%s => x }", name)
			}
		}
	}
	return "{ first = …, second = … }"
}

// named reports whether an attribute can name all of some objects.
func named(elements []cty.Value, attr string) bool {
	seen := map[string]bool{}
	for _, e := range elements {
		if e.IsNull() || !e.Type().IsObjectType() || !e.Type().HasAttribute(attr) {
			return false
		}
		v := e.GetAttr(attr)
		if v.IsNull() || v.Type() != cty.String || v.AsString() == "" || seen[v.AsString()] {
			return false
		}
		seen[v.AsString()] = true
	}
	return true
}

// axis is one attribute of a matrix.
type axis struct {
	name   string
	values []cty.Value
}

// axes are those of the matrix as one instance of for_each sees it.
func (c *compiler) axes(b *dsl.Block, in instance) ([]axis, bool) {
	before := len(c.Expander().Diags)
	all := append(b.All("matrix"), c.Expander().Generated(b, "matrix", in.values)...)
	if c.Expander().Diags[before:].HasErrors() {
		return nil, false
	}
	if len(all) == 0 {
		return nil, true
	}
	m := all[0]
	if len(all) > 1 {
		c.Errorf(all[1].DefRange, "Too many blocks", "There may be at most 1 matrix block here; the first is %s.", dsl.Declared(m.DefRange, all[1].DefRange))
		return nil, false
	}
	if len(m.Attrs) == 0 {
		c.Errorf(m.DefRange, "Wrong matrix", "The matrix has no axis: write name = [values].")
		return nil, false
	}
	var axes []axis
	for _, a := range m.Attrs {
		v, ok := c.Expander().Value(a.Expr, in.values, "a matrix")
		if !ok {
			return nil, false
		}
		list, why := axisValues(v)
		if why != "" {
			c.Errorf(a.Expr.Range(), "Wrong matrix", "The axis %q is a list of strings, numbers or bools; %s", a.Name, why)
			return nil, false
		}
		axes = append(axes, axis{a.Name, list})
	}
	return axes, true
}

// axisValues are the elements of an axis, or what is wrong with it.
func axisValues(v cty.Value) (list []cty.Value, why string) {
	v, _ = v.UnmarkDeep()
	if v.IsNull() || !v.CanIterateElements() || v.Type().IsObjectType() || v.Type().IsMapType() {
		return nil, "this is " + render.Value(v, 60) + "."
	}
	seen := map[string]bool{}
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		name := keyText(e)
		switch {
		case e.IsNull() || !e.Type().IsPrimitiveType() || name == "":
			return nil, render.Value(e, 60) + " cannot name an instance."
		case seen[name]:
			return nil, render.Value(e, 60) + " is there twice."
		}
		seen[name] = true
		list = append(list, read.Normalise(e))
	}
	if len(list) == 0 {
		return nil, "this is empty, so the scenario would never run."
	}
	return list, ""
}

// keyText is how a value stands in the name of an instance.
func keyText(v cty.Value) string {
	if !v.IsNull() && v.Type() == cty.String {
		return v.AsString()
	}
	return render.Value(v, 60)
}

// combine gives one instance for each combination, the last axis the fastest,
// with its name: name[key,axis=value].
func combine(scenario string, in instance, axes []axis) []instance {
	list := []instance{in}
	for _, a := range axes {
		var next []instance
		for _, one := range list {
			for _, v := range a.values {
				name := fmt.Sprintf("%s=%s", a.name, keyText(v))
				if one.name != "" {
					name = one.name + "," + name
				}
				values := map[string]cty.Value{a.name: v}
				for known, other := range one.values["matrix"] {
					values[known] = other
				}
				bound := dsl.Bindings{"matrix": values}
				if each := one.values["each"]; each != nil {
					bound["each"] = each
				}
				next = append(next, instance{name, bound})
			}
		}
		list = next
	}
	for i, one := range list {
		list[i].name = scenario
		if one.name != "" { // a dynamic block may have generated no matrix
			list[i].name += "[" + one.name + "]"
		}
	}
	return list
}

// sameNames reports scenarios that have the same name once they are written
// out.
func (c *compiler) sameNames(plans []*plan.Plan) {
	first := map[string]*plan.Plan{}
	for _, p := range plans {
		prev := first[p.Name]
		if prev == nil {
			first[p.Name] = p
			continue
		}
		at := hcl.Pos{Line: p.Line, Column: 1}
		for _, b := range c.Top("scenario") {
			if b.DefRange.Start.Line == p.Line {
				at = b.DefRange.Start
			}
		}
		rng := hcl.Range{Filename: c.File.Path, Start: at, End: at}
		c.Errorf(rng, "Duplicate name", "The scenario %q is a duplicate: the one at line %d has that name, too.", p.Name, prev.Line)
	}
}
