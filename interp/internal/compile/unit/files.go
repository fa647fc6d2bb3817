package unit

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/schema"
)

// readFiles asks for every file that an expression of the run will ask for.
func (u *Unit) readFiles() {
	if plan.MentionsFiles(u.File) || slices.ContainsFunc(u.File.Imports, plan.MentionsFiles) {
		u.readFilesOf(u.File.Body)
	}
}

// ReadFilesIn does so for what was written out of one block.
func (u *Unit) ReadFilesIn(b *dsl.Block) {
	if plan.MentionsFiles(u.File) {
		u.readFilesOf(b)
	}
}

func (u *Unit) readFilesOf(b *dsl.Block) {
	for _, a := range b.Attrs {
		if a.Schema == nil || a.Schema.Runtime || a.Schema.Type == schema.Expr {
			dsl.EachExpr(a.Expr, u.readFile)
		}
	}
	for _, n := range b.Blocks {
		if !n.Multiplied() { // its instances are looked at one by one
			u.readFilesOf(n)
		}
	}
}

func (u *Unit) readFile(e hclsyntax.Expression) {
	call, ok := e.(*hclsyntax.FunctionCallExpr)
	if !ok || !plan.ReadsFiles(call.Name) || len(call.Args) != 1 {
		return
	}
	for t := range dsl.Variables(call.Args[0]) {
		if root := t.RootName(); root != "var" && root != "local" {
			name, _, _ := strings.Cut(call.Name, " ")
			u.Errorf(call.Args[0].Range(), "Path that is not known before the run", "A run reads no files: what %s gives is read before it and is part of the plan. Write the path out, or make it of var and local.", name)
			return
		}
	}
	_, diags := dsl.Evaluate(call, u.Statics)
	u.Diags = append(u.Diags, diags...)
}
