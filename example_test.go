package scenario_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"testing/fstest"
	"time"

	"github.com/scenario-lang/scenario"
	"github.com/scenario-lang/scenario/wire"
)

// files is a suite in memory; a program would use os.DirFS or an embed.FS.
func files() fs.FS {
	return fstest.MapFS{"support.scenario.hcl": {Data: []byte(support)}}
}

const support = `
variable "model" { default = "gpt-4o-mini" }

provider "openai" "primary" { model = var.model }

retry "exponential" "std" { base = "1s" }

workflow "ask" {
  provider = provider.primary
  step "llm" "answer" {
    prompt = "Why is the sky blue?"
    retry  = retry.std
  }
}

scenario "two server errors, then an answer" {
  description = "The policy waits longer every time."
  tags        = ["retry"]
  run         = workflow.ask
  on "answer" {
    fault "http_error" {
      status_code = 503
      times       = 2
    }
    reply { content = "Rayleigh scattering." }
  }
  expect "answer" { content = "Rayleigh scattering." }
}

scenario "an expectation that does not hold" {
  run = workflow.ask
  on "answer" {
    reply { content = "No idea." }
  }
  expect "answer" { content = "Rayleigh scattering." }
}
`

// run is the result of the scenario that passes.
func run() *scenario.Result {
	suite, err := scenario.Load(files(), "support.scenario.hcl")
	if err != nil {
		panic(err)
	}
	return suite.Scenarios()[0].Run(context.Background())
}

func Example() {
	suite, err := scenario.Load(files(), "support.scenario.hcl")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range suite.Scenarios() {
		r := s.Run(context.Background())
		fmt.Println(s.Name()+":", r.Verdict())
		for _, p := range r.Problems() {
			fmt.Println(p)
		}
	}
	// Output:
	// two server errors, then an answer: pass
	// an expectation that does not hold: fail
	// expect "answer"  support.scenario.hcl:35
	//   content: "No idea.", want "Rayleigh scattering."
	//   step.answer.content is not what is expected.
}

func ExampleLoad() {
	suite, err := scenario.Load(files(), ".") // all files below the directory
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(suite.Scenarios()), "scenarios")
	// Output: 2 scenarios
}

func ExampleSuite() {
	suite, err := scenario.Load(files(), "support.scenario.hcl")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range suite.Scenarios() {
		fmt.Println(s.Name())
	}
	// Output:
	// two server errors, then an answer
	// an expectation that does not hold
}

func ExampleSuite_Scenario() {
	suite, err := scenario.Load(files(), "support.scenario.hcl")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(suite.Scenario("two server errors, then an answer").Tags())
	fmt.Println(suite.Scenario("none") == nil)
	// Output:
	// [retry]
	// true
}

func ExampleError() {
	broken := fstest.MapFS{"a.scenario.hcl": {Data: []byte("retry \"linear\" \"std\" {\n  max_retrys = 3\n}\n")}}
	_, err := scenario.Load(broken, "a.scenario.hcl")
	var wrong *scenario.Error
	if errors.As(err, &wrong) {
		fmt.Println(len(wrong.Diagnostics), "diagnostic")
	}
	fmt.Println(wrong.Error())
	// Output:
	// 1 diagnostic
	// Error: Unknown attribute
	//   on a.scenario.hcl line 2, in retry "linear" "std":
	//   2:   max_retrys = 3
	//        ^^^^^^^^^^
	// A retry "linear" block has no attribute "max_retrys". Did you mean
	// "max_retries"?
}

func ExampleError_Unwrap() {
	_, err := scenario.Load(files(), "none.scenario.hcl")
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	fmt.Println(err)
	// Output:
	// true
	// there is no file or directory none.scenario.hcl
	// hint: name a directory or a *.scenario.hcl file; without a path the working directory is searched
}

func ExampleOption() {
	options := []scenario.Option{scenario.Seed(7), scenario.Var("model", "gpt-4o")}
	_, err := scenario.Load(files(), "support.scenario.hcl", options...)
	fmt.Println(err)
	// Output: <nil>
}

func ExampleVar() {
	suite, err := scenario.Load(files(), "support.scenario.hcl", scenario.Var("model", "gpt-4o"))
	if err != nil {
		fmt.Println(err)
		return
	}
	model, _ := suite.Scenarios()[0].Run(context.Background()).Value("step.answer.attempts[0].request.json.model")
	fmt.Println(model)

	_, err = scenario.Load(files(), "support.scenario.hcl", scenario.Var("modle", "gpt-4o"))
	fmt.Println(err)
	// Output:
	// gpt-4o
	// no file declares a variable "modle". Did you mean "model"?
}

func ExampleSeed() {
	var hashes [3]string
	for i, seed := range []uint64{1, 1, 2} {
		suite, err := scenario.Load(files(), "support.scenario.hcl", scenario.Seed(seed))
		if err != nil {
			fmt.Println(err)
			return
		}
		hashes[i] = suite.Scenarios()[0].Hash()
	}
	fmt.Println(hashes[0] == hashes[1], hashes[0] == hashes[2])
	// Output: true false
}

func ExampleEnv() {
	env := map[string]string{"SCENARIO_VAR_model": "gpt-4o"}
	suite, err := scenario.Load(files(), "support.scenario.hcl", scenario.Env(func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	model, _ := suite.Scenarios()[0].Run(context.Background()).Value("step.answer.attempts[0].request.json.model")
	fmt.Println(model)
	// Output: gpt-4o
}

func ExampleFile() {
	suite, err := scenario.Load(files(), ".", scenario.File("more/new.scenario.hcl", `
import = ["../support.scenario.hcl"]
scenario "in a file that is nowhere" {
  run = workflow.ask
  on "answer" {
    reply { content = "Yes." }
  }
  expect "answer" { content = "Yes." }
}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	s := suite.Scenario("in a file that is nowhere")
	fmt.Println(s.Run(context.Background()).Verdict())
	// Output: pass
}

func ExampleProgress() {
	suite, err := scenario.Load(files(), "support.scenario.hcl", scenario.Progress(os.Stdout))
	if err != nil {
		fmt.Println(err)
		return
	}
	suite.Scenarios()[0].Run(context.Background())
	// Output:
	// support.scenario.hcl: 2 scenarios
	// pass  "two server errors, then an answer"  support.scenario.hcl:16
}

func ExampleScenario() {
	suite, err := scenario.Load(files(), "support.scenario.hcl")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := suite.Scenarios()[0]
	file, line := s.Position()
	fmt.Printf("%s (%s:%d): %s\n", s.Name(), file, line, s.Description())
	fmt.Println(s.Tags(), strings.HasPrefix(s.Hash(), "sha256:"))
	// Output:
	// two server errors, then an answer (support.scenario.hcl:16): The policy waits longer every time.
	// [retry] true
}

func ExampleScenario_Tags() { ExampleScenario() }

func ExampleScenario_Run() {
	suite, err := scenario.Load(files(), "support.scenario.hcl")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := suite.Scenarios()[0].Run(ctx)
	fmt.Println(r.Verdict(), errors.Is(r.Err(), context.Canceled))
	fmt.Println(r.Problems()[0])
	// Output:
	// error true
	// error "run"  support.scenario.hcl:16
	//   the run was broken off: context canceled
}

func ExampleResult() {
	var r *scenario.Result = run()
	fmt.Println(r.Verdict(), r.Err(), r.Elapsed(), len(r.Problems()))
	// Output: pass <nil> 3s 0
}

func ExampleResult_Problems() { ExampleProblem() }

func ExampleVerdict() {
	for _, v := range []scenario.Verdict{scenario.Passed, scenario.Failed, scenario.Errored, scenario.Skipped} {
		fmt.Println(v)
	}
	// Output:
	// pass
	// fail
	// error
	// skip
}

func ExampleResult_Value() {
	r := run()
	for _, expr := range []string{"step.answer.delays_ms", "run.status", `length(events({ type = "attempt_start" }))`} {
		v, err := r.Value(expr)
		fmt.Println(v, err)
	}
	_, err := r.Value("step.answer.contents")
	fmt.Println(err != nil)
	// Output:
	// [1000 2000] <nil>
	// success <nil>
	// 3 <nil>
	// true
}

func ExampleResult_Step() {
	r := run()
	var step *scenario.Step = r.Step("answer")
	fmt.Println(step.Status, step.Content, step.Delays)
	fmt.Println(r.Step("none") == nil)
	// Output:
	// success Rayleigh scattering. [1s 2s]
	// true
}

func ExampleResult_Steps() {
	for _, step := range run().Steps() {
		fmt.Println(step.Name, step.Kind, step.Ended-step.Started)
	}
	// Output: answer llm 3s
}

func ExampleAttempt() {
	for _, a := range run().Step("answer").Attempts {
		fmt.Println(a.N, a.At, a.StatusCode, a.Outcome, a.Fault)
	}
	// Output:
	// 1 0s 503 failure http_error
	// 2 1s 503 failure http_error
	// 3 3s 200 success
}

func ExampleFailure() {
	f := run().Step("answer").Attempts[0].Failure
	fmt.Println(f.Kind, f.Mode, f.StatusCode, f.Retryable)
	// Output: http_status RESOURCE_API_UNAVAILABLE 503 true
}

func ExampleResult_WriteTrace() {
	var b bytes.Buffer
	if err := run().WriteTrace(&b); err != nil {
		fmt.Println(err)
		return
	}
	events := strings.Split(strings.TrimSpace(b.String()), "\n")[1:]
	fmt.Println(events[0])
	// Output: {"seq":1,"at_ns":0,"type":"run_start","inputs":{},"run_id":"77e6011e4522bae53d6f55c1ccc99fbc","workflow":"ask"}
}

func ExampleProblem() {
	suite, err := scenario.Load(files(), "support.scenario.hcl")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range suite.Scenarios()[1].Run(context.Background()).Problems() {
		fmt.Println(p.Kind, p.Name, p.Line)
		fmt.Println(p.Diff)
	}
	// Output:
	// expect answer 35
	// content: "No idea.", want "Rayleigh scattering."
}

// A program's own code is driven by its transport: in a test in a
// testing/synctest bubble its waits take no time.
func ExampleScenario_Drive() {
	suite, err := scenario.Load(fstest.MapFS{}, "orders.scenario.hcl", scenario.File("orders.scenario.hcl", `
provider "http" "orders" { base_url = "https://orders.test" }

scenario "the service is busy" {
  on "orders" {
    fault "http_error" { status_code = 503 }
    reply { body = "order 7" }
  }
  expect "orders" {
    status  = "success"
    retries = 1
  }
}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	s := suite.Scenario("the service is busy")
	if why := s.CanDrive(); why != "" {
		fmt.Println(why)
		return
	}
	var d *scenario.Driven = s.Drive(scenario.DriveOptions{Clock: wire.System(), OnProblem: func(p scenario.Problem, times int) { fmt.Println(p, times) }})
	for range 2 {
		req, err := http.NewRequest(http.MethodGet, "https://orders.test/7", nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		resp, err := d.Transport().RoundTrip(req)
		if err != nil {
			fmt.Println(err)
			return
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Println(resp.StatusCode, string(body))
	}
	r := d.Finish()
	fmt.Println(r.Verdict(), d.Warnings(), r.NotObserved())
	// Output:
	// 503 {"error":{"message":"Service Unavailable","status":503}}
	// 200 order 7
	// pass [] []
}

// Clients of databases are given connections, and those of an MCP server that is
// a process its standard streams.
func ExampleDriven_DialContext() {
	suite, err := scenario.Load(fstest.MapFS{}, "notes.scenario.hcl", scenario.File("notes.scenario.hcl", `
provider "sql" "db" { base_url = "postgres://db.test/notes" }
provider "mcp" "tools" { command = ["some-server"] }

scenario "nobody is let in" {
  on "db" {
    fault "db_down" {}
  }
  expect "tools" { status = "unused" }
}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	d := suite.Scenario("nobody is let in").Drive(scenario.DriveOptions{Patience: time.Millisecond})
	conn, err := d.DialContext(context.Background(), "tcp", "db.test:5432", scenario.Dialled{Lane: "first"})
	if err != nil {
		fmt.Println(err)
		return
	}
	io.WriteString(conn, "\x00\x00\x00\x20\x00\x03\x00\x00user\x00me\x00database\x00notes\x00\x00") // as a driver begins
	said, _ := io.ReadAll(conn)
	conn.Close()
	fmt.Println(bytes.Contains(said, []byte("the database cannot be reached")))

	pipe, err := d.Stdio("tools", scenario.Dialled{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Fprintln(pipe, `{"jsonrpc": "2.0", "id": 1, "method": "ping"}`)
	line, _ := bufio.NewReader(pipe).ReadString('\n')
	fmt.Print(line)
	fmt.Println(d.Connections(), "is open")
	pipe.Close()
	fmt.Println(d.Finish().Verdict())
	// Output:
	// true
	// {"jsonrpc":"2.0","id":1,"result":{}}
	// 1 is open
	// pass
}
