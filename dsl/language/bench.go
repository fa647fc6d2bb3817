package language

import (
	"slices"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/schema"
)

// faultySUT is what the catalogue of faults calls a system under test.
const faultySUT = "sut"

func benchBlock(on, cassette *schema.Block) *schema.Block {
	return &schema.Block{
		Type: "bench", Labels: []string{"name"}, Doc: "A system that is scored over many cases. `scenario bench` runs it; a scenario may, with its cases simulated.",
		Attrs: []schema.Attr{
			{Name: "taxonomy", Type: schema.Ref, Refs: []string{"taxonomy"}, Doc: "The failure modes that the rubric may name, and how severe they are; taxonomy.cuga by default."},
			{Name: "breakdown_keys", Type: schema.Strings, Default: "[]", Doc: "The only keys that a breakdown may have."},
			{Name: "cases", Type: schema.Expr, Doc: `The cases: a list of paths of JSON files, as fileset("cases/*.json") gives it, or of objects with an id. A file of JSON Lines holds an object a line.`},
			positive(schema.Attr{Name: "case_timeout", Type: schema.Duration, Default: `"600s"`, Doc: "Limit of the system under test in one trial of one case."}),
			within(0, 300, schema.Attr{Name: "rubric_timeout", Type: schema.Duration, Default: `"60s"`, Doc: "Limit of the rubric, at most 300s."}),
			within(1, 1000, schema.Attr{Name: "concurrency", Type: schema.Int, Default: "4", Doc: "Cases under way at one time, on every machine the same."}),
			within(1, 1000, schema.Attr{Name: "trials", Type: schema.Int, Default: "1", Doc: "How often every case is run."}),
			positive(schema.Attr{Name: "cost_cap_usd", Type: schema.Number, Default: "5.0", Doc: "Once more than this is spent, no further case begins. It is above 0."}),
			within(0, 60000, schema.Attr{Name: "rate", Type: schema.Number, Doc: "How many trials may begin in a minute, counted over all workers of the run; no limit by default."}),
			{Name: "exclusive", Type: schema.String, Doc: "A name, such as that of an account or a device: of the trials that name it only one runs at a time, whatever the concurrency and the number of workers."},
			{Name: "idempotent", Type: schema.Bool, Default: "true", Doc: "Whether a trial may be run again that was begun and whose end nobody knows. If it is false, such a trial counts as infrastructure.worker_lost and its program is not started twice."},
			positive(schema.Attr{Name: "seed", Type: schema.Int, Default: "1", Doc: "Where the draws of the lower bound come from, with the ids of the cases. In a scenario it is the scenario's."}),
		},
		Blocks: []*schema.Block{
			{
				Type: "lower_bound", Max: 1, Doc: "How the lower bound is computed.",
				Attrs: []schema.Attr{
					{Name: "method", Type: schema.String, Default: `"bca"`, OneOf: []string{"bca", "wilson"}, Doc: "Of the mean score by the bias-corrected and accelerated bootstrap, or of the share of passed cases by Wilson's interval."},
					within(0, 1, schema.Attr{Name: "level", Type: schema.Number, Default: "0.95", Doc: "Level of confidence, between 0 and 1."}),
					within(1, 100000, schema.Attr{Name: "resamples", Type: schema.Int, Default: "1000", Doc: "Draws of the bootstrap."}),
					within(0, 1000000, schema.Attr{Name: "min_cases", Type: schema.Int, Default: "5", Doc: "With fewer cases the bound is 0, and no gate is passed."}),
				},
			},
			{
				Type: "gate", Labels: []string{"name"}, Doc: "What the report must reach. No gate is passed with a failure mode of severity block, with too few cases, or above the cost cap.",
				Attrs: []schema.Attr{
					within(0, 1, schema.Attr{Name: "lower_bound", Type: schema.Number, Default: "0", Doc: "The least lower bound."}),
					positive(schema.Attr{Name: "min_passed", Type: schema.Int, Default: "0", Doc: "The least number of passed cases."}),
					within(0, 1, schema.Attr{Name: "pass_all", Type: schema.Number, Default: "0", Doc: "The least share of cases whose trials all pass, which is pass^k of that many trials."}),
				},
			},
			{
				Type: "sut", Max: 1, Doc: "The system under test: a program, or a workflow.",
				Attrs: append(programAttrs("The program and its arguments, which may read case.id, case.input and case.file. It runs in the directory of the file and gets { case } as JSON on standard input.", "Names of variables that it gets as they are, with PATH and those of env; the whole environment by default."),
					schema.Attr{Name: "stdin", Type: schema.Expr, Doc: "What it gets on standard input instead: a string."},
					schema.Attr{Name: "output", Type: schema.String, Default: `"json"`, OneOf: []string{"json", "process"}, Doc: `"json": standard output is the answer, a JSON object, and a status other than 0 an exception. "process": the answer is { exit_code, stdout, stderr }, whatever the status.`},
					schema.Attr{Name: "run", Type: schema.Ref, Refs: []string{"workflow"}, Doc: "A workflow in the place of a program; its output is the answer."},
					schema.Attr{Name: "inputs", Type: schema.Expr, Doc: "Its inputs, an object that may read case; the case's input by default."},
				),
				Blocks: []*schema.Block{on, cassette},
			},
			{
				Type: "rubric", Max: 1, Doc: "What scores an answer: a program, or conditions that read case and output. Without one every answer passes.",
				Attrs: append(programAttrs("The program and its arguments. It runs in an empty directory of its own with PATH and what env and pass_env give, and gets { case, output, trial } as JSON on standard input. Standard output is the score. What begins with ./ or ../ is beside the file.", "Names of variables that it gets as they are."),
					schema.Attr{Name: "passed", Type: schema.Expr, Doc: "Whether the case passed: a condition."},
					schema.Attr{Name: "score", Type: schema.Expr, Doc: "The score, from 0 to 1; 1 or 0 as the case passed or not by default."},
					schema.Attr{Name: "breakdown", Type: schema.Expr, Doc: "An object of numbers."},
					schema.Attr{Name: "cost_usd", Type: schema.Expr, Doc: "What scoring cost; 0 by default."},
				),
				Blocks: []*schema.Block{{
					Type: "failure_mode", Labels: []string{"code"}, Doc: "A failure mode that an answer may have.",
					Attrs: []schema.Attr{
						{Name: "when", Type: schema.Expr, Required: true, Doc: "When it has it: a condition."},
						{Name: "detail", Type: schema.Expr, Doc: "What to say of it, a string."},
					},
				}},
			},
		},
	}
}

func programAttrs(doc, passed string) []schema.Attr {
	return []schema.Attr{
		{Name: "command", Type: schema.Expr, Doc: doc},
		{Name: "env", Type: schema.StringMap, Doc: "Variables of its environment."},
		{Name: "pass_env", Type: schema.Strings, Doc: passed},
		{Name: "depends_on", Type: schema.Strings, Doc: `The files that its results depend on, beside those that command names, such as fileset("src/**/*.py"): --resume and --cache run a case again after a change of one. By default all files in the directories of the scenario file and of the files that command names.`},
	}
}

// caseBlock is a simulated case of a bench, in a scenario that runs it.
func caseBlock(e *Extensions) *schema.Block {
	takes := positive(schema.Attr{Name: "takes", Type: schema.Duration, Default: `"0s"`, Doc: "How long it takes, in virtual time."})
	cost := positive(schema.Attr{Name: "cost_usd", Type: schema.Number, Default: "0", Doc: "What it costs."})
	fault := &schema.Block{Type: "fault", Labels: []string{"kind"}, Max: 1, Doc: "What goes wrong with it.", Kinds: []*schema.Block{}}
	for _, k := range e.faultKinds() {
		if !slices.Contains(k.For, faultySUT) {
			continue
		}
		attrs := append(append([]schema.Attr{}, k.Attrs...), positive(schema.Attr{Name: "after", Type: schema.Duration, Doc: "Wait before it fires."}))
		fault.Kinds = append(fault.Kinds, &schema.Block{Type: "fault", Kind: k.Name, Labels: fault.Labels, Doc: k.Summary, Attrs: attrs})
	}
	return &schema.Block{
		Type: "case", Labels: []string{"id"}, Doc: "A case of the bench that the scenario runs, simulated. A scenario with such blocks runs these cases and no others.",
		Attrs: []schema.Attr{{Name: "input", Type: schema.Any, Doc: "What the case asks; that of the bench's case of this id by default."}},
		Blocks: []*schema.Block{
			{
				Type: "sut", Doc: "What the system under test does, in the place of the program. The second block is for the second trial, and so on; the last one is for all further trials.",
				Attrs:  []schema.Attr{takes, {Name: "output", Type: schema.Any, Doc: "Its answer; an empty object by default."}, cost},
				Blocks: []*schema.Block{fault},
			},
			{
				Type: "rubric", Doc: "What the rubric says, in the place of the program. It passes with score 1 by default. The second block is for the second trial, and so on; the last one is for all further trials.",
				Attrs: []schema.Attr{
					takes,
					{Name: "passed", Type: schema.Bool, Default: "true", Doc: "Whether the case passed."},
					{Name: "score", Type: schema.Number, Doc: "The score; 1 or 0 as the case passed or not by default."},
					{Name: "breakdown", Type: schema.Map, Doc: "An object of numbers."},
					{Name: "cost_usd", Type: schema.Number, Default: "0", Doc: "What scoring costs."},
					within(0, 255, schema.Attr{Name: "exit", Type: schema.Int, Default: "0", Doc: "The status that it exits with; another than 0 is no score."}),
					{Name: "stdout", Type: schema.String, Doc: "What it writes, in the place of a score of the attributes above."},
					{Name: "stderr", Type: schema.String, Doc: "What it says beside that."},
				},
				Blocks: []*schema.Block{{
					Type: "failure_mode", Labels: []string{"code"}, Doc: "A failure mode that it names.",
					Attrs: []schema.Attr{
						{Name: "severity", Type: schema.String, OneOf: failure.Severities(), Refused: true, Doc: "Refused: the taxonomy of the bench gives a mode its severity."},
						{Name: "detail", Type: schema.String, Doc: "What it tells of it."},
					},
				}},
			},
		},
	}
}
