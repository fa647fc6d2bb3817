package sql_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/catalog"
	adapter "github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

// server is the URL of a real server; .ci/postgres starts one.
func server(t *testing.T) string {
	t.Helper()
	url := os.Getenv("SCENARIO_POSTGRES")
	if url == "" {
		t.Skip("SCENARIO_POSTGRES names no server: run it with make services")
	}
	return url
}

// said are the messages of a real server for a statement, as recordings have
// them; refused is its answer where it gives no session.
func said(t *testing.T, url string, s adapter.Statement) []string {
	t.Helper()
	conn, err := pgconn.Connect(t.Context(), url)
	if err != nil {
		var refused *pgconn.PgError
		if !errors.As(err, &refused) {
			t.Fatal(err)
		}
		return []string{"ErrorResponse " + refused.Severity + " " + refused.Code}
	}
	h, err := conn.Hijack()
	if err != nil {
		t.Fatal(err)
	}
	defer h.Conn.Close()
	_ = h.Conn.SetDeadline(time.Now().Add(20 * time.Second))
	messages, err := s.Messages()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range messages {
		h.Frontend.Send(m)
	}
	if err := h.Frontend.Flush(); err != nil {
		t.Fatal(err)
	}
	return lines(t, h.Frontend)
}

// ours are those of an answer of the adapter.
func ours(t *testing.T, resp wire.Response) []string {
	t.Helper()
	body := strings.NewReader(string(resp.Body()))
	return lines(t, pgproto3.NewFrontend(body, nil))
}

// lines reads messages up to the end of a statement or of the session. Of an
// error the words and what the server adds to them are left out, notices whole.
func lines(t *testing.T, f *pgproto3.Frontend) []string {
	t.Helper()
	var list []string
	for {
		m, err := f.Receive()
		if err != nil {
			return list
		}
		switch m := m.(type) {
		case *pgproto3.NoticeResponse, *pgproto3.ParameterStatus:
			continue
		case *pgproto3.ErrorResponse:
			list = append(list, "ErrorResponse "+m.Severity+" "+m.Code)
			continue
		}
		text, ok, err := adapter.Line(m)
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			list = append(list, string(text))
		}
		if _, ready := m.(*pgproto3.ReadyForQuery); ready {
			return list
		}
	}
}

func execute(t *testing.T, url, script string) {
	t.Helper()
	conn, err := pgconn.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), script).ReadAll(); err != nil {
		t.Fatal(err)
	}
}

const fresh = `drop table if exists stock; create table stock (sku text primary key, left_over int4 not null);
insert into stock values ('a-1', 2), ('b-7', 0)`

// Shows that an answer which a scenario writes is, message for message, what a
// real server says to the same statement: descriptions of columns, rows and the
// report of what was done.
func TestAnswersAreTheServers(t *testing.T) {
	url := server(t)
	type values = schema.Values
	object := func(pairs ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1]
		}
		return m
	}
	for _, c := range []struct {
		query string
		args  []any
		reply values
	}{
		{"select 1::int4 as a, 'x'::text as b", nil, values{"columns": []string{"a int4", "b text"}, "rows": []any{object("a", 1.0, "b", "x")}}},
		{"select $1::int8 + 1 as n, $2::text as t", []any{41, nil}, values{"columns": []string{"n int8", "t text"}, "rows": []any{object("n", 42.0, "t", nil)}}},
		{
			`select true as a, 2::int2 as b, 0.5::float4 as c, 0.1::float8 as d, 12.50::numeric as e, 'λ 🌈'::text as f, '{"x":[1,null,"a, \"b\": c"]}'::jsonb as g,
			timestamptz '2026-01-02 03:04:05.5+02' as h, timestamp '2026-01-02 03:04:05' as i, date '2026-01-02' as j, '\x0001ff'::bytea as k,
			array[1,2] as l, '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid as m, 'NaN'::float8 as n, 9007199254740993::int8 as o, interval '1 day' as p, false as q`, nil,
			values{
				"columns": []string{
					"a bool", "b int2", "c float4", "d float8", "e numeric", "f text", "g jsonb", "h timestamptz", "i timestamp", "j date", "k bytea",
					"l int4[]", "m uuid", "n float8", "o int8", "p interval", "q boolean",
				},
				"rows": []any{object(
					"a", true, "b", 2.0, "c", 0.5, "d", 0.1, "e", "12.50", "f", "λ 🌈", "g", map[string]any{"x": []any{1.0, nil, `a, "b": c`}},
					"h", "2026-01-02T03:04:05.5+02:00", "i", "2026-01-02T03:04:05", "j", "2026-01-02", "k", "AAH/",
					"l", "{1,2}", "m", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "n", "NaN", "o", int64(9007199254740993), "p", "1 day", "q", false,
				)},
			},
		},
		{"select sku, left_over from stock where false", nil, values{"columns": []string{"sku text", "left_over int4"}}},
		{"select sku, left_over from stock order by sku", nil, values{"columns": []string{"sku text", "left_over int4"}, "rows": []any{object("sku", "a-1", "left_over", 2.0), object("sku", "b-7", "left_over", 0.0)}}},
		{"insert into stock values ('c', 1), ('d', 1)", nil, values{"affected": 2}},
		{"insert into stock values ('c', 1) returning sku", nil, values{"columns": []string{"sku text"}, "rows": []any{object("sku", "c")}}},
		{"update stock set left_over = 5", nil, values{"affected": 2}},
		{"-- all of it\ndelete from stock", nil, values{"affected": 2}},
		{"with low as (select sku from stock) select count(*) as n from low", nil, values{"columns": []string{"n int8"}, "rows": []any{object("n", 2.0)}}},
		{"values (1), (2)", nil, values{"columns": []string{"column1 int4"}, "rows": []any{object("column1", 1.0), object("column1", 2.0)}}},
		{"show server_encoding", nil, values{"columns": []string{"server_encoding text"}, "rows": []any{object("server_encoding", "UTF8")}}},
		{"create table one (n int)", nil, values{}},
		{"create unique index two on stock (left_over)", nil, values{}},
		{"drop table if exists nothing_there", nil, values{}},
		{"truncate stock", nil, values{}},
		{"set statement_timeout = 0", nil, values{}},
	} {
		execute(t, url, fresh+"; drop table if exists one")
		out, err := catalog.Lookup("sql").ReplyOutput(c.reply)
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		in := providers.Input{Statement: c.query, Args: c.args}
		want := said(t, url, adapter.Statement{Query: c.query, Args: c.args})
		if diff := cmp.Diff(want, ours(t, adapter.Adapter{}.Render(in, out))); diff != "" {
			t.Errorf("%s: the server and we differ (-server +ours)\n%s", c.query, diff)
		}
	}
}

// Shows that errors come as a real server sends them: of the same severity, at
// the same place among the messages, and with the same end.
func TestErrorsAreTheServers(t *testing.T) {
	url := server(t)
	other := func(from, to string) string { return strings.Replace(url, from, to, 1) }
	for _, c := range []struct {
		state, url, query string
	}{
		{"42601", url, "selec 1"},
		{"42P01", url, "select * from nothing_there"},
		{"42703", url, "select no_column from stock"},
		{"22012", url, "update stock set left_over = 1 / left_over"},
		{"23505", url, "insert into stock values ('a-1', 1)"},
		{"23502", url, "insert into stock (sku) values ('x')"},
		{"57014", url + "?statement_timeout=50", "do $$ begin perform pg_sleep(5); end $$"},
		{"57P01", url, "do $$ begin perform pg_terminate_backend(pg_backend_pid()); end $$"},
		{"3D000", other("/postgres", "/no_such_database"), "select 1"},
		{"28P01", other("postgres://app:", "postgres://app:wrong"), "select 1"},
	} {
		execute(t, url, fresh)
		if c.state == "3D000" {
			c.url = url[:strings.LastIndex(url, "/")] + "/no_such_database"
		}
		want := said(t, c.url, adapter.Statement{Query: c.query})
		got := ours(t, adapter.Adapter{}.RenderTyped(providers.Input{Statement: c.query}, "db_error", "no", c.state))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s %s: the server and we differ (-server +ours)\n%s", c.state, c.query, diff)
		}
	}
}
