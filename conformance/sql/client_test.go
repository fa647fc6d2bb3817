package sql_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math/big"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/providers"
	adapter "github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/providers/sql/serve"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

// served starts a server on loopback that plays the scripts one after the other,
// the last of them again and again, and returns its address.
func served(t *testing.T, scripts ...wire.WireScript) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	var at atomic.Int64
	next := func() (wire.WireScript, error) {
		return scripts[min(int(at.Add(1)), len(scripts))-1], nil
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				if err := serve.Conn(wire.System(), conn, next); err != nil && !gone(err) {
					t.Errorf("serving: %v", err)
				}
			}()
		}
	}()
	return "postgres://app@" + l.Addr().String() + "/shop?connect_timeout=5"
}

// gone reports whether an error is that of a client that left.
func gone(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, os.ErrDeadlineExceeded)
}

func answer(query string, out providers.Output) wire.WireScript {
	return adapter.Adapter{}.Render(providers.Input{Statement: query}, out).Script(wire.Meta{})
}

func struck(t *testing.T, kind string, args schema.Values, after time.Duration, base *wire.Response) wire.WireScript {
	t.Helper()
	s, err := faults.Lookup(kind).Script(faults.Strike{
		Args: args, After: after, HasAfter: after > 0, Base: base, Host: "db.example:5432",
		Vendor: providers.Vendor{Adapter: adapter.Adapter{}, In: providers.Input{Statement: "select 1"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var everything = providers.Output{
	Columns: []providers.Column{
		{Name: "id", Type: "int8"},
		{Name: "small", Type: "int4"},
		{Name: "price", Type: "numeric"},
		{Name: "part", Type: "float8"},
		{Name: "ok", Type: "bool"},
		{Name: "note", Type: "text"},
		{Name: "tags", Type: "jsonb"},
		{Name: "made", Type: "timestamptz"},
		{Name: "seen", Type: "timestamp"},
		{Name: "day", Type: "date"},
		{Name: "image", Type: "bytea"},
		{Name: "sizes", Type: "int4[]"},
		{Name: "key", Type: "uuid"},
		{Name: "gone", Type: "int4"},
	},
	Rows: [][]any{{
		json.Number("9007199254740993"), json.Number("-7"), json.Number("12.50"), json.Number("0.1"),
		true, "λ 🌈",
		map[string]any{"x": []any{json.Number("1"), nil}},
		"2026-01-02T01:04:05.5Z",
		"2026-01-02T03:04:05", "2026-01-02", "AAH/", "{1,2}",
		"6ba7b810-9dad-11d1-80b4-00c04fd430c8", nil,
	}},
}

type row struct {
	ID    int64
	Small int32
	Price pgtype.Numeric
	Part  float64
	OK    bool
	Note  string
	Tags  map[string]any
	Made  time.Time
	Seen  time.Time
	Day   time.Time
	Image []byte
	Sizes []int32
	Key   pgtype.UUID
	Gone  *int32
}

// Shows that a real client reads every type of column as it would from a
// server, in each of the ways in which it may ask: prepared with and without
// its cache, described at each execution, executed at once, and as simple text.
func TestRowsReachPgx(t *testing.T) {
	modes := map[string]pgx.QueryExecMode{
		"cached statement": pgx.QueryExecModeCacheStatement, "cached description": pgx.QueryExecModeCacheDescribe,
		"described": pgx.QueryExecModeDescribeExec, "executed": pgx.QueryExecModeExec, "simple": pgx.QueryExecModeSimpleProtocol,
	}
	for name, mode := range modes {
		t.Run(name, func(t *testing.T) {
			conn := connected(t, served(t, answer("select", everything)))
			for range 2 { // the second time from the client's cache, where it has one
				rows, err := conn.Query(t.Context(), "select * from orders", mode)
				if err != nil {
					t.Fatal(err)
				}
				got, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[row])
				if err != nil {
					t.Fatal(err)
				}
				check(t, got)
			}
		})
	}
}

func check(t *testing.T, got row) {
	t.Helper()
	price := new(big.Rat).SetFrac(got.Price.Int, big.NewInt(1))
	for range -got.Price.Exp {
		price.Quo(price, big.NewRat(10, 1))
	}
	if price.Cmp(big.NewRat(25, 2)) != 0 {
		t.Errorf("price is %s", price)
	}
	if got.ID != 9007199254740993 || got.Small != -7 || got.Part != 0.1 || !got.OK || got.Note != "λ 🌈" || got.Gone != nil {
		t.Errorf("got %+v", got)
	}
	if !got.Made.Equal(time.Date(2026, 1, 2, 1, 4, 5, 5e8, time.UTC)) || !got.Day.Equal(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("times are %s and %s", got.Made, got.Day)
	}
	if string(got.Image) != "\x00\x01\xff" || len(got.Sizes) != 2 || got.Sizes[1] != 2 || len(got.Tags["x"].([]any)) != 2 || got.Key.String() != "6ba7b810-9dad-11d1-80b4-00c04fd430c8" {
		t.Errorf("got %+v", got)
	}
}

func connected(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// Shows that counts, rows of none and several statements on one connection come
// through the standard library's interface.
func TestDatabaseSQL(t *testing.T) {
	insert := "insert into orders values ($1)"
	three := 3
	db, err := sql.Open("pgx", served(t,
		answer(insert, providers.Output{Affected: &three}),
		answer("select", providers.Output{Columns: []providers.Column{{Name: "id", Type: "int4"}}, Rows: [][]any{}}),
		answer("select", providers.Output{Columns: []providers.Column{{Name: "id", Type: "int4"}}, Rows: [][]any{{json.Number("1")}, {json.Number("2")}}}),
	))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if err := db.Ping(); err != nil {
		t.Fatal(err)
	}
	result, err := db.Exec(insert, 7)
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := result.RowsAffected(); n != 3 {
		t.Errorf("affected %d", n)
	}
	var id int
	if err := db.QueryRow("select id from orders where id = $1", 9).Scan(&id); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("no rows: %v", err)
	}
	rows, err := db.Query("select id from orders")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var ids []int
	for rows.Next() {
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil || len(ids) != 2 || ids[1] != 2 {
		t.Errorf("got %v, %v", ids, err)
	}
}

// Shows what each fault is to a real client that connects and asks: by the type
// and the state of the error that it gets, and by when.
func TestFaultsReachPgx(t *testing.T) {
	base := adapter.Adapter{}.Render(providers.Input{Statement: "select 1"}, providers.Output{
		Columns: []providers.Column{{Name: "n", Type: "int4"}}, Rows: [][]any{{json.Number("1")}, {json.Number("2")}},
	})
	type when string
	const connecting, asking when = "connecting", "asking"
	state := func(code string) func(error) bool {
		return func(err error) bool {
			var e *pgconn.PgError
			return errors.As(err, &e) && e.Code == code
		}
	}
	reset := func(err error) bool { return errors.Is(err, syscall.ECONNRESET) }
	late := func(err error) bool { return errors.Is(err, context.DeadlineExceeded) }
	broken := func(err error) bool { return err != nil && !late(err) }
	for _, c := range []struct {
		kind  string
		args  schema.Values
		after time.Duration
		at    when
		want  func(error) bool
	}{
		{kind: "db_down", at: connecting, want: state("08001")},
		{kind: "pool_exhausted", at: connecting, want: state("53300")},
		{kind: "db_error", at: asking, want: state("XX000")},
		{kind: "db_error", args: schema.Values{"sqlstate": "23505"}, at: asking, want: state("23505")},
		{kind: "db_error", args: schema.Values{"sqlstate": "42P01"}, at: asking, want: state("42P01")},
		{kind: "db_error", args: schema.Values{"sqlstate": "57P01"}, at: asking, want: state("57P01")},
		{kind: "db_error", args: schema.Values{"sqlstate": "57P03"}, at: connecting, want: state("57P03")},
		{kind: "db_error", args: schema.Values{"sqlstate": "57014"}, after: 20 * time.Millisecond, at: asking, want: state("57014")},
		{kind: "db_slow", at: asking, want: late},
		{kind: "db_slow", after: 20 * time.Millisecond, at: asking, want: func(err error) bool { return err == nil }},
		{kind: "hang", at: asking, want: late},
		{kind: "timeout", at: connecting, want: late},
		{kind: "connection_reset", at: connecting, want: reset},
		{kind: "connection_reset", args: schema.Values{"after_bytes": 0}, at: asking, want: reset},
		{kind: "connection_reset", args: schema.Values{"after_bytes": 40}, at: asking, want: broken},
		{kind: "connection_refused", at: connecting, want: reset},
		{kind: "dns_error", at: connecting, want: reset},
		{kind: "tls_error", at: connecting, want: reset},
		{kind: "malformed_response", at: asking, want: broken},
		{kind: "error", at: connecting, want: reset},
	} {
		name := strings.TrimSpace(c.kind + " " + strings.Trim(strings.ReplaceAll(jsonText(c.args), `"`, ""), "{}"))
		t.Run(name, func(t *testing.T) {
			var disturbed *wire.Response
			if c.kind == "db_slow" || c.kind == "connection_reset" {
				clone := base.Clone()
				disturbed = &clone
			}
			dsn := served(t, struck(t, c.kind, c.args, c.after, disturbed))
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			conn, err := pgx.Connect(ctx, dsn)
			if c.at == connecting {
				if !c.want(err) {
					t.Errorf("connecting: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatalf("connecting: %v", err)
			}
			defer conn.Close(context.Background())
			rows, err := conn.Query(ctx, "select n from numbers")
			if err == nil {
				_, err = pgx.CollectRows(rows, pgx.RowTo[int32])
			}
			if !c.want(err) {
				t.Errorf("asking: %v", err)
			}
		})
	}
}

func jsonText(v schema.Values) string {
	if v == nil {
		return ""
	}
	data, _ := json.Marshal(v)
	return string(data)
}

// Shows that a pool of connections gets over a session that an administrator
// ended, and that an error inside of a statement leaves its connection whole.
func TestPoolGoesOn(t *testing.T) {
	one := answer("select", providers.Output{Columns: []providers.Column{{Name: "n", Type: "int4"}}, Rows: [][]any{{json.Number("1")}}})
	pool, err := pgxpool.New(t.Context(), served(t,
		struck(t, "db_error", schema.Values{"sqlstate": "23505"}, 0, nil),
		struck(t, "db_error", schema.Values{"sqlstate": "57P01"}, 0, nil),
		one,
	)+"&pool_max_conns=1")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var states []string
	for range 3 {
		var n int
		err := pool.QueryRow(t.Context(), "select 1").Scan(&n)
		var e *pgconn.PgError
		switch {
		case errors.As(err, &e):
			states = append(states, e.Code)
		case err != nil:
			states = append(states, err.Error())
		default:
			states = append(states, "ok")
		}
	}
	if got := strings.Join(states, " "); got != "23505 57P01 ok" {
		t.Errorf("got %s", got)
	}
}
