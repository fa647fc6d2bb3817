package compile

import (
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// mcpKind asks an MCP server.
type mcpKind struct{ basicKind }

func (mcpKind) family(*dsl.Block) string { return "mcp" }

func (mcpKind) arguments(wc *workflowCompiler, s *plan.Step, r dsl.Reader) {
	s.Stream = r.Bool("stream")
	s.ReadsErrors = r.Bool("reads_errors")
	r.String("list") // reports what cannot be listed
	subjects := append([]string{"list"}, plan.McpSubjects...)
	var given []string
	for _, name := range subjects {
		if a := s.Block.Attr(name); a != nil {
			given = append(given, name)
			s.Args[name] = a
		}
	}
	switch {
	case len(given) == 0:
		wc.Errorf(s.Rng, "Missing attribute", "Step %q asks for nothing: give one of %s.", s.Name, strings.Join(subjects, ", "))
	case len(given) > 1:
		wc.Errorf(s.Args[given[1]].NameRange, "Two questions", "A step asks for one thing: give either %s.", strings.Join(given, " or "))
	case s.Args["arguments"] != nil && given[0] != "tool" && given[0] != "prompt":
		wc.Errorf(s.Args["arguments"].NameRange, "Arguments of nothing", "Arguments are those of a tool or a prompt, and step %q gives %s.", s.Name, given[0])
	case s.Args["cursor"] != nil && given[0] != "list":
		wc.Errorf(s.Args["cursor"].NameRange, "Cursor without a list", "A cursor is the place in a list, and step %q gives %s.", s.Name, given[0])
	case s.ReadsErrors && given[0] != "tool":
		wc.Errorf(s.Block.Attr("reads_errors").NameRange, "Attribute that means nothing here", "Only the result of a tool can call itself an error, and step %q gives %s.", s.Name, given[0])
	case given[0] == "tool":
		wc.warnOfTool(s)
	}
}

// warnOfTool warns of a retry that is weaker than it looks, where the file does
// not say that it is meant.
func (wc *workflowCompiler) warnOfTool(s *plan.Step) {
	if s.Idempotent != nil || s.Retry.MaxRetries == 0 {
		return
	}
	wc.Warnf(s.Args["tool"].Range, "Retry that may not repeat", "The tool may have had an effect, so its retry %q calls it again only after a failure from before it was called, 429, 503 and session_expired. Set idempotent = true where the program calls it again all the same, false where this is meant.",
		s.Retry.Name)
}
