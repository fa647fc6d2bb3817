package sql

import (
	"encoding/json"
	"io"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// ReadStatement reads the body of a request.
func ReadStatement(body io.Reader) (Statement, error) {
	d := json.NewDecoder(body)
	d.UseNumber()
	var s Statement
	err := d.Decode(&s)
	return s, err
}

// Messages are what a client sends for the statement once its session is open:
// the extended query, with arguments and rows as text.
func (s Statement) Messages() ([]pgproto3.FrontendMessage, error) {
	args, err := texts(s.Args)
	if err != nil {
		return nil, err
	}
	return []pgproto3.FrontendMessage{
		&pgproto3.Parse{Query: s.Query},
		&pgproto3.Bind{Parameters: args},
		&pgproto3.Describe{ObjectType: 'P'},
		&pgproto3.Execute{},
		&pgproto3.Sync{},
	}, nil
}

var passwordPair = pattern.New(`(?:^|[\s?&])(?:ssl)?password\s*=\s*('(?:[^'\\]|\\.)*'|[^\s&]*)`)

// Passwords are the secrets inside of a connection string, a URL or pairs of
// names and values. It has none for a text that is neither.
func Passwords(dsn string) []string {
	var found []string
	add := func(text string) {
		if text != "" {
			found = append(found, text)
		}
	}
	if u, err := url.Parse(dsn); err == nil && u.User != nil {
		password, _ := u.User.Password()
		add(password)
		if _, written, ok := strings.Cut(u.User.String(), ":"); ok && written != password {
			add(written)
		}
	}
	for _, m := range passwordPair().FindAllStringSubmatch(dsn, -1) {
		text := m[1]
		if quoted, ok := strings.CutPrefix(text, "'"); ok {
			text = strings.NewReplacer(`\'`, `'`, `\\`, `\`).Replace(strings.TrimSuffix(quoted, "'"))
		} else if decoded, err := url.QueryUnescape(text); err == nil && strings.Contains(dsn, "://") {
			text = decoded
		}
		add(text)
	}
	return found
}
