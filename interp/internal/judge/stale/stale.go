// Package stale tells of checks of a program that compare a file with what the scenario says: files
// are read before the program starts, so such a check holds of what an earlier run left.
//
//	why := stale.Why(condition) // "" where nothing is to be told
package stale

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Reads reports whether a condition reads files itself, so that there may be something to tell.
func Reads(condition hclsyntax.Expression) bool { return len(files(condition)) > 0 }

// Why says of a condition about a program that a part of it reads a file, and nothing that the program
// did. "" where no part does, or another part reads the same file, of which this one then says
// something, such as how many elements it has.
func Why(condition hclsyntax.Expression) string {
	parts := dsl.Conjuncts(condition)
	for i, part := range parts {
		all := files(part)
		if len(all) == 0 || readsRun(part) || slices.ContainsFunc(slices.Concat(parts[:i:i], parts[i+1:]), func(other hclsyntax.Expression) bool {
			return slices.Contains(files(other), all[0])
		}) {
			continue
		}
		return fmt.Sprintf("%s is read before the program starts, so a part of this holds of what was there then, whatever the program writes.\nhint: let the program write it to its standard output, as with command = [\"sh\", \"-c\", \"… && cat report.json\"], and read sut.stdout", all[0])
	}
	return ""
}

// readsRun reports whether an expression reads what a run did, or an input of it.
func readsRun(e hclsyntax.Expression) bool {
	for t := range dsl.Variables(e) {
		if read.IsObserved(t.RootName()) {
			return true
		}
	}
	return read.HasQuery(e)
}

// files are the calls of an expression that read files, as they are written.
func files(e hclsyntax.Expression) (list []string) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if f, call := e.(*hclsyntax.FunctionCallExpr); call && (f.Name == "file" || f.Name == "fileset") {
			list = append(list, string(dsl.AppendSource(nil, f)))
		}
	})
	return list
}
