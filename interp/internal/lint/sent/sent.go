// Package sent warns of what a workflow or a program sends, or does not, while its scripts answer all the
// same: of endpoints of a program whose requests nothing in the file reads, of
// steps whose request carries what another step was answered, or an input, and is read by no check, of arguments that
// no handler reads, and of replies with a link that no later request carries. It looks at the file as it is written.
//
//	for _, d := range sent.File(file) {
//		fmt.Println(d.Summary)
//	}
package sent

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// File looks at a file that is linked with its imports, and warns of nothing that an import brought.
func File(f *dsl.File) hcl.Diagnostics {
	c := &checker{file: f, runs: map[string][]*dsl.Block{}}
	for _, s := range f.Body.All("scenario") {
		if w := workflowOf(s); w != "" {
			c.runs[w] = append(c.runs[w], s)
		}
	}
	for _, w := range f.Body.All("workflow") {
		c.steps(w, c.runs[w.Name()])
		var asked *service
		for _, s := range c.runs[w.Name()] {
			if !c.own(s) {
				continue
			}
			if asked == nil {
				asked = serviceOf(w)
			}
			if c.links(s, asked) {
				break
			}
		}
	}
	c.endpoints(f.Body.All("scenario"))
	slices.SortStableFunc(c.diags, func(a, b *hcl.Diagnostic) int { return cmp.Compare(a.Subject.Start.Byte, b.Subject.Start.Byte) })
	return c.diags
}

type checker struct {
	file  *dsl.File
	diags hcl.Diagnostics
	// runs are the scenarios that run a workflow.
	runs map[string][]*dsl.Block
	// asked are the requests that something in the file reads, and named the names that expressions
	// read; nil before they are asked for.
	asked *reads
	named map[string]bool
}

func (c *checker) requests() *reads {
	if c.asked == nil {
		c.asked = readsIn(c.file, "step")
	}
	return c.asked
}

// own reports whether a block stands in the file itself.
func (c *checker) own(b *dsl.Block) bool { return dsl.Place(b.DefRange).Filename == c.file.Path }

func (c *checker) warnf(at hcl.Range, summary, format string, args ...any) {
	c.diags = append(c.diags, &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &at})
}

// workflowOf names the workflow that a scenario runs, "" where it runs none.
func workflowOf(s *dsl.Block) string {
	run, is := s.Expr("run").(*hclsyntax.ScopeTraversalExpr)
	if !is || run.Traversal.RootName() != "workflow" {
		return ""
	}
	name, _ := read.AttrName(run.Traversal, 1)
	return name
}

// written is a string that is written out and not empty.
func written(e hclsyntax.Expression) (string, bool) {
	v, literal := dsl.Literal(dsl.Bare(e))
	if !literal || v.Type() != cty.String || v.IsNull() || v.AsString() == "" {
		return "", false
	}
	return v.AsString(), true
}
