package sql_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/sql"
)

var in = providers.Input{BaseURL: "postgres://app@db.example:5432/shop", Statement: "select * from orders"}

func statement(query string) providers.Input {
	in := in
	in.Statement = query
	return in
}

func count(n int) *int { return &n }

// Shows that what the adapter renders it reads back, and that no answer that
// broke off anywhere is a success. (Messages are framed one by one, so a cut
// behind valid framing does not exist.)
func TestAdapter(t *testing.T) {
	columns := []providers.Column{{Name: "id", Type: "int4"}, {Name: "total", Type: "numeric"}, {Name: "note", Type: "text"}}
	rows := [][]any{{json.Number("1"), json.Number("9.50"), "λ 🌈"}, {json.Number("-2"), nil, ""}}
	adaptertest.Run(t, adaptertest.Suite{Adapter: sql.Adapter{}, Replies: []adaptertest.Reply{
		{
			Name: "rows", In: in, Unmarked: true,
			Out:  providers.Output{Columns: columns, Rows: rows, Latency: time.Second},
			Want: providers.Output{Columns: columns, Rows: rows, Affected: count(2)},
		},
		{
			Name: "no rows", In: in, Unmarked: true,
			Out:  providers.Output{Columns: columns, Rows: [][]any{}},
			Want: providers.Output{Columns: columns, Rows: [][]any{}, Affected: count(0)},
		},
		{
			Name: "a count", In: statement("insert into orders values (1)"), Unmarked: true,
			Out:  providers.Output{Affected: count(3)},
			Want: providers.Output{Affected: count(3)},
		},
		{
			Name: "neither", In: statement("begin"), Unmarked: true,
			Out:  providers.Output{},
			Want: providers.Output{},
		},
		{
			Name: "text", In: in, Unmarked: true,
			Out:  providers.Output{Content: "one row"},
			Want: providers.Output{Columns: []providers.Column{{Name: "content", Type: "text"}}, Rows: [][]any{{"one row"}}, Affected: count(1)},
		},
	}})
}
