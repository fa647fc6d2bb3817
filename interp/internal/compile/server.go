package compile

import (
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers/mcp"
	"github.com/scenario-lang/scenario/providers/sql"
)

// server reads what a declaration says of a server's transport.
func (c *Compiler) server(p *plan.Provider, r dsl.Reader) {
	if p.Kind.Family != plan.KindMCP {
		return
	}
	p.Protocol, p.Command = r.String("protocol_version"), r.Strings("command")
	if !r.Has("command") {
		if !r.Has("base_url") {
			c.errorf(r.Block.DefRange, "Provider without an address", "A server of the Model Context Protocol has no usual address: give base_url, or command for one over standard input and output.")
		}
		return
	}
	if len(p.Command) == 0 || p.Command[0] == "" {
		r.Errorf("command", "Command without a program", "Give the program and its arguments, such as [\"npx\", \"-y\", \"some-server\"].")
	}
	for _, name := range []string{"base_url", "headers", "api_key_env"} {
		if r.Has(name) {
			r.Errorf(name, "Two ways to one server", "A server that is a process has no address, no header fields and no key: give either command or %s.", name)
		}
	}
	p.BaseURL = mcp.SchemePipe + "://" + p.Name + "/"
}

// asksServer reads what an mcp step asks for: one thing.
func (wc *workflowCompiler) asksServer(s *plan.Step, r dsl.Reader) {
	s.Stream = r.Bool("stream")
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
		wc.errorf(s.Rng, "Missing attribute", "Step %q asks for nothing: give one of %s.", s.Name, strings.Join(subjects, ", "))
	case len(given) > 1:
		wc.errorf(s.Args[given[1]].NameRange, "Two questions", "A step asks for one thing: give either %s.", strings.Join(given, " or "))
	case s.Args["arguments"] != nil && given[0] != "tool" && given[0] != "prompt":
		wc.errorf(s.Args["arguments"].NameRange, "Arguments of nothing", "Arguments are those of a tool or a prompt, and step %q gives %s.", s.Name, given[0])
	case s.Args["cursor"] != nil && given[0] != "list":
		wc.errorf(s.Args["cursor"].NameRange, "Cursor without a list", "A cursor is the place in a list, and step %q gives %s.", s.Name, given[0])
	case given[0] == "tool":
		wc.warnOfTool(s)
	}
}

// database is the address of a database without a password, which belongs into
// no file and would show in every plan.
func (c *Compiler) database(r dsl.Reader, base string) string {
	bare, had := sql.WithoutPassword(base)
	if had {
		c.warnf(r.Range("base_url"), "Password in an address", "The password in base_url is dropped, so that no plan, trace or recording shows it. To dial the database, put the whole connection string into a variable of the environment and name that with dsn_env.")
	}
	return bare
}
