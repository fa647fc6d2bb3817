package interp

import (
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/providers/mcp"
)

// mcpSubjects are the attributes that say what a step asks a server for, beside
// a list.
var mcpSubjects = []string{"tool", "resource", "prompt"}

// server reads what a declaration says of a server's transport.
func (c *compiler) server(p *provider, r dsl.Reader) {
	if p.kind.Family != kindMCP {
		return
	}
	p.protocol, p.command = r.String("protocol_version"), r.Strings("command")
	if !r.Has("command") {
		if !r.Has("base_url") {
			c.errorf(r.Block.DefRange, "Provider without an address", "A server of the Model Context Protocol has no usual address: give base_url, or command for one over standard input and output.")
		}
		return
	}
	if len(p.command) == 0 || p.command[0] == "" {
		r.Errorf("command", "Command without a program", "Give the program and its arguments, such as [\"npx\", \"-y\", \"some-server\"].")
	}
	for _, name := range []string{"base_url", "headers", "api_key_env"} {
		if r.Has(name) {
			r.Errorf(name, "Two ways to one server", "A server that is a process has no address, no header fields and no key: give either command or %s.", name)
		}
	}
	p.baseURL = mcp.SchemePipe + "://" + p.name + "/"
}

// piped reports whether all servers that the step calls are processes.
func (s *step) piped() bool {
	for _, t := range s.gateway.targets {
		if t.provider.command == nil {
			return false
		}
	}
	return true
}

// asksServer reads what an mcp step asks for: one thing.
func (wc *workflowCompiler) asksServer(s *step, r dsl.Reader) {
	s.stream = r.Bool("stream")
	r.String("list") // reports what cannot be listed
	subjects := append([]string{"list"}, mcpSubjects...)
	var given []string
	for _, name := range subjects {
		if a := s.block.Attr(name); a != nil {
			given = append(given, name)
			s.args[name] = a
		}
	}
	switch {
	case len(given) == 0:
		wc.errorf(s.rng, "Missing attribute", "Step %q asks for nothing: give one of %s.", s.name, strings.Join(subjects, ", "))
	case len(given) > 1:
		wc.errorf(s.args[given[1]].NameRange, "Two questions", "A step asks for one thing: give either %s.", strings.Join(given, " or "))
	case s.args["arguments"] != nil && given[0] != "tool" && given[0] != "prompt":
		wc.errorf(s.args["arguments"].NameRange, "Arguments of nothing", "Arguments are those of a tool or a prompt, and step %q gives %s.", s.name, given[0])
	case s.args["cursor"] != nil && given[0] != "list":
		wc.errorf(s.args["cursor"].NameRange, "Cursor without a list", "A cursor is the place in a list, and step %q gives %s.", s.name, given[0])
	case given[0] == "tool":
		wc.warnOfTool(s)
	}
}

// warnOfTool warns of a retry that is weaker than it looks, where the file does
// not say that it is meant.
func (wc *workflowCompiler) warnOfTool(s *step) {
	if s.idempotent != nil || s.retry.MaxRetries == 0 {
		return
	}
	wc.warnf(s.args["tool"].Range, "Retry that may not repeat", "The tool may have had an effect, so its retry %q calls it again only after a failure from before it was called, 429, 503 and session_expired. Set idempotent = true where the program calls it again all the same, false where this is meant.",
		s.retry.Name)
}
