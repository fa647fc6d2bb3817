package drive

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/render"
)

// proposed are two blocks to paste: an endpoint that a request fits, and what
// answers it in the scenario. They are laid out as the formatter does, and are
// valid once the names are: a reply without attributes is a successful answer.
func proposed(c *candidate, req *request) string {
	var match []string
	switch {
	case req.in.RPC.Subject() != "":
		match = []string{"tool = " + quoted(req.in.RPC.Subject())}
	case req.in.Statement != "":
		match = []string{"statement = " + quoted(excerpt(req.in.Statement))}
	case c.Kind.Family == "llm" && req.in.Prompt() != "":
		match = []string{"prompt = " + quoted(excerpt(req.in.Prompt()))}
	default:
		match = []string{"method = " + quoted(req.http.Method), "path   = " + quoted(req.path)}
	}
	return fmt.Sprintf(`endpoint "NAME" {
  provider = provider.%s
  match {
    %s
  }
}
and answer it in the scenario:
on "NAME" {
  reply {}
}`, c.Name, strings.Join(match, "\n    "))
}

// quoted writes a string as it stands in a file.
func quoted(text string) string { return render.Value(cty.StringVal(text), 0) }

// excerpt is the beginning of a text as a pattern.
func excerpt(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "*"
	}
	return text
}
