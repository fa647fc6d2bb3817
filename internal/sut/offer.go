package sut

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/server"
	"github.com/scenario-lang/scenario/interp"
)

// Offer begins to listen for a provider, in its protocol, and notes where that is. The
// port is that of the listener, 0 for any; bridge is the command that joins its
// standard streams to an address, which follows it with a token.
func Offer(s *server.Server, p *interp.Provider, port int, bridge []string, at *interp.Addresses) error {
	var err error
	origin := server.Origin{Provider: p.Name, Base: p.Base()}
	switch {
	case p.Kind.Family == "sql":
		at.DSNs[p.Name], err = database(s, origin, port)
	case p.Command != nil:
		at.Commands[p.Name], err = pipe(s, origin, port, bridge)
	default:
		at.URLs[p.Name], err = s.ListenHTTP(origin, port)
	}
	if err != nil {
		return fmt.Errorf("nothing can listen for provider %q: %w", p.Name, err)
	}
	return nil
}

// database begins to listen for a database and returns its connection string.
func database(s *server.Server, at server.Origin, port int) (string, error) {
	port, err := s.Listen(at, port)
	dsn := url.URL{Scheme: "postgres", User: url.User(placeholder), Host: fmt.Sprintf("127.0.0.1:%d", port), Path: at.Base.Path, RawQuery: "sslmode=disable"}
	if name := at.Base.User.Username(); name != "" {
		dsn.User = url.User(name)
	}
	if strings.Trim(dsn.Path, "/") == "" {
		dsn.Path = "/postgres"
	}
	return dsn.String(), err
}

// pipe begins to listen for the bridges of a server over a pipe, and returns the
// command that is one.
func pipe(s *server.Server, at server.Origin, port int, bridge []string) ([]string, error) {
	at.Token, at.Lingers = server.Token(), true
	port, err := s.Listen(at, port)
	return append(slices.Clone(bridge), fmt.Sprintf("127.0.0.1:%d", port), at.Token), err
}
