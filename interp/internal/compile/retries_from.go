package compile

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// retriesFrom are the locals and variables of which the max_retries of a policy is made, by way of
// others, too, and the locals that are made of any of those; nil where it is written out.
func (c *compiler) retriesFrom(retry *dsl.Block) map[string]bool {
	a := retry.Attr("max_retries")
	if a == nil {
		return nil
	}
	locals := map[string]hclsyntax.Expression{}
	for _, b := range c.File.Body.All("locals") {
		for _, l := range b.Attrs {
			locals["local."+l.Name] = l.Expr
		}
	}
	var from map[string]bool
	var gather func(e hclsyntax.Expression)
	gather = func(e hclsyntax.Expression) {
		for _, name := range namesIn(e) {
			if from[name] {
				continue
			}
			if from == nil {
				from = map[string]bool{}
			}
			from[name] = true
			gather(locals[name])
		}
	}
	if gather(a.Expr); from == nil {
		return nil
	}
	seen := map[string]bool{}
	var made func(name string) bool
	made = func(name string) bool {
		if from[name] || seen[name] {
			return from[name]
		}
		seen[name] = true
		for _, of := range namesIn(locals[name]) {
			if made(of) {
				from[name] = true
			}
		}
		return from[name]
	}
	for name := range locals {
		made(name)
	}
	return from
}

// namesIn are the locals and variables that an expression reads by their names.
func namesIn(e hclsyntax.Expression) (list []string) {
	for t := range dsl.Variables(e) {
		if name, named := read.AttrName(t, 1); named && (t.RootName() == "local" || t.RootName() == "var") {
			list = append(list, t.RootName()+"."+name)
		}
	}
	return list
}
