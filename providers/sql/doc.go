// Package sql speaks to a PostgreSQL server in version 3 of its protocol: a
// statement with its arguments, and the rows, the count or the error that come
// back.
//
// The protocol is not HTTP, so the request of an [Adapter] is an envelope: its
// URL says which server, its method is the statement's verb and its body a JSON
// object of query and args. That is what recordings are matched by. The answer
// is the server's own messages, from those that open the session to the one
// that says it is ready again, and package sql/serve plays
// them to any real client.
//
//	var a providers.Adapter = sql.Adapter{}
//	req, err := a.Request(ctx, providers.Input{Statement: "select $1::int as n", Args: []any{1}})
package sql
