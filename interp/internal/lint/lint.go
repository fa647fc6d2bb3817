package lint

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
)

// File looks at a file that is linked with its imports. It warns of nothing that
// an import brought, and of unused declarations only in files that use some: one
// with scenarios or benches. A check that is constant is an error.
func File(f *dsl.File) hcl.Diagnostics {
	c := &checker{file: f}
	if f.Body.First("scenario") != nil || f.Body.First("bench") != nil {
		c.declarations()
		c.inputs()
		c.parts()
		c.bulkheads()
		c.instances()
		c.allowed()
		c.idle()
	}
	c.conditions()
	c.vain()
	c.repeated()
	c.texts()
	c.headers()
	c.shells()
	slices.SortStableFunc(c.diags, func(a, b *hcl.Diagnostic) int { return cmp.Compare(a.Subject.Start.Byte, b.Subject.Start.Byte) })
	return c.diags
}

type checker struct {
	file  *dsl.File
	diags hcl.Diagnostics
	// requests are those that something in the file reads, nil before they are asked for.
	requests *readRequests
}

// own reports whether a block stands in the file itself.
func (c *checker) own(b *dsl.Block) bool { return dsl.Place(b.DefRange).Filename == c.file.Path }

func (c *checker) warnf(at hcl.Range, summary, format string, args ...any) {
	c.diags = append(c.diags, &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &at})
}
