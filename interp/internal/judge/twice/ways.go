package twice

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// What bounds the ways in which one may come to a value: how many numbers are tried with each other, and how many
// values that were sent are looked at.
const (
	numbersMax = 48
	sentMax    = 64
)

// A way is how a program may come to a value. name is what it is called there, "" for one that is computed.
type way struct{ name, says string }

// ways are the values of requests that a check is about and that a program can have in two ways: two have given them
// under two names, or one has given what can be computed of what others have.
func (r *record) ways(checks *set, room int) (list []observe.RequestPart) {
	seen := map[[2]string]bool{}
	for _, v := range r.sent {
		at := [2]string{v.step, v.value}
		if seen[at] || !telling(v.value) || !checks.says(v.value) {
			continue
		}
		if seen[at] = true; len(seen) > sentMax || len(list) >= room {
			break
		}
		all := r.waysTo(v)
		if len(all) < 2 {
			continue
		}
		list = append(list, observe.RequestPart{Of: "the request of " + v.step, Name: fmt.Sprintf("%s, which is %s: %s, and %s, too", v.name, v.value, all[0].says, all[1].says)})
	}
	return list
}

// waysTo are two ways to a value under two names, if there are two, or else one or none.
func (r *record) waysTo(v sent) (list []way) {
	before := r.given[:v.after]
	for _, g := range before {
		if g.value != v.value || g.repeats || len(list) > 0 && list[0].name == g.name {
			continue
		}
		if list = append(list, way{g.name, g.name + " of " + g.by}); len(list) == 2 {
			return list
		}
	}
	if len(list) > 0 {
		if says := computed(before, v.value); says != "" {
			list = append(list, way{"", says})
		}
	}
	return list
}

// A number is one that was given.
type number struct {
	given
	of *big.Rat
}

// computed says of a number how it can be computed of given ones: as a product or a sum of two, or as the sum of a
// list, or of the products of two members of its elements; "" where it can not.
func computed(all []given, value string) string {
	want, is := new(big.Rat).SetString(value)
	if !is || len(strings.Trim(value, "0.")) < 3 {
		return ""
	}
	one := big.NewRat(1, 1)
	var numbers []number
	lists, order := map[string][]number{}, []string(nil)
	for _, g := range all {
		n, is := new(big.Rat).SetString(g.value)
		if !is || len(g.value) > 20 || n.Sign() <= 0 {
			continue
		}
		if strings.Contains(g.path, "[]") {
			at := g.by + "\x00" + g.path
			if lists[at] == nil {
				order = append(order, at)
			}
			lists[at] = append(lists[at], number{g, n})
		} else if len(numbers) < numbersMax && n.Cmp(one) != 0 {
			numbers = append(numbers, number{g, n})
		}
	}
	for i, a := range numbers {
		for _, b := range numbers[i:] {
			if new(big.Rat).Mul(a.of, b.of).Cmp(want) == 0 {
				return "the product of " + both(a, b)
			}
			if new(big.Rat).Add(a.of, b.of).Cmp(want) == 0 {
				return "the sum of " + both(a, b)
			}
		}
	}
	for i, at := range order[:min(len(order), numbersMax)] {
		list := lists[at]
		sum := new(big.Rat)
		for _, n := range list {
			sum.Add(sum, n.of)
		}
		if len(list) > 1 && sum.Cmp(want) == 0 {
			return fmt.Sprintf("the sum of %s of %s", list[0].path, list[0].by)
		}
		for _, other := range order[i+1 : min(len(order), numbersMax)] {
			if with := lists[other]; len(with) == len(list) && parent(with[0].path) == parent(list[0].path) && sumOfProducts(list, with).Cmp(want) == 0 {
				return fmt.Sprintf("the sum of %s times %s of %s", list[0].path, with[0].name, list[0].by)
			}
		}
	}
	return ""
}

func both(a, b number) string {
	return fmt.Sprintf("%s of %s and %s of %s", a.name, a.by, b.name, b.by)
}

func parent(path string) string { return path[:strings.LastIndexByte(path, '.')+1] }

func sumOfProducts(list, with []number) *big.Rat {
	sum := new(big.Rat)
	for i, n := range list {
		sum.Add(sum, new(big.Rat).Mul(n.of, with[i].of))
	}
	return sum
}

// says reports whether a condition has a value, or computes it of numbers alone.
func (s *set) says(value string) bool {
	return strings.Contains(s.text, value) || s.computed[value]
}

// arithmetic are the values of a condition's parts that are made of numbers alone, such as 1499 * 3.
func arithmetic(condition hclsyntax.Expression, add func(value string)) {
	dsl.EachExpr(condition, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.BinaryOpExpr)
		if !is || dsl.IsComparison(x.Op) || len(x.Variables()) > 0 {
			return
		}
		if v, diags := dsl.Evaluate(x, nil); !diags.HasErrors() && !v.IsNull() && v.Type() == cty.Number {
			add(v.AsBigFloat().Text('f', -1))
		}
	})
}

// defaults are the values of requests that a check is about and that are the default of an input of a workflow that
// a step runs: they are the same if nothing passes them on.
func defaults(p *plan.Plan, all []sent, checks *set, room int) (list []observe.RequestPart) {
	if p.Workflow == nil || room <= 0 {
		return nil
	}
	told, seen := map[string]bool{}, map[*plan.Workflow]bool{p.Workflow: true}
	var visit func(w *plan.Workflow)
	visit = func(w *plan.Workflow) {
		for _, s := range w.Steps {
			inner := s.Inner
			if inner == nil || seen[inner] {
				continue
			}
			seen[inner] = true
			for _, name := range read.SortedNames(inner.Inputs) {
				leaves(name, inner.Inputs[name], func(path, value string) {
					if told[path+value] || len(list) == room || !telling(value) || !checks.says(value) || !isSent(all, value, 0) {
						return
					}
					told[path+value] = true
					list = append(list, observe.RequestPart{Of: "workflow " + inner.Name, Name: fmt.Sprintf("%s, which is %s as its default, too", path, value)})
				})
			}
			visit(inner)
		}
	}
	visit(p.Workflow)
	return list
}

// isSent reports whether a value was sent after so many were given.
func isSent(all []sent, value string, given int) bool {
	return slices.ContainsFunc(all, func(s sent) bool { return s.value == value && s.after > given })
}

// mixed are the members of one answer, or of one element of it, that name two things with one value, such as the id
// and the customer_id of an order, where that is sent on: whichever was taken.
func (r *record) mixed(room int) (list []observe.RequestPart) {
	var of string // the element, and its members that name something
	var names []string
	values, seen := map[string]string{}, map[string]bool{}
	for i, g := range r.given {
		at := fmt.Sprintf("%d %s", g.answer, g.path[:len(g.path)-len(g.name)])
		if _, again := values[g.name]; again || at != of {
			of, names, values = at, nil, map[string]string{}
		}
		values[g.name] = g.value
		if g.answer == 0 || !isID(g.name) || g.value == "" {
			continue
		}
		for _, other := range names {
			what := g.by + " " + other + " " + g.name
			if values[other] == g.value && !seen[what] && len(list) < room && isSent(r.sent, g.value, i) {
				seen[what] = true
				list = append(list, observe.RequestPart{Of: g.by, Name: fmt.Sprintf("%s, which is %s in %s, too", other, g.value, g.name)})
			}
		}
		names = append(names, g.name)
	}
	return list
}

// isID reports whether a name is that of a number of something: id, customer_id, orderId.
func isID(name string) bool {
	return name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "ID")
}
