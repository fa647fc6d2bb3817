package clients

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// pgxGo is a driver of PostgreSQL for Go.
var pgxGo = client{name: "pgx", of: "v5.12.0", speaks: "sql", path: "/shop", meets: overSQL, ask: func(ctx context.Context, at place, _ bool) outcome {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	config, err := pgx.ParseConfig(at.base)
	if err != nil {
		return outcome{err: err.Error()}
	}
	if at.dial != nil {
		config.DialFunc = at.dial
		config.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
		config.TLSConfig, config.Fallbacks = nil, nil
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return outcome{err: classOf(err) + " when connecting"}
	}
	defer conn.Close(ctx)
	var o outcome
	if err := conn.QueryRow(ctx, "select why from sky").Scan(&o.text); err != nil {
		return outcome{err: classOf(err)}
	}
	return o
}}
