package repocheck

import (
	"path"
	"strings"
)

// A layer says what the packages of one row may import, outside their tests.
type layer struct {
	// Dir is the package's directory; a last element "*" stands for any name,
	// "..." for everything below.
	Dir string
	// Local lists directories of this module, in the same notation.
	Local []string
	// Outside lists module paths of others, each with all its packages.
	Outside []string
	// World marks the packages that may start processes and open listeners.
	World bool
}

const (
	hcl    = "github.com/hashicorp/hcl/v2"
	cty    = "github.com/zclconf/go-cty"
	ctyYML = "github.com/zclconf/go-cty-yaml"
	gocmp  = "github.com/google/go-cmp"
	gojq   = "github.com/itchyny/gojq"
	gover  = "github.com/dnaeon/go-vcr/v2"
	yaml   = "gopkg.in/yaml.v3"
	leven  = "github.com/agext/levenshtein"
	otel   = "go.opentelemetry.io/otel"
	otelM  = "go.opentelemetry.io/otel/metric"
	otelT  = "go.opentelemetry.io/otel/trace"
	otelS  = "go.opentelemetry.io/otel/sdk"
	otelSM = "go.opentelemetry.io/otel/sdk/metric"
	otelX  = "go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	otelP  = "go.opentelemetry.io/proto/otlp"
	proto  = "google.golang.org/protobuf"
	notify = "github.com/fsnotify/fsnotify"
	cobra  = "github.com/spf13/cobra"
	pflag  = "github.com/spf13/pflag"
	txtar  = "github.com/rogpeppe/go-internal"
	jsonSc = "github.com/google/jsonschema-go"
	jrpc2  = "github.com/creachadair/jrpc2"
	mcpSDK = "github.com/modelcontextprotocol/go-sdk"
	pgx    = "github.com/jackc/pgx/v5"
)

// The groups of rows that later rows build on.
var (
	base      = []string{"wire", "trace", "failure", "schema", "money"}
	catalogue = join(base, "faults", "faults/lie", "providers", "providers/...", "cassette", "cassette/...", "stdlib", "stdlib/...")
	policy    = join(catalogue, "dsl", "dsl/render", "dsl/tally", "dsl/wording", "interp/sched", "interp/policy")
	engine    = join(policy, "interp/actor", "interp/bench", "interp/internal/event", "telemetry")
	folded    = join(engine, "interp/internal/plain", "interp/internal/read", "interp/internal/plan", "interp/internal/observe")
	above     = join(policy, "interp/actor", "interp/bench", "telemetry", "interp")

	// files is what reads the text of files.
	files = []string{"cassette/internal/flaw", "cassette/internal/httptext", "cassette/internal/jsontext", "cassette/internal/yamlnode"}

	language = []string{hcl, cty}
	// embeddable is all that a program which embeds this module has to link.
	embeddable = join(language, gocmp, gojq, gover, yaml, leven, jsonSc, otel, otelM, otelT, pgx)
	exporting  = []string{otel, otelM, otelT, otelS, otelSM, otelX, otelP, proto}
)

// layers is the import table, lowest first. A package that no row names fails
// the check, so that a new one is placed by decision and not by accident. Only
// the command links the OpenTelemetry SDK, in one package; what users embed stays
// small.
var layers = []layer{
	{Dir: "internal/pattern"},
	{Dir: "internal/names"},
	{Dir: "internal/edits"},
	{Dir: "internal/nojson"},
	{Dir: "internal/encoded"},
	{Dir: "wire"},
	{Dir: "trace"},
	{Dir: "trace/tracetest", Local: []string{"trace"}},
	{Dir: "failure", Local: []string{"internal/edits", "wire"}},
	{Dir: "schema"},
	{Dir: "money"},
	{Dir: "interp/sched", Local: []string{"wire"}},
	{Dir: "faults/lie", Local: []string{"schema", "internal/pattern"}},
	{Dir: "faults", Local: []string{"wire", "failure", "schema", "faults/lie"}},
	{Dir: "providers", Local: []string{"wire", "failure", "schema", "faults/lie", "internal/pattern"}},
	// The messages of PostgreSQL's protocol are a library's; who connects with it
	// is the command.
	{Dir: "providers/sql", Local: []string{"wire", "failure", "schema", "providers"}, Outside: []string{pgx}},
	{Dir: "providers/sql/serve", Local: []string{"wire", "providers/sql"}, Outside: []string{pgx}},
	{Dir: "providers/internal/chat", Local: []string{"wire", "failure", "providers"}},
	{Dir: "providers/*", Local: []string{"wire", "failure", "schema", "providers", "providers/*", "providers/internal/chat"}},
	// Reading and hiding come first: what redacts, matches or reads a file of
	// AgentLoom knows nothing of cassettes, and what converts builds on them.
	{Dir: "cassette/internal/jsontext"},
	{Dir: "cassette/internal/escapes"},
	{Dir: "cassette/internal/forms"},
	{Dir: "cassette/internal/styles", Local: []string{"cassette/internal/jsontext"}},
	{Dir: "cassette/internal/words"},
	{Dir: "cassette/internal/packing"},
	{Dir: "cassette/internal/printed"},
	{Dir: "cassette/internal/behind"},
	{Dir: "cassette/internal/instant"},
	{Dir: "cassette/internal/flaw"},
	{Dir: "cassette/internal/disk", Local: []string{"internal/disk"}},
	{Dir: "cassette/internal/httptext", Local: []string{"wire"}},
	{Dir: "cassette/internal/yamlnode", Outside: []string{yaml}},
	{Dir: "cassette/internal/foreign", Local: []string{"cassette/internal/yamlnode"}, Outside: []string{yaml}},
	{Dir: "cassette/internal/python", Local: files, Outside: []string{yaml}},
	{Dir: "cassette/internal/readable", Local: []string{"cassette/internal/httptext"}},
	{Dir: "cassette/match", Local: []string{"internal/encoded", "cassette/internal/httptext", "cassette/internal/jsontext"}},
	{Dir: "cassette/redact", Local: join(files, "internal/names", "cassette/internal/escapes", "cassette/internal/forms", "cassette/internal/packing", "cassette/internal/printed", "cassette/internal/styles", "cassette/internal/words"), Outside: []string{yaml}},
	{Dir: "cassette/agentloom", Local: join(files, "cassette/internal/python"), Outside: []string{yaml}},
	{Dir: "cassette", Local: join(files, "internal/edits", "wire", "failure", "cassette/agentloom", "cassette/match", "cassette/redact", "cassette/internal/..."), Outside: []string{gover, yaml}},
	{Dir: "cassette/convert", Local: join(files, "internal/nojson", "wire", "cassette", "cassette/agentloom", "cassette/redact", "cassette/internal/..."), Outside: []string{yaml}},
	{Dir: "stdlib", Local: []string{"internal/edits", "internal/nojson", "trace", "failure", "schema"}, Outside: join(language, gojq, yaml, leven, jsonSc)},
	{Dir: "dsl/language", Local: []string{"schema", "failure", "faults", "providers/catalog", "stdlib"}, Outside: []string{hcl}},
	{Dir: "dsl/dotted", Outside: []string{hcl}},
	{Dir: "dsl/tally", Local: []string{"stdlib"}, Outside: language},
	{Dir: "dsl/generated", Outside: []string{hcl}},
	{Dir: "dsl/excerpt"},
	{Dir: "dsl/linediff"},
	{Dir: "dsl/layout", Outside: []string{hcl}},
	{Dir: "dsl/spelling", Local: []string{"dsl/wording", "faults", "internal/edits", "schema"}},
	{Dir: "dsl/wording"},
	{Dir: "dsl/render", Local: []string{"dsl/wording"}, Outside: language},
	{Dir: "dsl/places", Local: []string{"dsl/wording", "schema"}, Outside: []string{hcl}},
	{Dir: "dsl/mistakes", Local: []string{"dsl/dotted", "dsl/language", "dsl/spelling", "dsl/wording", "schema", "stdlib"}, Outside: []string{hcl}},
	{Dir: "dsl", Local: join(catalogue, "dsl/language", "dsl/dotted", "dsl/excerpt", "dsl/generated", "dsl/layout", "dsl/mistakes", "dsl/places", "dsl/render", "dsl/spelling", "dsl/tally", "dsl/wording"), Outside: join(language, gocmp)},
	{Dir: "dsl/valuediff", Local: []string{"dsl", "dsl/linediff", "dsl/render"}, Outside: language},
	{Dir: "interp/policy", Local: []string{"wire", "failure", "schema", "trace", "money", "interp/sched"}},
	{Dir: "interp/bench", Local: policy, Outside: language},
	// What events say is below whoever emits them, actors too.
	{Dir: "interp/internal/event", Local: []string{"trace", "failure", "schema", "providers", "dsl", "interp/policy", "interp/bench"}, Outside: language},
	{Dir: "interp/actor", Local: join(policy, "interp/internal/event"), Outside: language},
	{Dir: "telemetry", Local: []string{"trace"}},
	{Dir: "telemetry/internal/fixture", Local: []string{"trace"}},
	{Dir: "telemetry/export", Local: []string{"telemetry", "trace"}, Outside: []string{otel, otelM, otelT}},
	// The pipeline below interp, from the bottom: compile, engine, judge and
	// explain do not know each other.
	{Dir: "interp/internal/plain", Local: []string{"dsl"}, Outside: language},
	{Dir: "interp/internal/read", Local: join(engine, "internal/edits", "internal/names", "interp/internal/plain"), Outside: language},
	{Dir: "interp/internal/taint", Local: []string{"cassette/redact", "dsl", "dsl/render", "stdlib", "trace"}, Outside: language},
	{Dir: "interp/internal/observe/lacking", Local: engine, Outside: language},
	{Dir: "interp/internal/plan", Local: join(engine, "interp/internal/observe/lacking", "interp/internal/plain", "interp/internal/read", "interp/internal/taint"), Outside: language},
	{Dir: "interp/internal/schedule", Local: join(engine, "interp/internal/plan"), Outside: language},
	{Dir: "interp/internal/observe", Local: join(engine, "interp/internal/plain", "interp/internal/read", "interp/internal/plan", "interp/internal/observe/lacking"), Outside: language},
	{Dir: "interp/internal/lint/constant", Local: []string{"dsl", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/lint/shell"},
	{Dir: "interp/internal/lint/lossy", Local: []string{"dsl", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/lint/rewritten", Local: []string{"dsl", "internal/pattern", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/lint/sent", Local: []string{"dsl", "interp/internal/read", "stdlib"}, Outside: language},
	{Dir: "interp/internal/lint", Local: []string{"cassette/redact", "dsl", "dsl/generated", "dsl/spelling", "dsl/wording", "interp/internal/lint/constant", "interp/internal/lint/shell", "interp/internal/read", "telemetry"}, Outside: language},
	{Dir: "interp/internal/compile/aside", Local: []string{"dsl", "internal/pattern", "interp/internal/plan", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/compile/excuse", Local: join(engine, "interp/internal/read", "interp/internal/plan"), Outside: language},
	{Dir: "interp/internal/compile/lastpass", Local: []string{"dsl", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/compile/lastsession", Local: []string{"interp/actor", "interp/internal/compile/services", "interp/internal/plan", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/compile/match", Local: join(engine, "interp/internal/read", "interp/internal/plan"), Outside: language},
	{Dir: "interp/internal/compile/strike", Local: join(engine, "interp/internal/plan"), Outside: language},
	{Dir: "interp/internal/compile/uncompared", Local: join(engine, "interp/internal/read", "interp/internal/plan"), Outside: language},
	{Dir: "interp/internal/compile/unseen", Local: join(engine, "interp/internal/read", "interp/internal/plan"), Outside: language},
	{Dir: "interp/internal/compile/said", Local: folded, Outside: language},
	{Dir: "interp/internal/compile/vacuous", Local: join(engine, "interp/bench", "interp/internal/lint/constant", "interp/internal/plan"), Outside: language},
	{Dir: "interp/internal/compile/unit", Local: join(engine, "cassette/redact", "dsl/language", "interp/internal/read", "interp/internal/plan"), Outside: language},
	{Dir: "interp/internal/compile/services", Local: join(engine, "interp/internal/compile/unit", "interp/internal/read", "interp/internal/plan"), Outside: language},
	{Dir: "interp/internal/compile/taxonomy", Local: join(engine, "interp/internal/compile/unit", "interp/internal/read", "interp/internal/plan"), Outside: language},
	{Dir: "interp/internal/compile", Local: join(folded, "internal/nojson", "interp/internal/observe/lacking", "interp/internal/compile/services", "interp/internal/compile/taxonomy", "interp/internal/compile/unit", "interp/internal/lint", "interp/internal/compile/aside", "interp/internal/compile/excuse", "interp/internal/compile/lastpass", "interp/internal/compile/lastsession", "interp/internal/compile/match", "interp/internal/compile/said", "interp/internal/compile/strike", "interp/internal/compile/uncompared", "interp/internal/compile/unseen", "interp/internal/compile/vacuous"), Outside: language},
	// An exchange knows the plan and nothing of the run, so that a run without a
	// scheduler can have its sources.
	{Dir: "interp/internal/exchange", Local: join(engine, "interp/internal/read", "interp/internal/plan"), Outside: language},
	{Dir: "interp/internal/engine", Local: join(folded, "interp/internal/exchange"), Outside: language},
	{Dir: "interp/internal/drive/circumstance", Local: []string{"dsl", "providers", "interp/internal/event", "interp/internal/observe", "interp/internal/plan", "interp/internal/read", "interp/internal/says"}, Outside: language},
	{Dir: "interp/internal/drive", Local: join(folded, "interp/internal/drive/circumstance", "interp/internal/says", "interp/internal/lint/shell", "interp/internal/exchange", "internal/edits", "internal/encoded"), Outside: language},
	{Dir: "interp/internal/judge/veiled", Local: []string{"cassette/redact"}, Outside: language},
	{Dir: "interp/internal/judge/given", Local: folded, Outside: language},
	{Dir: "interp/internal/judge/band", Local: []string{"dsl", "stdlib"}, Outside: language},
	{Dir: "interp/internal/judge/certain", Local: []string{"schema", "dsl", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/judge/tied", Local: []string{"interp/internal/event", "interp/internal/observe", "interp/internal/plan", "interp/internal/read", "trace"}, Outside: language},
	{Dir: "interp/internal/judge/regrouped", Local: []string{"dsl", "interp/internal/event", "interp/internal/judge/otherwise", "interp/internal/observe", "interp/internal/read", "internal/pattern", "trace"}, Outside: language},
	{Dir: "interp/internal/judge/unretried", Local: []string{"failure", "interp/internal/observe", "interp/internal/plan", "interp/internal/read", "interp/policy"}},
	{Dir: "interp/internal/judge/otherwise", Local: []string{"dsl", "dsl/valuediff", "interp/internal/observe", "interp/internal/plan", "interp/internal/read", "trace"}, Outside: language},
	{Dir: "interp/internal/judge/mistaken", Local: []string{"dsl", "interp/internal/event", "interp/internal/judge/otherwise", "interp/internal/observe", "interp/internal/plan", "interp/internal/read", "trace"}, Outside: language},
	{Dir: "interp/internal/judge/served", Local: []string{"dsl", "failure", "interp/internal/event", "interp/internal/judge/otherwise", "interp/internal/observe", "interp/internal/plan", "interp/internal/read", "trace"}, Outside: language},
	{Dir: "interp/internal/judge/texts", Local: []string{"dsl", "stdlib"}, Outside: language},
	{Dir: "interp/internal/judge/found", Local: []string{"dsl", "internal/pattern", "interp/internal/read", "stdlib"}, Outside: language},
	{Dir: "interp/internal/says", Local: []string{"interp/internal/read", "providers"}},
	{Dir: "interp/internal/judge/unwatched", Local: []string{"dsl", "dsl/valuediff", "internal/names", "interp/internal/event", "interp/internal/judge/otherwise", "interp/internal/judge/texts", "interp/internal/observe", "interp/internal/plan", "interp/internal/read", "stdlib", "trace"}, Outside: language},
	{Dir: "interp/internal/judge/beside", Local: []string{"dsl", "interp/internal/event", "interp/internal/judge/otherwise", "interp/internal/observe", "interp/internal/plan", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/judge/passed", Local: []string{"dsl", "failure", "internal/pattern", "interp/internal/observe", "interp/internal/plan", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/judge/nearly", Local: []string{"dsl", "internal/edits", "internal/names", "internal/pattern", "interp/internal/observe", "interp/internal/plan", "stdlib"}, Outside: language},
	{Dir: "interp/internal/judge/sized", Local: []string{"internal/pattern", "interp/internal/event", "interp/internal/observe"}},
	{Dir: "interp/internal/judge/twice", Local: []string{"dsl", "internal/names", "internal/pattern", "interp/internal/event", "interp/internal/observe", "interp/internal/plan", "interp/internal/read", "interp/internal/says"}, Outside: language},
	{Dir: "interp/internal/judge/unmet", Local: []string{"dsl", "interp/internal/judge/premise", "interp/internal/observe", "interp/internal/plan", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/judge/assured", Local: []string{"dsl", "interp/internal/judge/given", "interp/internal/judge/premise", "interp/internal/observe", "interp/internal/plan", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/judge/less/refused", Local: []string{"dsl", "interp/internal/observe", "interp/internal/plan", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/judge/less", Local: []string{"dsl", "interp/internal/judge/found", "interp/internal/judge/kept", "interp/internal/judge/lost", "interp/internal/judge/otherwise", "interp/internal/judge/paced", "interp/internal/judge/premise", "interp/internal/judge/served", "interp/internal/judge/stale", "interp/internal/judge/tallied", "interp/internal/judge/unread", "interp/internal/observe", "interp/internal/plan", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/judge/kept", Local: []string{"dsl", "interp/internal/event", "interp/internal/judge/otherwise", "interp/internal/judge/premise", "interp/internal/observe", "interp/internal/plan", "interp/internal/read", "trace"}, Outside: language},
	{Dir: "interp/internal/judge/lost", Local: []string{"dsl", "internal/pattern"}, Outside: language},
	{Dir: "interp/internal/judge/unread/cut", Local: []string{"internal/pattern"}},
	{Dir: "interp/internal/judge/unread", Local: []string{"cassette/match", "cassette/redact", "dsl", "dsl/valuediff", "interp/internal/event", "interp/internal/judge/otherwise", "interp/internal/judge/premise", "interp/internal/judge/unread/cut", "interp/internal/observe", "interp/internal/plan", "interp/internal/read", "internal/pattern", "trace"}, Outside: language},
	{Dir: "interp/internal/judge/tallied", Local: []string{"dsl", "interp/internal/observe"}, Outside: language},
	{Dir: "interp/internal/judge/stale", Local: []string{"dsl", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/judge/paced", Local: []string{"dsl", "interp/internal/event", "interp/internal/observe", "interp/internal/plan", "interp/internal/read", "stdlib"}, Outside: language},
	{Dir: "interp/internal/judge/withheld", Local: []string{"dsl", "interp/internal/observe", "interp/internal/plan", "providers"}, Outside: language},
	{Dir: "interp/internal/judge/sealed", Local: []string{"dsl", "interp/internal/observe", "interp/internal/read", "stdlib"}, Outside: language},
	{Dir: "interp/internal/judge/premise", Local: []string{"dsl", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/judge/rows", Local: []string{"interp/internal/plan"}, Outside: language},
	{Dir: "interp/internal/judge/conform", Outside: language},
	{Dir: "interp/internal/judge/guard", Local: []string{"dsl", "interp/internal/read"}, Outside: language},
	{Dir: "interp/internal/judge/named", Local: []string{"dsl", "interp/internal/read", "schema", "stdlib"}, Outside: language},
	{Dir: "interp/internal/judge/unknown", Local: []string{"interp/internal/observe", "stdlib"}, Outside: language},
	{Dir: "interp/internal/judge", Local: join(folded, "interp/internal/observe/lacking", "dsl/valuediff", "interp/internal/lint/constant", "cassette", "cassette/match", "cassette/redact", "interp/internal/judge/band", "interp/internal/judge/certain", "interp/internal/judge/conform", "interp/internal/judge/stale", "interp/internal/judge/given", "interp/internal/judge/guard", "interp/internal/judge/less", "interp/internal/judge/less/refused", "interp/internal/judge/mistaken", "interp/internal/judge/named", "interp/internal/judge/otherwise", "interp/internal/judge/premise", "interp/internal/judge/regrouped", "interp/internal/judge/rows", "interp/internal/judge/sealed", "interp/internal/judge/served", "interp/internal/judge/texts", "interp/internal/judge/tied", "interp/internal/judge/unknown", "interp/internal/judge/unretried", "interp/internal/judge/veiled", "interp/internal/judge/withheld"), Outside: join(language, gocmp)},
	{Dir: "interp/internal/explain", Local: folded},
	{Dir: "interp/internal/cover", Local: folded, Outside: language},
	{Dir: "interp/internal/cover/first", Local: []string{"failure", "interp/internal/event", "interp/internal/plan", "money", "trace"}},
	{Dir: "interp", Local: join(engine, "dsl/dotted", "interp/internal/..."), Outside: language},
	{Dir: "report", Local: []string{"interp", "interp/bench", "trace", "failure"}},
	{Dir: "report/merge", Local: []string{"report", "interp", "trace"}},
	{Dir: "internal/disk"},
	{Dir: "internal/overlay"},
	{Dir: "suite", Local: []string{"interp", "dsl", "dsl/language", "stdlib", "cassette", "internal/disk", "internal/overlay"}, Outside: language},
	{Dir: "internal/searched", Local: []string{"interp"}},
	// The package that others embed.
	{Dir: "", Local: []string{"suite", "interp", "internal/overlay", "internal/searched", "internal/server", "dsl", "dsl/language", "faults", "providers/catalog", "stdlib", "trace", "wire"}, Outside: language},
	{Dir: "scenariotest", Local: []string{"", "dsl", "interp", "internal/disk", "internal/explore", "internal/searched", "wire"}, Outside: language},
	{Dir: "examples"},
	{Dir: "examples/embed", Local: []string{""}},
	{Dir: "internal/incident", Local: []string{"cassette/convert", "cassette/redact", "failure"}},
	{Dir: "internal/recording", Local: []string{"suite", "interp", "dsl", "dsl/dotted", "cassette", "cassette/convert", "cassette/redact", "trace"}, Outside: language},
	// It explains functions by their list. What a file means beyond its syntax
	// the command hands in, so that an editor and the engine stay apart.
	{Dir: "internal/lsp", Local: []string{"dsl", "dsl/language", "schema", "stdlib"}, Outside: join(language, jrpc2)},
	// It knows of scenarios only how to run one with an injector.
	{Dir: "internal/explore", Local: []string{"dsl", "dsl/dotted", "interp", "failure", "faults", "internal/explore/compare", "internal/pattern", "money", "providers/wrong", "schema", "trace"}, Outside: language},
	{Dir: "internal/explore/compare", Local: []string{"interp/policy", "trace"}},
	// What compiles a mutant is handed in: the command knows which files there are.
	{Dir: "internal/shrink", Local: []string{"dsl/dotted", "interp"}, Outside: language},
	{Dir: "internal/mutate/data", Local: []string{"internal/mutate/inner"}, Outside: []string{yaml}},
	{Dir: "internal/mutate/inner", Local: []string{"internal/mutate/patterns", "internal/mutate/source/tokens", "internal/pattern"}},
	{Dir: "internal/mutate", Local: []string{"dsl", "interp", "internal/explore", "internal/mutate/data", "internal/mutate/elsewhere", "internal/mutate/joint", "internal/mutate/inner", "internal/mutate/patterns", "internal/mutate/taken", "schema", "suite", "trace"}, Outside: join(language, gojq)},
	{Dir: "internal/mutate/patterns"},
	{Dir: "internal/mutate/joint", Local: []string{"dsl"}, Outside: language},
	{Dir: "internal/mutate/elsewhere", Local: []string{"dsl", "internal/names"}, Outside: language},
	{Dir: "internal/mutate/taken", Local: []string{"dsl"}, Outside: language},
	{Dir: "internal/mutate/source/tokens"},
	{Dir: "internal/mutate/source/broken"},
	{Dir: "internal/mutate/source/group", Local: []string{"internal/mutate/inner", "internal/mutate/source/words"}},
	{Dir: "internal/mutate/source/commands", Local: []string{"internal/mutate/inner", "internal/mutate/source/words"}},
	{Dir: "internal/mutate/source/part", Local: []string{"internal/mutate/inner", "internal/mutate/source/group", "internal/mutate/source/words", "internal/pattern"}},
	{Dir: "internal/mutate/source/selector", Local: []string{"internal/pattern"}},
	{Dir: "internal/mutate/source/declared", Local: []string{"internal/mutate/inner", "internal/mutate/source/group", "internal/mutate/source/selector", "internal/mutate/source/tokens", "internal/mutate/source/words", "internal/pattern"}},
	{Dir: "internal/mutate/source/quoted"},
	{Dir: "internal/mutate/source/shape", Local: []string{"internal/mutate/inner", "internal/mutate/source/group", "internal/mutate/source/tokens", "internal/mutate/source/words"}},
	{Dir: "internal/mutate/source/words"},
	{Dir: "internal/mutate/source/simpler", Local: []string{"internal/mutate/inner", "internal/mutate/source/group", "internal/mutate/source/words", "internal/pattern"}},
	{Dir: "internal/mutate/source/beside", Local: []string{"internal/mutate/inner", "internal/mutate/source/group", "internal/mutate/source/words", "internal/pattern"}},
	{Dir: "internal/mutate/source", Local: []string{"internal/mutate/inner", "internal/mutate/source/beside", "internal/mutate/source/broken", "internal/mutate/source/commands", "internal/mutate/source/declared", "internal/mutate/source/group", "internal/mutate/source/part", "internal/mutate/source/quoted", "internal/mutate/source/shape", "internal/mutate/source/simpler", "internal/mutate/source/tokens", "internal/mutate/source/words"}, Outside: []string{gojq}},
	{Dir: "internal/coverage", Local: []string{"interp", "faults", "internal/explore"}, Outside: language},
	{Dir: "internal/mutate/secrets", Local: []string{"cassette/redact"}, Outside: []string{yaml}},
	{Dir: "internal/mutate/program", Local: []string{"internal/mutate/data", "internal/mutate/secrets", "internal/mutate/source", "internal/mutate/source/beside", "internal/pattern", "internal/process", "internal/sut", "interp"}, Outside: language, World: true},
	{Dir: "internal/explore/program", Local: []string{"internal/explore", "internal/sut", "interp"}},
	{Dir: "internal/help", Local: join(above, "dsl/language"), Outside: join(language, txtar)},
	{Dir: "internal/diagnostics", Local: above, Outside: join(language, txtar)},
	// What a bench scores, and what a scenario drives, is a program of the user's;
	// starting it and ending it for certain is this package's one job.
	{Dir: "internal/process", World: true},
	// The command links the messages already, for its own export.
	{Dir: "internal/otlp", Local: []string{"cassette/redact", "internal/edits"}, Outside: []string{otelP, proto}},
	{Dir: "internal/server/authority", Local: []string{"internal/disk"}},
	{Dir: "internal/server/nodeproxy"},
	// What programs ask over sockets, and the program that asks.
	{Dir: "internal/server", Local: []string{"interp", "wire", "providers", "providers/mcp", "providers/sql", "providers/sql/serve", "internal/server/authority"}, World: true},
	{Dir: "internal/sut/surroundings", World: true},
	{Dir: "internal/sut", Local: []string{"interp", "wire", "internal/otlp", "internal/process", "internal/server", "internal/server/authority", "internal/server/nodeproxy", "internal/sut/surroundings"}, World: true},
	{Dir: "internal/serve", Local: []string{"interp", "internal/server", "internal/server/authority", "internal/sut"}, World: true},
	{Dir: "internal/cputime"},
	{Dir: "internal/peak", World: true},
	{Dir: "internal/docgen", Local: []string{"..."}},
	{Dir: "internal/effects"},
	{Dir: "internal/repocheck"},
	{Dir: "internal/platforms"},
	{Dir: "internal/pages"},
	{Dir: "internal/cookbook"},
	{Dir: "internal/bench/paired"},
	{Dir: "internal/bench/work", Local: []string{"..."}, Outside: directModules(), World: true},
	{Dir: "internal/bench", Local: []string{"..."}, Outside: directModules(), World: true},
	{Dir: "internal/versus", Local: []string{"..."}, Outside: directModules(), World: true},
	{Dir: "cmd/scenario/internal/dial", Local: []string{"cassette/redact", "internal/process", "interp", "providers", "providers/sql"}, Outside: []string{pgx}, World: true},
	{Dir: "internal/command/inert"},
	{Dir: "internal/command/pool"},
	{Dir: "internal/command/keys", World: true},
	{Dir: "internal/command/lastfailed", Local: []string{"internal/disk"}},
	{Dir: "internal/command/resultcache", Local: []string{"internal/disk"}},
	{Dir: "internal/command/notify", Local: []string{"suite"}, Outside: []string{notify}},
	{Dir: "internal/command/cli", Local: []string{"cassette/redact", "internal/command/inert", "internal/command/notify", "dsl", "internal/disk", "internal/process", "interp", "report", "suite"}, Outside: join(language, cobra, pflag), World: true},
	{Dir: "internal/command/otlp", Local: []string{"telemetry", "telemetry/export", "internal/disk"}, Outside: exporting, World: true},
	// The commands, above what runs scenarios for them.
	{Dir: "internal/command/harness", Local: []string{"internal/command/cli", "internal/command/otlp", "internal/command/lastfailed", "internal/command/pool", "internal/command/resultcache", "dsl", "internal/disk", "interp", "report", "stdlib", "suite", "telemetry", "trace"}, Outside: join(language, cobra, pflag)},
	{Dir: "internal/command/benches", Local: []string{"cassette", "internal/command/cli", "internal/command/harness", "internal/disk", "internal/process", "interp", "interp/bench", "money", "suite"}, Outside: join(language, cobra), World: true},
	{Dir: "cmd/scenario/internal/recordings", Local: []string{"cassette", "cassette/...", "internal/command/cli", "cmd/scenario/internal/dial", "internal/command/harness", "dsl", "internal/disk", "internal/incident", "internal/recording", "interp", "report", "suite", "wire"}, Outside: []string{cobra}},
	{Dir: "cmd/scenario/internal/programs", Local: []string{"internal/command/cli", "cmd/scenario/internal/dial", "internal/command/harness", "cmd/scenario/internal/recordings", "dsl", "internal/disk", "internal/process", "internal/recording", "internal/serve", "internal/sut", "interp", "report"}, Outside: join(language, cobra, pflag), World: true},
	{Dir: "cmd/scenario/internal/search", Local: []string{"internal/command/cli", "cmd/scenario/internal/dial", "internal/command/harness", "internal/command/pool", "dsl", "faults", "internal/coverage", "internal/cputime", "internal/disk", "internal/explore", "internal/explore/program", "internal/mutate", "internal/mutate/program", "internal/process", "internal/shrink", "internal/sut", "interp", "report", "suite"}, Outside: join(language, cobra, pflag), World: true},
	// What an agent asks by MCP is a command line that a process of its own runs.
	{Dir: "cmd/scenario/internal/mcp", Local: []string{"internal/command/cli", "dsl", "internal/disk", "internal/overlay", "internal/process", "suite"}, Outside: []string{mcpSDK, cobra}, World: true},
	{Dir: "cmd/scenario", Local: []string{"..."}, Outside: join(embeddable, notify, cobra, pflag, txtar, jsonSc, jrpc2, mcpSDK), World: true},
	{Dir: "cmd/...", Local: []string{"..."}, Outside: directModules(), World: true},
}

// testOnly lists what tests may import besides their package's own row; of
// this module they may import anything.
var testOnly = join(embeddable, ctyYML, otelS, otelSM, otelP, proto, txtar, jsonSc)

// directModules is what go.mod may require directly.
func directModules() []string {
	return join(embeddable, ctyYML, otelS, otelSM, otelX, otelP, proto, notify, cobra, pflag, txtar, jsonSc, jrpc2, mcpSDK)
}

// layerOf returns the row of a directory: an exact one before a pattern.
func layerOf(dir string) *layer {
	for i := range layers {
		if layers[i].Dir == dir {
			return &layers[i]
		}
	}
	for i := range layers {
		if matchDir(layers[i].Dir, dir) {
			return &layers[i]
		}
	}
	return nil
}

// matchDir reports whether a directory fits a pattern of the table.
func matchDir(pattern, dir string) bool {
	switch parent, last := path.Split(pattern); last {
	case "...":
		return strings.HasPrefix(dir+"/", parent)
	case "*":
		return path.Dir(dir)+"/" == parent
	}
	return pattern == dir
}

// join appends to a copy, so that the groups never share an array.
func join(a []string, b ...string) []string {
	return append(append([]string(nil), a...), b...)
}
