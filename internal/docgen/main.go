// Command docgen writes the pages of docs/, the files of the standard library and
// what `scenario help language` prints, as far as they are read off the tables of
// the code, so that they cannot say anything else than it does; and llms.txt, which
// has the index of docs/.
//
//go:generate go run . ../..
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/internal/help"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/providers/catalog"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
	"github.com/scenario-lang/scenario/telemetry"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: docgen REPOSITORY")
		os.Exit(2)
	}
	llms, err := llmsPage(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(1)
	}
	for dir, files := range folders() {
		write(filepath.Join(os.Args[1], dir), files)
	}
	write(os.Args[1], []page{{"llms.txt", llms}})
}

// folders are the files that are read off the code, by their folder of the repository.
func folders() map[string][]page {
	return map[string][]page{
		"docs":          pages(),
		"stdlib":        libraryFiles(),
		"internal/help": {{"language.txt", agentsPage()}},
	}
}

func write(dir string, files []page) {
	for _, p := range files {
		if err := os.WriteFile(filepath.Join(dir, p.name), []byte(p.text), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, "docgen:", err)
			os.Exit(1)
		}
	}
}

// page is one generated page.
type page struct{ name, text string }

func pages() []page {
	list := []page{
		{"reference-blocks.md", blocksPage()},
		{"reference-results.md", resultsPage()},
		{"reference-faults.md", faultsPage()},
		{"reference-functions.md", functionsPage()},
		{"reference-failures.md", failuresPage()},
		{"reference-trace.md", tracePage()},
		{"reference-diagnostics.md", diagnosticsPage()},
		{"agents.md", agentsPage()},
	}
	for _, k := range catalog.Kinds() {
		list = append(list, page{"provider-" + k.Name + ".md", providerPage(k)})
	}
	return list
}

// writer builds a page of Markdown.
type writer struct{ strings.Builder }

func title(heading, intro string) *writer {
	w := &writer{}
	w.printf("# %s\n\n%s\n\nThis page is generated from the code by `go generate ./...`.\n", heading, intro)
	return w
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

func (w *writer) table(head ...string) {
	w.printf("\n| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
}

func (w *writer) row(cells ...string) {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(c, "|", `\|`)
	}
	w.printf("| %s |\n", strings.Join(cells, " | "))
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

func blocksPage() string {
	w := title("Blocks and attributes", "Every block of a `.scenario.hcl` file, with its attributes. What the words mean is in [the language](language.md) and [kinds of step](steps.md).")
	w.printf("\n## The top level of a file\n")
	w.attrs(language.File().Listed())
	for _, b := range language.File().Blocks {
		w.block(b, "")
	}
	return w.String()
}

func (w *writer) block(b *schema.Block, within string) {
	name := strings.TrimSpace(within + " " + b.Type)
	if b.Kinds != nil {
		for _, k := range b.Kinds {
			if k.Type == "fault" {
				break
			}
			w.describe(k, fmt.Sprintf("%s %q", name, k.Kind), header(b, k.Kind))
		}
		return
	}
	w.describe(b, name, header(b, ""))
}

// header is how the first line of a block with a name is written, "" for one
// without labels.
func header(b *schema.Block, kind string) string {
	if len(b.Labels) == 0 {
		return ""
	}
	line := b.Type
	for i, l := range b.Labels {
		if i > 0 || kind == "" {
			kind = strings.ToUpper(l)
		}
		line += fmt.Sprintf(" %q", kind)
	}
	return line + " { … }"
}

func (w *writer) describe(b *schema.Block, name, header string) {
	w.printf("\n## %s\n\n%s", name, b.Doc)
	if header != "" {
		w.printf(" Written %s.", code(header))
	}
	w.printf("\n")
	if len(b.Attrs) > 0 {
		w.attrs(b.Listed())
	}
	if b.Open {
		w.printf("\nIt takes attributes of any name.\n")
	}
	for _, n := range b.Blocks {
		if n.Type == b.Type {
			w.printf("\nIt contains %s blocks of any kind.\n", n.Type)
			continue
		}
		w.block(n, name+" ›")
	}
}

func (w *writer) attrs(attrs []schema.Attr) {
	w.table("attribute", "type", "default", "meaning")
	for _, a := range attrs {
		def := code(a.Default)
		if a.Required {
			def = "required"
		}
		doc := a.Doc
		if len(a.OneOf) > 0 {
			doc += " One of `" + strings.Join(a.OneOf, "`, `") + "`."
		}
		w.row(code(a.Name), a.TypeName(), def, doc)
	}
}

func resultsPage() string {
	w := title("What conditions can read", "The roots of an `assert` and what is behind them. Everything that ends in `_ms` is an integer, in milliseconds of virtual time. The same names are the attributes of an `expect` block.")
	for _, root := range interp.Results() {
		w.printf("\n## %s\n\n%s\n", root.Name, root.Doc)
		w.table("attribute", "meaning")
		for _, a := range root.Attrs {
			w.row(code(a.Name), a.Doc)
		}
	}
	w.printf("\n## Gates\n\nA gate checks that a green is green for the right reason. A broken one fails the scenario; `allow = [\"NAME\"]` in the scenario accepts it, and every report says so. `scenario help gate NAME` shows a scenario that breaks it.\n")
	w.table("gate", "broken when", "what to do")
	for _, g := range interp.GateTable() {
		driven := ""
		if g.Driven {
			driven = " Only runs of programs have it."
		}
		w.row(code(g.Name), g.Means+driven, g.Do)
	}
	return w.String()
}

func faultsPage() string {
	w := title("Fault kinds", "What a script can inject with `fault \"kind\" { … }`. Every kind is valid with an empty body. `after` (the wait before it fires), `times`, `target`, `turn`, `iteration` and `optional` are common to all, as are one `reply {}` or `replay {}` that it disturbs.")
	w.printf("\n## What a fault is observed as\n\nWhat the caller sees, the mode that the [default taxonomy](reference-failures.md) gives it, and whether a retry policy without a `retry_on` of its own tries again. A row with arguments or places says where it is otherwise than in the row above. Each row was run: the caller asks for something that may be asked for twice, and waits for 30 seconds at most. `scenario help fault KIND` prints the same with an example.\n")
	w.table("fault", "where, with", "observed as", "mode", "retried")
	for _, k := range faults.Kinds() {
		for i, o := range help.Observations(k) {
			name := "[`" + k.Name + "`](#" + k.Name + ")"
			if i > 0 {
				name = ""
			}
			observed, retried := code(o.Failure), "no"
			switch {
			case observed == "":
				observed, retried = "an answer", ""
			case o.Retried:
				retried = "yes"
			}
			w.row(name, o.When(), observed, code(o.Mode), retried)
		}
	}
	for _, k := range faults.Kinds() {
		w.printf("\n## %s\n\n%s Valid on: %s.\n", k.Name, k.Summary, strings.Join(k.For, ", "))
		if len(k.Attrs) > 0 {
			w.attrs(k.Attrs)
		}
	}
	return w.String()
}

func functionsPage() string {
	w := title("Functions", "Functions of values are pure. Queries ask about the run and stand in conditions.")
	family := ""
	for _, f := range slices.Concat(stdlib.List(), stdlib.Environment(), stdlib.Queries(), stdlib.OfProgram()) {
		if f.Family != family {
			family = f.Family
			w.printf("\n## %s\n", strings.ToUpper(family[:1])+family[1:])
			w.table("function", "meaning", "example")
		}
		example := ""
		if len(f.Examples) > 0 {
			example = code(f.Examples[0].Expr + " == " + f.Examples[0].Result)
		}
		w.row(code(f.Signature), f.Summary, example)
	}
	return w.String()
}

func failuresPage() string {
	w := title("Failures", "How a failure is named. The kind is typed, from the wire; the taxonomy gives it a mode, and the mode says what may follow.")
	var kinds []string
	for _, k := range failure.Kinds() {
		kinds = append(kinds, string(k))
	}
	w.printf("\nThe kinds: `%s`.\n", strings.Join(kinds, "`, `"))
	w.printf("\n## Modes of std/cuga, the default taxonomy\n")
	w.table("mode", "category", "retryable", "terminal", "partial", "severity")
	for _, m := range failure.Modes() {
		w.row(code(m.Code), m.Category, yes(m.Retryable), yes(m.Terminal), yes(m.Partial), m.Severity)
	}
	w.printf("\n## Modes of std/routing\n")
	w.table("mode", "category", "retryable", "terminal", "partial", "severity")
	for _, m := range failure.Routing().Modes() {
		w.row(code(m.Code), m.Category, yes(m.Retryable), yes(m.Terminal), yes(m.Partial), m.Severity)
	}
	return w.String()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func tracePage() string {
	w := title("Trace and telemetry", "`scenario test --trace-out FILE` writes one event a line as canonical JSON: a header for each scenario, then its events. Fixed keys come first (`seq`, `at_ns`, `type`, `step`, `call`, `actor`, `attempt`, `round`, `turn`, `iteration`, `target`), then the event's own, sorted; what does not apply is left out. An event says what was known when it happened: the `round` of an attempt of a program is its place among those of its call that had ended. Where its client left an attempt and is seen to leave after the next has ended, both events have the same `round`, and [the result](reference-results.md) has them in their order.")
	for _, t := range interp.EventTypes() {
		w.printf("\n## %s\n\n%s\n", t.Type, t.Doc)
		w.table("attribute", "type", "meaning")
		for _, a := range t.Attrs {
			w.row(code(a.Name), a.Type, a.Doc)
		}
	}
	w.printf("\n## Spans\n\n`--trace-out otlp=FILE` (or a name that ends in `.otlp.json` or `.otlp.jsonl`) writes the spans of each scenario as one line of OTLP/JSON, as the OpenTelemetry file exporter does. `--trace-out chrome=FILE` (`.chrome.json`, `.perfetto.json`) writes trace events for Perfetto and chrome://tracing: a process for each scenario, in it a thread for the workflow and one for each step with its attempts. Times are virtual; in OTLP they begin at 2000-01-01T00:00:00Z.\n")
	w.printf("\n## Metrics\n\nFor `metric(name, labels)`.\n")
	w.table("metric", "kind", "labels", "meaning")
	for _, m := range telemetry.Names("") {
		w.row(code(m.Name), string(m.Kind), code(strings.Join(m.Labels, "`, `")), m.Doc)
	}
	return w.String()
}
