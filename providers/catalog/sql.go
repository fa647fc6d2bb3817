package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/schema"
)

var sqlKind = &Kind{
	Name:    "sql",
	Summary: "A PostgreSQL database, or what speaks its protocol.",
	Family:  "sql",
	Adapter: sql.Adapter{},
	BaseURL: sql.BaseURL,
	InFailure: []string{
		"An error of the server is `db_error` with its `sqlstate`, which the taxonomy reads: classes 08 and 53, 57P…, 40001 and 40P01 may be tried again, others not.",
		"53300 (`too_many_connections`) is `pool_timeout`; 57014, with which a server ends a statement that takes too long, is `db_timeout`.",
		"A deadline that passes while the statement runs is `db_timeout`; one that passes before the session is open is `timeout`.",
		"Classes 08 and 28, 3D000, 53300 and 57P03 refuse the session; they and 57P01, with which an administrator ends it, close the connection.",
		"A connection that ends before the server is ready again is `connection` (`eof`), whatever rows had come.",
	},
	ToPrograms: []string{
		"`provider.NAME.dsn` is its connection string; `DATABASE_URL` and the `PG…` variables have it, too, where the program asks one database. Any user and any password are right. TLS is declined: a client that insists on it leaves, and the run says so.",
		"Where `base_url` names a database, a client has to ask for that one; without a `base_url` any will do.",
		"Statements arrive as clients send them: as simple queries, one or several in a text, and prepared, with arguments, in text and in binary. An argument is a string, unless the driver says that it is a number or a bool. A client that prepares a statement is told the columns of the next reply that has some.",
		"What is about the session is no call and takes no entry: `SET`, `RESET`, `SHOW`, `BEGIN`, `COMMIT`, `ROLLBACK`, `SAVEPOINT`, `RELEASE`, `DISCARD`, `DEALLOCATE`, empty statements, and what drivers ask on connecting: the version, the schema, the user, types. Conditions find it by its first word, `events({ type = \"message\", method = \"COMMIT\" })`, with the `connection` that it came over. A program may commit some statements together and others by themselves: `scenario exec` warns of such a write if a check asks for `BEGIN` or `COMMIT`, or for a `ROLLBACK` that came after it, and none reads a `connection` or the order of all events, as `[for e in events() : coalesce(e.step, e.method) if e.type == \"attempt_start\" || contains([\"BEGIN\", \"COMMIT\"], e.method)] == [\"BEGIN\", \"stock\", \"order\", \"COMMIT\"]` does. An endpoint whose `statement` names such a statement gets it. A transaction that has failed refuses all but its end.",
		"`db_down`, `pool_exhausted` and the faults of connections refuse a client that connects, where every endpoint of the provider has such a fault due: each of them has met it then. Else the fault fires at the statement, and ends the session with 57P01.",
		"A statement that breaks a gate fails with XX000 and says which. `COPY` from or to the client, replication and `LISTEN` are not served.",
	},
	Reply: []schema.Attr{
		{Name: "rows", Type: schema.Any, Doc: "The rows, a list of objects with the same attributes; none for a statement that returns no rows."},
		{Name: "columns", Type: schema.Strings, Doc: "The columns in their order, each with its type: `[\"id int4\", \"name text\"]`. Without it they are those of the first row, sorted by name, with the types `bool`, `int8`, `float8`, `text` and `jsonb` by their values."},
		{Name: "affected", Type: schema.Int, Min: 0, HasMin: true, Doc: "How many rows the server reports; the number of rows that are returned unless given."},
		latencyAttr,
	},
	ReplyOutput: sqlReply,
}

func sqlReply(values schema.Values) (providers.Output, error) {
	r := reader{values: values}
	out := providers.Output{}
	if r.has("affected") {
		n := r.whole("affected")
		out.Affected = &n
	}
	objects := r.records("rows")
	columns := r.texts("columns")
	r.common(&out)
	if r.err != nil || !r.has("rows") && columns == nil {
		return out, r.err
	}
	var err error
	if out.Columns, err = declaredColumns(columns); err != nil {
		return out, err
	}
	if columns == nil {
		if out.Columns, err = guessedColumns(objects); err != nil {
			return out, err
		}
	}
	if out.Rows, err = aligned(out.Columns, objects); err != nil {
		return out, err
	}
	return out, sql.Sendable(out)
}

// records is a tuple of objects.
func (r *reader) records(name string) []map[string]any {
	list, ok := r.values[name].([]any)
	if !ok && r.has(name) {
		r.fail(name, "a list of objects", r.values[name])
	}
	records := make([]map[string]any, 0, len(list))
	for _, e := range list {
		record, ok := e.(map[string]any)
		if !ok {
			r.fail(name, "a list of objects", e)
		}
		records = append(records, record)
	}
	return records
}

// declaredColumns are columns that are written as a name and a type.
func declaredColumns(texts []string) ([]providers.Column, error) {
	columns := []providers.Column{}
	for _, text := range texts {
		name, typ, _ := strings.Cut(strings.TrimSpace(text), " ")
		known := sql.KnownType(typ)
		switch {
		case typ == "":
			return nil, fmt.Errorf("the column %q has no type: write its name and its type, such as %q", text, name+" int4")
		case known == "":
			return nil, fmt.Errorf("the column %q is of type %q, which is none of %s", name, typ, strings.Join(sql.TypeNames(), ", "))
		case slices.ContainsFunc(columns, func(c providers.Column) bool { return c.Name == name }):
			return nil, fmt.Errorf("there are two columns %q, and a row, which is an object, holds one", name)
		}
		columns = append(columns, providers.Column{Name: name, Type: known})
	}
	return columns, nil
}

// guessedColumns are the attributes of the rows, with the types of their values.
func guessedColumns(objects []map[string]any) ([]providers.Column, error) {
	columns := []providers.Column{}
	if len(objects) == 0 {
		return columns, nil
	}
	for _, name := range slices.Sorted(maps.Keys(objects[0])) {
		c := providers.Column{Name: name}
		for n, object := range objects {
			v := object[name]
			if v == nil {
				continue
			}
			t, fits := wider(c.Type, sql.TypeOf(v))
			if !fits {
				return nil, fmt.Errorf("row %d gives the column %q a value of type %s, and a row before it one of type %s: a column has one type", n+1, name, t, c.Type)
			}
			c.Type = t
		}
		if c.Type == "" {
			c.Type = "text"
		}
		columns = append(columns, c)
	}
	return columns, nil
}

// wider is the type that holds the values of two: that of an integer and of
// one with a fraction is the latter's. It is false with the second where no
// type is guessed for both.
func wider(a, b string) (string, bool) {
	numbers := []string{"int8", "float8"}
	switch {
	case a == "" || a == b:
		return b, true
	case slices.Contains(numbers, a) && slices.Contains(numbers, b):
		return "float8", true
	default:
		return b, false
	}
}

// aligned are the rows with their values in the order of the columns.
func aligned(columns []providers.Column, objects []map[string]any) ([][]any, error) {
	rows := [][]any{}
	for n, object := range objects {
		row := make([]any, len(columns))
		for i, c := range columns {
			v, given := object[c.Name]
			if !given {
				return nil, fmt.Errorf("row %d has no column %q, which others have: write %s = null", n+1, c.Name, c.Name)
			}
			row[i] = v
		}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if !slices.ContainsFunc(columns, func(c providers.Column) bool { return c.Name == name }) {
				return nil, fmt.Errorf("row %d has a column %q, which is none of the statement's", n+1, name)
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}
