// Package lost tells of checks whose jq programs ask for members that nothing has: they are null there and
// no error, so that select chooses nothing.
//
//	why := lost.Why(condition, ctx) // "" where every member is there
package lost

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// Asks reports whether a condition has a jq program.
func Asks(e hclsyntax.Expression) (asks bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, is := e.(*hclsyntax.FunctionCallExpr)
		asks = asks || is && f.Name == "jq"
	})
	return asks
}

// Why says which member a jq program of a condition asks for that no object in what it is given has.
func Why(e hclsyntax.Expression, ctx *hcl.EvalContext) (why string) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, is := e.(*hclsyntax.FunctionCallExpr)
		if !is || f.Name != "jq" || len(f.Args) < 2 || why != "" {
			return
		}
		program, written := dsl.Literal(dsl.Bare(f.Args[1]))
		if !written || program.Type() != cty.String || program.IsNull() {
			return
		}
		v, diags := dsl.Evaluate(f.Args[0], ctx)
		if diags.HasErrors() || !v.IsWhollyKnown() {
			return
		}
		had := map[string]bool{}
		namesIn(v, had)
		if len(had) == 0 {
			return
		}
		for _, name := range asked(program.AsString()) {
			if !had[name] {
				why = fmt.Sprintf("its jq program asks for .%s, which nothing that it is given has: that is null there and no error, so a select with it chooses nothing.%s\nhint: correct the name; where it may be missing, write .%[1]s? or .%[1]s // …", name, dsl.DidYouMean(name, sorted(had)))
				return
			}
		}
	})
	return why
}

func sorted(names map[string]bool) []string {
	var list []string
	for name := range names {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// namesIn adds the names of the members of objects in a value.
func namesIn(v cty.Value, names map[string]bool) {
	if v.IsNull() || !v.CanIterateElements() {
		return
	}
	t := v.Type()
	for it := v.ElementIterator(); it.Next(); {
		name, inner := it.Element()
		if (t.IsObjectType() || t.IsMapType()) && name.Type() == cty.String {
			names[name.AsString()] = true
		}
		namesIn(inner, names)
	}
}

var (
	// texts are the strings of a jq program, members the names that it asks for, with what says that one may
	// be missing, and made those that it gives members of its own.
	texts   = pattern.New(`"(?:[^"\\]|\\.)*"`)
	members = pattern.New(`\.([A-Za-z_]\w*)(\s*(?:\?|//))?`)
	made    = pattern.New(`([A-Za-z_]\w*)\s*:|[{,]\s*([A-Za-z_]\w*)\s*[,}]|\bas\s+\$([A-Za-z_]\w*)`)
)

// asked are the members that a jq program asks for and does not make by itself, without those that it says
// may be missing.
func asked(program string) (names []string) {
	if strings.Contains(program, "try ") || strings.Contains(program, "has(") {
		return nil
	}
	bare := texts().ReplaceAllString(program, `""`)
	own := map[string]bool{}
	for _, m := range made().FindAllStringSubmatch(bare, -1) {
		for _, name := range m[1:] {
			own[name] = true
		}
	}
	for _, m := range members().FindAllStringSubmatch(bare, -1) {
		if m[2] == "" && !own[m[1]] && !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}
