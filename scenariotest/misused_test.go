package scenariotest_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scenario-lang/scenario"
	"github.com/scenario-lang/scenario/scenariotest"
)

const leftFile = "testdata/left.scenario.hcl"

func reads(t *testing.T, s *scenariotest.Scenario) { read(t, s) }

func readsOnce(_ testing.TB, s *scenariotest.Scenario) error {
	resp, err := s.Client().Get("http://web.test/a")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// silently asks nothing of the scenario.
func silently(*testing.T, *scenariotest.Scenario) {}

// misuses are tests that hold this package wrong, by what is wrong with them.
var misuses = map[string]func(t *testing.T){
	"New without a bubble": func(t *testing.T) { scenariotest.New(t, leftFile, "s") },
	"New, Real, no bubble": func(t *testing.T) { read(t, scenariotest.New(t, leftFile, "s", scenariotest.Real())) },
	"Run in a bubble":      func(t *testing.T) { synctest.Test(t, func(t *testing.T) { scenariotest.Run(t, leftFile, reads) }) },
	"Explore in a bubble": func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { scenariotest.Explore(t, leftFile, readsOnce) })
	},
	"Run without a function": func(t *testing.T) { scenariotest.Run(t, leftFile, nil) },
	"Explore without one":    func(t *testing.T) { scenariotest.Explore(t, leftFile, nil) },
	"no runs":                func(t *testing.T) { scenariotest.Explore(t, leftFile, readsOnce, scenariotest.Runs(0)) },
	"an option that is nil":  func(t *testing.T) { scenariotest.Run(t, leftFile, reads, nil) },
	"a nil option of Load":   func(t *testing.T) { scenariotest.Run(t, leftFile, reads, scenariotest.Load(nil)) },
	"a file in testdata":     func(t *testing.T) { scenariotest.Run(t, "left.scenario.hcl", reads) },
	"a file like another":    func(t *testing.T) { scenariotest.Run(t, "testdata/lefd.scenario.hcl", reads) },
	"a file like no other":   func(t *testing.T) { scenariotest.Run(t, "testdata/qqqqqqqqqqq", reads) },
	"a name like another": func(t *testing.T) {
		scenariotest.New(t, "testdata/agent.scenario.hcl", "waits as long as it was tolt", scenariotest.Real())
	},
	"nothing asked":         func(t *testing.T) { scenariotest.Run(t, leftFile, silently) },
	"nothing asked in New":  func(t *testing.T) { scenariotest.New(t, leftFile, "s", scenariotest.Real()) },
	"nothing asked at once": func(t *testing.T) { scenariotest.Run(t, leftFile, silently, scenariotest.Real()) },
	"a gate that breaks": func(t *testing.T) {
		scenariotest.Run(t, leftFile, func(t *testing.T, s *scenariotest.Scenario) {
			read(t, s)
			if resp, err := s.Client().Get("http://elsewhere.test/"); err == nil {
				resp.Body.Close()
			}
		})
	},
	"an endpoint like another": func(t *testing.T) {
		scenariotest.Run(t, "testdata/named.scenario.hcl", func(t *testing.T, s *scenariotest.Scenario) {
			if resp, err := s.Endpoint("frist").Client().Get("https://shop.test/a"); err == nil {
				resp.Body.Close()
			}
		})
	},
	"a goroutine": func(t *testing.T) {
		scenariotest.Run(t, leftFile, leavers["a goroutine"])
	},
	"a connection": func(t *testing.T) {
		scenariotest.Run(t, leftFile, leavers["a connection"])
	},
	"explored, nothing asked": func(t *testing.T) {
		scenariotest.Explore(t, leftFile, func(testing.TB, *scenariotest.Scenario) error { return nil })
	},
}

// Not a test of its own: what [TestMisused] looks at.
func TestMisuse(t *testing.T) {
	misuse := misuses[os.Getenv("MISUSE")]
	if misuse == nil {
		t.Skip("TestMisused runs this")
	}
	misuse(t)
}

// output is what a test of this binary says, and whether it failed. It has a minute.
func output(t *testing.T, test string, env ...string) (text string, failed bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.v", "-test.timeout=1m")
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if bytes.Contains(out, []byte("SIGSEGV")) || bytes.Contains(out, []byte("test timed out")) || bytes.Contains(out, []byte("panic: ")) {
		t.Errorf("the process died: %.600s", out)
	}
	return string(out), err != nil
}

// ownFiles are the files of this package, which no failure of a user's test may name.
var ownFiles = regexp.MustCompile(`(?m)^\s+(scenariotest|explore|explored|finds|files|options|place|witness|client|left|synctest|testing)\.go:\d+:`)

// Shows that whoever holds the package wrong is told so at once, with what to do about
// it, and that every failure names a line of the user's test as its place.
func TestMisused(t *testing.T) {
	for name, says := range map[string][]string{
		"New without a bubble":     {"New needs a bubble: call it inside synctest.Test(t, …), or give it Real(); Run does it for you"},
		"New, Real, no bubble":     nil,
		"Run in a bubble":          {"Run makes a bubble for each scenario", "New"},
		"Explore in a bubble":      {"Explore makes a bubble for each scenario"},
		"Run without a function":   {"Run was given no function", "func(t *testing.T, s *scenariotest.Scenario)"},
		"Explore without one":      {"Explore was given no function", "func(t testing.TB, s *scenariotest.Scenario) error"},
		"no runs":                  {"Runs: it takes at least 1, and was given 0"},
		"an option that is nil":    {"option 1 is nil"},
		"a nil option of Load":     {"Load: its option 1 is nil"},
		"a file in testdata":       {"there is no file or directory left.scenario.hcl in ", "/scenariotest\n", "did you mean testdata/left.scenario.hcl?"},
		"a file like another":      {"/testdata\n", "did you mean testdata/left.scenario.hcl?"},
		"a file like no other":     {"/testdata\n", "a path is one from the directory of the test's package"},
		"a name like another":      {`Did you mean "waits as long as it was told"?`, "it has: "},
		"nothing asked":            {"no request reached s.Client(): does the code that is tested use it?"},
		"nothing asked in New":     {"no request reached s.Client(): does the code that is tested use it?"},
		"nothing asked at once":    {"no request reached s.Client(): does the code that is tested use it?"},
		"explored, nothing asked":  {"no request reached s.Client(): does the code that is tested use it?"},
		"a gate that breaks":       {"unlisted_host"},
		"an endpoint like another": {`is for the endpoint "frist"`, `Did you mean "first"?`},
		"a goroutine":              {"left_running"},
		"a connection":             {"left_running"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, failed := output(t, "TestMisuse", "MISUSE="+name)
			if failed != (says != nil) {
				t.Errorf("failed = %t", failed)
			}
			for _, want := range says {
				if !strings.Contains(text, want) {
					t.Errorf("nothing says %q", want)
				}
			}
			if own := ownFiles.FindString(text); own != "" {
				t.Errorf("the place of a failure is %s", own)
			}
			if failed && !strings.Contains(text, "misused_test.go:") {
				t.Error("no failure names the test")
			}
			if first := "no request reached"; len(says) > 0 && strings.HasPrefix(says[0], first) {
				if at := strings.Index(text, "unused_reply"); at >= 0 && at < strings.Index(text, first) {
					t.Error("that nothing was asked does not come first")
				}
			}
			if t.Failed() {
				t.Log(text)
			}
		})
	}
	if len(misuses) == 0 {
		t.Error("there is nothing to hold wrong")
	}
}

// every is every option of the package, each with the functions that take it.
var every = map[string]struct {
	option scenariotest.Option
	takes  string
}{
	"Real":         {scenariotest.Real(), "Run New"},
	"Load":         {scenariotest.Load(scenario.Var("nobody", "1")), "Run New Explore"},
	"Pairs":        {scenariotest.Pairs(), "Explore"},
	"Runs":         {scenariotest.Runs(1), "Explore"},
	"WrongAnswers": {scenariotest.WrongAnswers(), "Explore"},
	"NoModel":      {scenariotest.NoModel(), "Explore"},
	"Update":       {scenariotest.Update(), "Explore"},
}

// functions are those that take options.
var functions = map[string]func(t *testing.T, o scenariotest.Option){
	"Run":     func(t *testing.T, o scenariotest.Option) { scenariotest.Run(t, leftFile, reads, o) },
	"New":     func(t *testing.T, o scenariotest.Option) { newInBubble(t, o) },
	"Explore": func(t *testing.T, o scenariotest.Option) { scenariotest.Explore(t, leftFile, readsOnce, o) },
}

func newInBubble(t *testing.T, o scenariotest.Option) {
	synctest.Test(t, func(t *testing.T) { read(t, scenariotest.New(t, leftFile, "s", o)) })
}

// Not a test of its own: what [TestEveryOption] looks at.
func TestAnOption(t *testing.T) {
	option, function, ok := strings.Cut(os.Getenv("OPTION"), " of ")
	if !ok {
		t.Skip("TestEveryOption runs this")
	}
	functions[function](t, every[option].option)
}

// Shows that every option of the package is taken by a function that it is for, and that
// any other function fails its test over it and says which one takes it.
func TestEveryOption(t *testing.T) {
	for _, name := range exported(t, "Option") {
		if every[name].option == nil {
			t.Errorf("no line of this test has the option %s", name)
		}
	}
	for _, function := range []string{"Run", "New", "Explore"} {
		for name, o := range every {
			t.Run(name+" of "+function, func(t *testing.T) {
				t.Parallel()
				text, failed := output(t, "TestAnOption", "OPTION="+name+" of "+function)
				refused := strings.Contains(text, function+" does nothing with "+name+"(): only "+strings.ReplaceAll(o.takes, " ", " or ")+" takes it.")
				taken := strings.Contains(" "+o.takes+" ", " "+function+" ")
				if refused == taken || refused && !failed {
					t.Errorf("refused = %t, failed = %t: %s", refused, failed, text)
				}
				// Load was given a variable that no file declares.
				if name == "Load" && !strings.Contains(text, `no file declares a variable "nobody"`) {
					t.Errorf("it has no effect: %s", text)
				}
			})
		}
	}
}

// exported are the exported functions of the package that return a type.
func exported(t *testing.T, result string) []string {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() || f.Type.Results == nil {
				continue
			}
			if id, ok := f.Type.Results.List[0].Type.(*ast.Ident); ok && id.Name == result {
				names = append(names, f.Name.Name)
			}
		}
	}
	if len(names) == 0 {
		t.Fatal("the package has no options")
	}
	return names
}

// Shows that code which asks some of its providers is told which others it never asked,
// and that a run which holds says nothing of those.
func TestUnasked(t *testing.T) {
	const file = `provider "http" "web" { base_url = "http://web.test" }
provider "http" "shop" { base_url = "http://shop.test" }

scenario "s" {
  on "web" {
    reply {}
  }
  on "shop" {
    reply {}
  }
}

scenario "holds" {
  on "web" {
    reply {}
  }
}
`
	if os.Getenv("UNASKED") != "" {
		scenariotest.Run(t, filepath.Join(os.Getenv("UNASKED"), "a.scenario.hcl"), reads)
		return
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.scenario.hcl"), []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
	text, failed := output(t, "TestUnasked", "UNASKED="+dir)
	const want = `no request to provider "shop" reached s.Client()`
	if !failed || strings.Count(text, want) != 1 || strings.Contains(text, `provider "web"`) || !strings.Contains(text, "--- PASS: TestUnasked/holds") {
		t.Errorf("failed = %t: %s", failed, text)
	}
}
