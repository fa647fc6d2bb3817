package compile

import (
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers/mcp"
	"github.com/scenario-lang/scenario/providers/sql"
)

// server reads what a declaration says of a server's transport.
func (c *Compiler) server(p *plan.Provider, r dsl.Reader) {
	if p.Kind.Family != "mcp" {
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

// database is the address of a database without a password, which belongs into
// no file and would show in every plan.
func (c *Compiler) database(r dsl.Reader, base string) string {
	bare, had := sql.WithoutPassword(base)
	if had {
		c.warnf(r.Range("base_url"), "Password in an address", "The password in base_url is dropped, so that no plan, trace or recording shows it. To dial the database, put the whole connection string into a variable of the environment and name that with dsn_env.")
	}
	return bare
}
