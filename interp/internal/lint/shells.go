package lint

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/lint/shell"
)

const summaryHiddenEnd = "Shell that hides how the program ends"

// shells warns of programs that a shell starts whose end it hides, where the scenario says how they
// have to end, or does not say that they may fail. A server, and a program that until waits for, is
// ended by the scenario.
func (c *checker) shells() {
	for _, s := range c.file.Body.All("scenario") {
		sut := s.First("sut")
		if sut == nil || !c.own(s) || sut.Attr("serves") != nil || sut.Attr("until") != nil || c.mayFail(s) {
			continue
		}
		a := sut.Attr("command")
		if a == nil {
			continue
		}
		list, is := dsl.Bare(a.Expr).(*hclsyntax.TupleConsExpr)
		if !is {
			continue
		}
		var words []string
		for _, e := range list.Exprs {
			word, _ := writtenText(e)
			words = append(words, word)
		}
		switch operator, program := shell.Hides(words); operator {
		case "|":
			c.warnf(a.Expr.Range(), summaryHiddenEnd, "The shell says how the last command of a pipeline ended, so a %s before it that fails is a success. Run it without a shell, as the output is kept anyway; or write [\"bash\", \"-c\", \"set -o pipefail; …\"].", program)
		case ";":
			c.warnf(a.Expr.Range(), summaryHiddenEnd, "The shell says how the last command of a list ended, so a %s before it that fails is a success. Write && in the place of ;, or exec before the program and nothing behind it, or run the program without a shell.", program)
		}
	}
}

// mayFail reports whether a scenario allows its program to fail, and reads nothing of how it ends.
func (c *checker) mayFail(s *dsl.Block) bool {
	allowed := false
	if a := s.Attr("allow"); a != nil {
		eachText(a.Expr, func(gate string) { allowed = allowed || gate == "unexpected_failure" })
	}
	if !allowed {
		return false
	}
	for _, b := range s.Blocks {
		if b.Type == "expect" && strings.Join(b.Labels, "") == "run" {
			return false
		}
		for _, a := range b.Attrs {
			for t := range dsl.Variables(a.Expr) {
				if t.RootName() == "sut" || t.RootName() == "run" {
					return false
				}
			}
		}
	}
	return true
}
