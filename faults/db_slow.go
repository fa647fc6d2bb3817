package faults

import "github.com/scenario-lang/scenario/wire"

const dbSlowName = "db_slow"

// slowDefault is longer than most statements may take.
const slowDefault = "30s"

var dbSlow = &Kind{
	Name:       dbSlowName,
	Summary:    "The statement takes `after` (30s by default) before it is answered as usual: `db_timeout` if the statement's deadline is shorter.",
	For:        databases,
	Groups:     []Group{GroupOwn},
	AlsoCalled: []string{"db_timeout", "slow_query"},
	Slow:       true,
	Script:     strikeDBSlow,
}

func strikeDBSlow(s Strike) (wire.WireScript, error) {
	if !s.HasAfter {
		s.After = mustDuration(slowDefault)
	}
	if s.Base == nil {
		return s.note(dbSlowName, "")
	}
	resp := *s.Base
	resp.Wait = s.After
	return resp.Script(s.labelled(dbSlowName)), nil
}
