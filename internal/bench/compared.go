package main

// inComparison says which row of a comparison of two builds finds that a figure has become
// worse, or why none does.
type inComparison struct{ row, why string }

// Why there is no row.
const (
	tenThousand = "a pair takes half a minute; make bench-growth holds it to its goal"
	worst       = "the worst of a thousand is the machine's, and differs by more than a tenth from run to run"
	held        = "it is the same in every run, so that the table itself shows a change"
	floorOnly   = "it is the floor, in which there is nothing of ours"
	others      = "a benchmark of a package that is not built of both trees; the table has what it was before"
)

// compared has every figure of the table, by its key. What is measured by make trust and
// make bench-growth has a goal of its own there, and is in no comparison: searches, as each
// of their benchmarks is of one package's tests, and growth, as a pair would take minutes.
var compared = map[string]inComparison{
	"G1: validate 1,000 files against parsing them: CPU":                {row: "validate, 200 files"},
	"G1: validate 1,000 files against parsing them: wall":               {row: "validate, 200 files (wall)"},
	"G1: validate 1,000 files against parsing them: CPU, one collector": {row: "validate, 200 files"},
	"G1: validate 1,000 files against parsing them: CPU of a file":      {row: "validate, 200 files"},
	"G2: test 1,000 files against parsing them: CPU":                    {row: "test, 200 files"},
	"G2: test 1,000 files against parsing them: wall":                   {row: "test, 200 files (wall)"},
	"G2: test 1,000 files against parsing them: CPU, one collector":     {row: "test, 200 files"},
	"G2: test 1,000 files against parsing them: CPU of a file":          {row: "test, 200 files"},
	"G2: test 1,000 files with one worker against two: speed-up":        {row: "test, 200 files (wall)"},
	"G3: test 10,000 files against 1,000: CPU":                          {why: tenThousand},
	"G3: test 10,000 files against 1,000: peak":                         {row: "test, 200 files, peak of memory"},
	"G4: test 1,000 trivial scenarios in one file: CPU to parsing it":   {row: "test, 1,000 scenarios in a file"},
	"G5: test again what has not changed: CPU":                          {row: "test, 200 files again"},
	"G6: version against its floor: CPU":                                {row: "version"},
	"G6: version against its floor: wall":                               {row: "version (wall)"},
	"G6: test on an empty directory against the floor: CPU":             {row: "test, nothing found"},
	"G6: test on an empty directory against the floor: wall":            {row: "test, nothing found (wall)"},
	"G7: virtual clock, 10 tasks: of bare iter.Pull":                    {row: "clock/10"},
	"G7: virtual clock, 10 tasks: events":                               {row: "clock/10"},
	"G7: virtual clock, 1,000 tasks: of bare iter.Pull":                 {row: "clock/1000"},
	"G7: virtual clock, 1,000 tasks: events":                            {row: "clock/1000"},
	"G7: a million pending events: peak":                                {row: "pending, peak of memory"},
	"G7: a million pending events: an event to a bare switch":           {row: "pending"},
	"G7: a million pending events: all of them":                         {row: "pending"},
	"G7: a thousand actors: trace events":                               {row: "actors"},
	"G7: a thousand actors: an event to a switch and an entry of a log": {row: "actors"},
	"G8: a client over the transport of a scenario: to a canned answer": {row: "transport"},
	"G8: a client over the transport of a scenario: over it":            {row: "transport"},
	"G9: replay of 10 interactions, forwards: to its floor":             {row: "replay/10-forward"},
	"G9: replay of 10 interactions, forwards: time":                     {row: "replay/10-forward"},
	"G9: replay of 1,000, in any order: to its floor":                   {row: "replay/1000-random"},
	"G9: replay of 1,000, in any order: time":                           {row: "replay/1000-random"},
	"G9: replay of 10,000, backwards: to its floor":                     {row: "replay/10000-backward"},
	"G9: replay of 10,000, backwards: time":                             {row: "replay/10000-backward"},
	"G9: replay of 10,000, in any order: to its floor":                  {row: "replay/10000-random"},
	"G9: replay of 10,000, in any order: time":                          {row: "replay/10000-random"},
	"G10: recording a stream of 1,000 events: to its floor":             {row: "record"},
	"G10: recording a stream of 1,000 events: time":                     {row: "record"},
	"G10: first byte of a stream through the recorder: worst":           {why: worst},
	"G10: what a recording of 100,000 events holds: to their bytes":     {why: held},
	"G11: serve against bare net/http: over bare net/http":              {row: "serve, an answer"},
	"G11: serve against bare net/http: CPU of an answer":                {row: "serve, an answer"},
	"G11: serve against bare net/http: answers":                         {row: "serve, an answer"},
	"G11: serve against bare net/http: p99":                             {why: worst},
	"G11: serve against bare net/http: peak":                            {row: "serve, an answer, peak of memory"},
	"G12: serve from start to first answer: bare net/http":              {why: floorOnly},
	"G12: serve from start to first answer: over bare net/http":         {row: "serve, to its first answer"},
	"G12: serve from start to first answer: scenario serve":             {row: "serve, to its first answer"},
	"G13: an intercepted request, new host: to its floor":               {row: "intercept/new"},
	"G13: an intercepted request, new host: time":                       {row: "intercept/new"},
	"G13: an intercepted request, same host: to its floor":              {row: "intercept/same"},
	"G13: an intercepted request, same host: time":                      {row: "intercept/same"},
	"G14: telemetry on against off, reading and running: CPU":           {row: "telemetry, 200 files"},
	"G15: test with std/resilience against without: CPU":                {row: "test, 100 files with std/resilience"},
	"G16: a program under exec against alone: begins later":             {row: "exec, a program that asks nothing"},
	"G16: a program under exec against alone: ends later":               {row: "exec, a program that asks nothing"},
	"G17: a key in a file of 5,000 lines, to its diagnostics: wall":     {row: "editor, a key (wall)"},
	"G17: completion there, while the file is checked: wall":            {row: "editor, a completion (wall)"},
	"CG14: cases a second of a system in process: cases":                {why: others},
	"CG8: programs of a bench against os/exec alone: wall":              {why: others},
}
