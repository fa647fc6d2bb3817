package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// A habitual flag is one that other test runners have, with the flag that does the
// same here, or without one a sentence that says what to do. Long and short
// names stand together: none of them is a flag of ours with another meaning.
type habitual struct {
	names string // separated by spaces
	flag  string // "" where tell says it all
	tell  string
}

// habits are the flags of go test, pytest, jest, vitest, mocha, node --test,
// cargo test, rspec, PHPUnit and Playwright that people type without thinking.
var habits = []habitual{
	{"k t filter grep g only name match pattern testNamePattern test-name-pattern tests n e scenario focus", "run", "type --run EXPRESSION, a regular expression on the name or file:name; FILE:LINE works, too"},
	{"exclude deselect grep-invert invert ignore exclude-pattern testPathIgnorePatterns fgrep-invert", "skip", "type --skip EXPRESSION, a regular expression on the name or file:name"},
	{"bail b x failfast fail-on-first exitfirst maxfail stop-on-failure stop halt fast-fail first-failure", "fail-fast", "type --fail-fast"},
	{"jobs j workers w-count max-workers maxWorkers concurrency threads test-threads numprocesses p procs processes n-threads", "parallel", "type --parallel N"},
	{"runInBand i serial no-parallel sequential test-concurrency", "parallel", "type --parallel 1"},
	{"u updateSnapshot update-snapshots update-snapshot snapshot-update update-goldens golden accept bless", "update", "type --update"},
	{"junit junitxml junit-xml junit-file junitfile xml", "report", "type --report junit=junit.xml"},
	{"html", "report", "type --report html=report.html"},
	{"json", "format", "type --format json"},
	{"tap ctrf markdown md github svg", "report", "type --report KIND=FILE, or KIND=- for standard output; scenario test --help lists the kinds"},
	{"reporter reporters r format f output o out output-file outputFile report-file", "report", "type --report KIND=FILE, such as --report junit=junit.xml; --json prints an event for each scenario"},
	{"m tags label labels marker mark group groups category", "tag", "type --tag NAME"},
	{"w inplace in-place", "diff", "leave it out: scenario fmt rewrites files by itself"},
	{"w watchAll watch-all watchFiles", "watch", "type --watch"},
	{"l list-tests listTests collect-only co collect dry-run dryrun show", "list", "type --list, which prints the scenarios and runs nothing"},
	{"silent s quieter no-output", "quiet", "type -q"},
	{"debug d verbosity vv vvv trace log-level show-output nocapture details", "verbose", "type -v, which shows each of them with a timeline"},
	{"repeat repeats repeat-each times iterations runs rerun flake-finder", "count", "type --count N"},
	{"random-order random randomize random-order-seed sequence.shuffle order", "shuffle", "type --shuffle on, or --shuffle SEED"},
	{"set D define variable variables param params", "var", "type --var NAME=VALUE"},
	{"vars values var-files env-file dotenv", "var-file", "type --var-file FILE"},
	{"no-color no-colour no-colors monochrome colour colors C", "color", "type --color never, or set NO_COLOR"},
	{"time-limit max-time testTimeout test-timeout deadline", "timeout", "type --timeout 30s"},
	{"port p addr address host bind hostname", "listen", "type --listen NAME=PORT: a provider and the port that it gets; without it each gets a free one"},
	{"shards part partition split shard-index shard-count", "shard", "type --shard 1/4"},
	{"strict-recordings offline no-record", "strict-cassettes", "type --strict-cassettes"},
	{"W warnings-as-errors werror Werror max-warnings deny-warnings", "strict", "type --strict"},
	{"retries retry reruns flaky", "", "scenarios are not repeated until they pass: a run that fails once fails every time"},
	{"coverage cov cover coverprofile", "", "type scenario coverage, which says which failures the scenarios show to a workflow"},
	{"race", "", "runs have one order of events on every machine; --count N compares several"},
	{"recursive R", "", "directories are searched recursively anyway"},
	{"config c rootdir root", "", "there is no configuration file: every flag can be given in the environment, --parallel as SCENARIO_PARALLEL"},
	{"file files path dir", "", "name files and directories without a flag"},
	{"lf last-failed ff failed-first only-failures onlyFailures onlyChanged changed", "", "there is none: --run EXPRESSION, FILE:LINE and FILE:NAME select scenarios"},
	{"ci", "", "leave it out: the command asks nothing, and draws no progress where CI is set"},
	{"fix autofix write", "diff", "leave it out: scenario fmt rewrites files by itself"},
	{"fix autofix write", "", "type scenario fmt, which rewrites files"},
	{"V", "", "type scenario version"},
	{"mutate", "", "type scenario mutate"},
	{"record record-mode update-cassettes", "", "type scenario record"},
	{"live real network", "", "type scenario run, which asks the real services"},
}

// habit is what to type for a flag that a command does not have, "" where
// nobody knows.
func habit(cmd *cobra.Command, name string) string {
	for _, h := range habits {
		if slices.Contains(strings.Fields(h.names), name) && (h.flag == "" || cmd.Flags().Lookup(h.flag) != nil) {
			return h.tell
		}
	}
	return ""
}

// otherCommands are words that people try first, with the command that does it.
var otherCommands = map[string]string{
	"check": "scenario validate", "lint": "scenario validate", "verify": "scenario validate", "vet": "scenario validate",
	"format": "scenario fmt", "prettier": "scenario fmt", "tidy": "scenario fmt", "fix": "scenario fmt",
	"new": "scenario init", "create": "scenario init", "setup": "scenario init", "start": "scenario init to begin, scenario serve to answer programs",
	"list": "scenario test --list", "ls": "scenario test --list, or scenario cassette ls",
	"watch": "scenario test --watch", "debug": "scenario explain FILE", "trace": "scenario explain FILE", "why": "scenario explain FILE",
	"show": "scenario plan FILE, or scenario cassette show FILE", "graph": "scenario plan FILE", "inspect": "scenario plan FILE",
	"fuzz": "scenario explore", "chaos": "scenario explore", "search": "scenario explore", "minimize": "scenario shrink", "reduce": "scenario shrink",
	"cov": "scenario coverage", "cover": "scenario coverage", "mutation": "scenario mutate",
	"eval": "scenario bench", "evals": "scenario bench", "benchmark": "scenario bench", "benches": "scenario bench",
	"mock": "scenario serve", "server": "scenario serve", "proxy": "scenario exec, or scenario serve", "up": "scenario serve",
	"execute": "scenario exec", "drive": "scenario exec", "spawn": "scenario exec",
	"replay": "scenario test", "run-test": "scenario test", "run-tests": "scenario test", "runtest": "scenario test", "runtests": "scenario test", "spec": "scenario test", "tests": "scenario test", "play": "scenario test",
	"live": "scenario run", "rec": "scenario record", "convert": "scenario cassette convert", "cassettes": "scenario cassette",
	"har": "scenario import", "report": "scenario test --report KIND=FILE",
	"faults": "scenario help fault", "fault": "scenario help fault", "gates": "scenario help gate", "gate": "scenario help gate",
	"kinds": "scenario help kind", "kind": "scenario help kind", "steps": "scenario help kind", "docs": "scenario help", "man": "scenario help",
	"language-server": "scenario lsp", "ls-server": "scenario lsp", "langserver": "scenario lsp", "completions": "scenario completion",
}

// otherParts are words that people try first behind a command, with the one that does it.
var otherParts = map[string]string{
	"cassette check": "verify", "cassette validate": "verify", "cassette lint": "verify", "cassette test": "verify",
	"cassette list": "ls", "cassette inspect": "show", "cassette view": "show", "cassette cat": "show", "cassette print": "show",
	"cassette compare": "diff", "cassette prune": "gc", "cassette clean": "gc", "cassette import": "convert", "cassette sign": "seal",
	"cassette secrets": "scan", "cassette audit": "scan",
}

// Hints are all that is said of flags and commands by habit.
func Hints() []string {
	var all []string
	for _, h := range habits {
		all = append(all, h.tell)
	}
	for part, meant := range otherParts {
		of, _, _ := strings.Cut(part, " ")
		all = append(all, "scenario "+of+" "+meant)
	}
	return append(all, slices.Sorted(maps.Values(otherCommands))...)
}
