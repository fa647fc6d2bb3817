package sql

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

// Adapter speaks to a PostgreSQL server.
type Adapter struct{}

// BaseURL is the server where a provider names none.
const BaseURL = "postgres://localhost:5432/postgres"

// Scheme is that of the URL of every request.
const Scheme = "postgres"

// protocol is the name of what is spoken, in the place of HTTP.
const protocol = "PostgreSQL"

// Dialled is the header field of a request that holds the connection string of
// the server to dial: what the envelope, which is recorded, must not say.
const Dialled = "Dialled"

// A Statement is the body of a request.
type Statement struct {
	Query string `json:"query"`
	Args  []any  `json:"args,omitempty"`
}

// Request is the envelope of one statement. Its URL names no user and always a
// port.
func (Adapter) Request(ctx context.Context, in providers.Input) (*http.Request, error) {
	if strings.TrimSpace(in.Statement) == "" {
		return nil, errors.New("the query is empty: give the statement that is sent")
	}
	if i := strings.IndexByte(in.Statement, 0); i >= 0 {
		return nil, errors.New("the query holds a NUL byte, which the protocol cannot send")
	}
	u, err := Address(in.BaseURL)
	if err != nil {
		return nil, err
	}
	if _, err := texts(in.Args); err != nil {
		return nil, err
	}
	body, err := providers.EncodeJSON(Statement{in.Statement, in.Args})
	if err != nil {
		return nil, fmt.Errorf("the args cannot be sent: %w", err)
	}
	req, err := providers.NewRequest(ctx, Verb(in.Statement), u, body)
	if err != nil {
		return nil, err
	}
	req.Proto, req.ProtoMajor, req.ProtoMinor = protocol+"/3.0", 3, 0
	req.Header.Set("Content-Type", "application/json")
	to := in.APIKey
	if to == "" {
		to = in.BaseURL
	}
	req.Header.Set(Dialled, to)
	return req, nil
}

// Address is the URL of a server without its user, and with the usual port.
func Address(text string) (*url.URL, error) {
	if text == "" {
		text = BaseURL
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || (u.Scheme != Scheme && u.Scheme != "postgresql") {
		return nil, errors.New("the base_url is no address of a database: it is written postgres://user@host:5432/database")
	}
	u.Scheme, u.User = Scheme, nil
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), "5432")
	}
	q := u.Query()
	q.Del("password")
	u.RawQuery, u.Fragment = q.Encode(), ""
	return u, nil
}

// Verb is the word that a statement begins with, in upper case, behind comments
// and parentheses; "SQL" where it begins with none.
func Verb(query string) string {
	rest := query
	for {
		rest = strings.TrimLeft(rest, " \t\r\n\f(;")
		switch {
		case strings.HasPrefix(rest, "--"):
			_, rest, _ = strings.Cut(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			_, rest, _ = strings.Cut(rest, "*/")
		default:
			return word(rest)
		}
	}
}

func word(text string) string {
	end := 0
	for end < len(text) && (text[end]|0x20) >= 'a' && (text[end]|0x20) <= 'z' {
		end++
	}
	if end == 0 {
		return "SQL"
	}
	return strings.ToUpper(text[:end])
}

// WithoutPassword is an address without the password in it, and whether it had
// one. What is no address stays as it is.
func WithoutPassword(text string) (string, bool) {
	u, err := url.Parse(text)
	if err != nil {
		return text, false
	}
	query := u.Query()
	_, had := u.User.Password()
	had = had || query.Has("password")
	if !had {
		return text, false
	}
	query.Del("password")
	u.RawQuery = query.Encode()
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	return u.String(), true
}
