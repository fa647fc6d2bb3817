package compile

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/schema"
)

// readFiles asks for every file that an expression of the run will ask for.
func (c *Compiler) readFiles() {
	if plan.MentionsFiles(c.File) || slices.ContainsFunc(c.File.Imports, plan.MentionsFiles) {
		c.readFilesOf(c.File.Body)
	}
}

// readFilesIn does so for what was written out of one block.
func (c *Compiler) readFilesIn(b *dsl.Block) {
	if plan.MentionsFiles(c.File) {
		c.readFilesOf(b)
	}
}

func (c *Compiler) readFilesOf(b *dsl.Block) {
	for _, a := range b.Attrs {
		if a.Schema == nil || a.Schema.Runtime || a.Schema.Type == schema.Expr {
			dsl.EachExpr(a.Expr, c.readFile)
		}
	}
	for _, n := range b.Blocks {
		if !n.Multiplied() { // its instances are looked at one by one
			c.readFilesOf(n)
		}
	}
}

func (c *Compiler) readFile(e hclsyntax.Expression) {
	call, ok := e.(*hclsyntax.FunctionCallExpr)
	if !ok || !plan.ReadsFiles(call.Name) || len(call.Args) != 1 {
		return
	}
	for t := range dsl.Variables(call.Args[0]) {
		if root := t.RootName(); root != "var" && root != "local" {
			name, _, _ := strings.Cut(call.Name, " ")
			c.errorf(call.Args[0].Range(), "Path that is not known before the run", "A run reads no files: what %s gives is read before it and is part of the plan. Write the path out, or make it of var and local.", name)
			return
		}
	}
	_, diags := dsl.Evaluate(call, c.statics)
	c.Diags = append(c.Diags, diags...)
}
