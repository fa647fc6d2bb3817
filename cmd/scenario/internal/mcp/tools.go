package mcp

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// instructions are what a client tells its agent of the server.
const instructions = `Tests how programs behave when the services they call fail. A .scenario.hcl file describes a workflow (what the program does) and scenarios (what happens to it, and what must hold). Runs are deterministic, on a virtual clock, without a network.

Begin with the tool help, which has a file to start from. Write a file, validate it, test it; explain says why a scenario behaves as it does, explore looks for faults that break it. Every tool takes texts that are not saved yet in files. Paths are relative to the directory in which the server was started, and nothing outside of it is read. No tool writes a file, except fmt with write.`

// suiteInput is what every tool about files can be told.
type suiteInput struct {
	Paths []string          `json:"paths,omitempty" jsonschema:"files or directories, FILE:LINE or FILE:NAME; all files below the root without it"`
	Files map[string]string `json:"files,omitempty" jsonschema:"texts by path that stand for what is on the disk, for what is not saved yet"`
	Vars  map[string]string `json:"vars,omitempty" jsonschema:"values of variables that the files declare"`
}

// args are the arguments that say which files.
func (in suiteInput) request(args ...string) (request, error) {
	for _, name := range slices.Sorted(maps.Keys(in.Vars)) {
		args = append(args, "--var="+name+"="+in.Vars[name])
	}
	for _, name := range in.Paths {
		if err := checkPath(name); err != nil {
			return request{}, err
		}
	}
	paths := in.Paths
	if len(paths) == 0 && len(in.Files) == 1 {
		paths = slices.Collect(maps.Keys(in.Files))
	}
	return request{Args: append(args, paths...), Files: in.Files}, checkFiles(in.Files)
}

type validateInput struct {
	suiteInput
	Strict bool `json:"strict,omitempty" jsonschema:"warnings count as errors"`
}

type testInput struct {
	suiteInput
	Run     string   `json:"run,omitempty" jsonschema:"only scenarios whose name or file:name matches this regular expression"`
	Tags    []string `json:"tags,omitempty" jsonschema:"only scenarios with one of these tags"`
	Verbose bool     `json:"verbose,omitempty" jsonschema:"show every scenario with its checks and a timeline"`
	Strict  bool     `json:"strict,omitempty" jsonschema:"warnings count as errors"`
	Seed    *uint64  `json:"seed,omitempty" jsonschema:"the seed of every scenario, in the place of its own"`
}

type oneInput struct {
	Path  string            `json:"path" jsonschema:"the scenario file"`
	Files map[string]string `json:"files,omitempty" jsonschema:"texts by path that stand for what is on the disk, for what is not saved yet"`
	Run   string            `json:"run,omitempty" jsonschema:"only scenarios whose name matches this regular expression"`
	Vars  map[string]string `json:"vars,omitempty" jsonschema:"values of variables that the file declares"`
}

type exploreInput struct {
	suiteInput
	Run    string   `json:"run,omitempty" jsonschema:"only scenarios whose name or file:name matches this regular expression"`
	MaxK   int      `json:"max_k,omitempty" jsonschema:"the largest number of faults in one run, 1 or 2"`
	Budget int      `json:"budget,omitempty" jsonschema:"the largest number of runs for each scenario, 2000 without it, 20000 at most"`
	Kinds  []string `json:"kinds,omitempty" jsonschema:"only these kinds of faults"`
	Except []string `json:"except,omitempty" jsonschema:"without these kinds of faults"`
	List   bool     `json:"list,omitempty" jsonschema:"list the points and what would strike them, and run nothing"`
}

type helpInput struct {
	Topic string `json:"topic,omitempty" jsonschema:"such as fault, fault http_error, gate unused_reply, kind llm, or a command such as explore; how to begin without it"`
}

type fmtInput struct {
	Text  string `json:"text,omitempty" jsonschema:"the text to format, which is returned"`
	Path  string `json:"path,omitempty" jsonschema:"a scenario file to format, in the place of text"`
	Write bool   `json:"write,omitempty" jsonschema:"write the formatted file to path; without it the text is returned and nothing is written"`
}

// The largest and the usual number of runs of a search.
const (
	budgetMax   = 20000
	budgetUsual = 2000
)

// add gives a server its tools.
func (s *server) add(m *sdk.Server) {
	addCommand(s, m, "validate", "Check scenario files without running them: every mistake with its place and what to do about it.", func(in validateInput) (request, error) {
		return in.request(flags("validate", "--strict", in.Strict)...)
	})
	addCommand(s, m, "test", "Run scenarios and say which pass, which fail and why.", func(in testInput) (request, error) {
		args := append(flags("test", "--strict", in.Strict, "--verbose", in.Verbose), "--color=never")
		args = append(args, given("--run", in.Run)...)
		for _, tag := range in.Tags {
			args = append(args, "--tag="+tag)
		}
		if in.Seed != nil {
			args = append(args, "--seed="+strconv.FormatUint(*in.Seed, 10))
		}
		return in.request(args...)
	})
	addCommand(s, m, "explain", "Say of each step of a file's scenarios which policies apply, what answered each attempt, how its failure was named, and why there was or was not another round.", func(in oneInput) (request, error) {
		return in.request("explain")
	})
	addCommand(s, m, "plan", "Show what a file's scenarios compile to.", func(in oneInput) (request, error) {
		return in.request("plan")
	})
	addCommand(s, m, "explore", "Try faults at every point of scenarios that pass, and show which break what must always hold.", func(in exploreInput) (request, error) {
		return in.arguments()
	})
	addCommand(s, m, "help", "How to begin, with a file to start from; or a fault, a gate, a kind of step or a command explained.", s.help)
	s.addFmt(m)
}

// addCommand adds a tool that is a command line.
func addCommand[In any](s *server, m *sdk.Server, name, description string, line func(In) (request, error)) {
	no := false
	tool := &sdk.Tool{Name: name, Description: description, Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &no}}
	sdk.AddTool(m, tool, func(ctx context.Context, _ *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
		r, err := line(in)
		if err != nil {
			return nil, nil, err
		}
		if len(r.Args) == 0 { // answered without a command
			return said(r.Stdin, false), nil, nil
		}
		a, err := s.run(ctx, r)
		if err != nil {
			return nil, nil, err
		}
		return said(a.String(), a.Wrong()), nil, nil
	})
}

// said is a result that is a text.
func said(text string, wrong bool) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, IsError: wrong}
}

// flags is a command with those of its flags that are set.
func flags(command string, pairs ...any) []string {
	args := []string{command}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1].(bool) {
			args = append(args, pairs[i].(string))
		}
	}
	return args
}

// given is a flag with its value, nothing where that is empty.
func given(flag, value string) []string {
	if value == "" {
		return nil
	}
	return []string{flag + "=" + value}
}

func (in oneInput) request(command string) (request, error) {
	if in.Path == "" {
		return request{}, fmt.Errorf("path is missing: %s takes one scenario file", command)
	}
	whole := suiteInput{Paths: []string{in.Path}, Files: in.Files, Vars: in.Vars}
	return whole.request(append([]string{command}, given("--run", in.Run)...)...)
}

func (in exploreInput) arguments() (request, error) {
	if in.Budget < 0 || in.Budget > budgetMax {
		return request{}, fmt.Errorf("budget is %d: it is a number of runs, %d at most", in.Budget, budgetMax)
	}
	if in.Budget == 0 {
		in.Budget = budgetUsual
	}
	args := append(flags("explore", "--list", in.List), fmt.Sprintf("--budget=%druns", in.Budget))
	if in.MaxK != 0 {
		args = append(args, fmt.Sprintf("--max-k=%d", in.MaxK))
	}
	args = append(args, given("--run", in.Run)...)
	args = append(args, given("--kinds", strings.Join(in.Kinds, ","))...)
	args = append(args, given("--except", strings.Join(in.Except, ","))...)
	return in.suiteInput.request(args...)
}

// help is how to begin, or a topic of the command's own help.
func (s *server) help(in helpInput) (request, error) {
	words := strings.Fields(in.Topic)
	if len(words) == 0 || len(words) == 1 && words[0] == "start" {
		return request{Stdin: s.start()}, nil
	}
	for _, w := range words {
		if strings.HasPrefix(w, "-") {
			return request{}, fmt.Errorf("there is no topic %q: try fault, gate, kind, or a command such as test", in.Topic)
		}
	}
	return request{Args: append([]string{"help"}, words...)}, nil
}

// start is how to begin.
func (s *server) start() string {
	var b strings.Builder
	b.WriteString("A scenario file has a workflow, which says what the program does, and scenarios, which say what the services answer, attempt by attempt, and what must hold. Hand a text over in files, or save it under a name that ends in .scenario.hcl; then validate it and test it.\n\n")
	for _, f := range s.starters {
		fmt.Fprintf(&b, "%s:\n\n```hcl\n%s```\n\n", f.Name, f.Text)
	}
	b.WriteString("More: help with the topic fault lists what can be injected, fault KIND explains one; gate lists the checks that a green is green for the right reason; kind lists the kinds of steps; test, explore and the other commands have their own help.\n")
	return b.String()
}

// slashed is a path with slashes, cleaned.
func slashed(name string) string { return filepath.ToSlash(filepath.Clean(filepath.FromSlash(name))) }
