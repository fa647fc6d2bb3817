package sql_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/sql"
)

// lines is the adapter behind a dialler, whose answers are envelopes of HTTP.
type lines struct{ sql.Adapter }

// Request names HTTP, as the answers of a dialler do.
func (l lines) Request(ctx context.Context, in providers.Input) (*http.Request, error) {
	req, err := l.Adapter.Request(ctx, in)
	if err == nil {
		req.Proto, req.ProtoMajor, req.ProtoMinor = "HTTP/1.1", 1, 1
	}
	return req, err
}

// Shows that the envelope of a statement names its server without user and
// password, and what is dialled apart from it.
func TestRequest(t *testing.T) {
	for base, want := range map[string]string{
		"":                                     "postgres://localhost:5432/postgres",
		"postgres://app:secret@db/shop":        "postgres://db:5432/shop",
		"postgresql://db:6000/shop?password=x": "postgres://db:6000/shop",
		"postgres://db/shop?sslmode=disable":   "postgres://db:5432/shop?sslmode=disable",
	} {
		req, err := sql.Adapter{}.Request(t.Context(), providers.Input{BaseURL: base, Statement: "-- all\n (select 1)", Args: []any{1.0, nil}, APIKey: "dsn"})
		if err != nil {
			t.Errorf("%s: %v", base, err)
			continue
		}
		asked, err := sql.ReadStatement(req.Body)
		if err != nil || asked.Query != "-- all\n (select 1)" || len(asked.Args) != 2 {
			t.Errorf("%s: asked %+v, %v", base, asked, err)
		}
		if req.URL.String() != want || req.Method != "SELECT" || req.Header.Get(sql.Dialled) != "dsn" {
			t.Errorf("%s: %s %s %v", base, req.Method, req.URL, req.Header)
		}
	}
	for name, in := range map[string]providers.Input{
		"nothing to ask":  {Statement: " "},
		"a NUL":           {Statement: "select '\x00'"},
		"another service": {Statement: "select 1", BaseURL: "https://db.example"},
		"no address":      {Statement: "select 1", BaseURL: "db.example"},
	} {
		if _, err := (sql.Adapter{}).Request(t.Context(), in); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}

// Shows that every way to write a password into a connection string is known,
// so that it can be hidden.
func TestPasswords(t *testing.T) {
	for dsn, want := range map[string][]string{
		"postgres://app:se%20cret@db/shop":           {"se cret", "se%20cret"},
		"postgres://db/shop?user=app&password=a%2Bb": {"a+b"},
		"host=db password=plain user=app":            {"plain"},
		`host=db password='it\'s' user=app`:          {"it's"},
		"postgres://app@db/shop":                     nil,
		"sk-not-a-dsn":                               nil,
	} {
		if diff := cmp.Diff(want, sql.Passwords(dsn)); diff != "" {
			t.Errorf("%s: %s", dsn, diff)
		}
	}
	if bare, had := sql.WithoutPassword("postgres://app:secret@db/shop?password=x&sslmode=require"); !had || bare != "postgres://app@db/shop?sslmode=require" {
		t.Errorf("without its password: %s, %t", bare, had)
	}
}
