package scenariotest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/scenariotest"
)

// A client asks a model and orders what it says, as a program would write it. The zero
// value is right; each field makes it wrong in one way.
type client struct {
	hasty    bool // it does not wait as long as it is told
	patient  bool // it has no deadline
	stubborn bool // it asks again after a 400
	trusting bool // it takes a stream that is cut for a whole one
	greedy   bool // it orders again whatever became of the order before
}

// errGaveUp is the end of a client's patience.
var errGaveUp = errors.New("gave up")

// do asks until there is an answer, four times at most; again says after what.
func (c client) do(ctx context.Context, h *http.Client, method, url, body string, read func(*http.Response) error, again func(status int, err error) bool) error {
	for n := range 4 {
		wait, err := c.once(ctx, h, method, url, body, read, again)
		if err == nil || wait < 0 {
			return err
		}
		time.Sleep(max(wait, time.Duration(n+1)*time.Second))
	}
	return errGaveUp
}

// once asks once. A wait below 0 says that asking again would not help, or could harm.
func (c client) once(ctx context.Context, h *http.Client, method, url, body string, read func(*http.Response) error, again func(status int, err error) bool) (time.Duration, error) {
	if !c.patient {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
	}
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return -1, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := h.Do(req)
	if err != nil {
		if again(0, err) {
			return 0, err
		}
		return -1, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		err := fmt.Errorf("status %d", resp.StatusCode)
		if !again(resp.StatusCode, err) {
			return -1, err
		}
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		if c.hasty {
			seconds = 0
		}
		return time.Duration(seconds) * time.Second, err
	}
	if err := read(resp); err != nil {
		if again(resp.StatusCode, err) {
			return 0, err
		}
		return -1, err
	}
	return 0, nil
}

// ask asks the model for a stream.
func (c client) ask(ctx context.Context, h *http.Client, question string) (answer string, err error) {
	body, _ := json.Marshal(map[string]any{"model": "gpt-4o-mini", "stream": true, "messages": []any{map[string]any{"role": "user", "content": question}}})
	err = c.do(ctx, h, http.MethodPost, "https://api.openai.com/v1/chat/completions", string(body), func(resp *http.Response) error {
		var err error
		answer, err = c.stream(resp.Body)
		return err
	}, func(status int, err error) bool {
		return err != nil && status == 0 || status == http.StatusOK || status == http.StatusTooManyRequests || status >= 500 || c.stubborn && status == http.StatusBadRequest
	})
	return answer, err
}

// stream reads deltas up to the end marker.
func (c client) stream(r io.Reader) (string, error) {
	var text strings.Builder
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		if data == "[DONE]" {
			return text.String(), nil
		}
		var delta struct {
			Choices []struct{ Delta struct{ Content string } }
			Error   any
		}
		if err := json.Unmarshal([]byte(data), &delta); err != nil {
			return "", err
		}
		if delta.Error != nil {
			return "", errors.New("the stream has an error in it")
		}
		for _, choice := range delta.Choices {
			text.WriteString(choice.Delta.Content)
		}
	}
	if c.trusting && text.Len() > 0 {
		return text.String(), nil
	}
	return "", errors.Join(io.ErrUnexpectedEOF, lines.Err())
}

// order orders once.
func (c client) order(ctx context.Context, h *http.Client, what string) error {
	body, _ := json.Marshal(map[string]any{"text": what})
	return c.do(ctx, h, http.MethodPost, "https://shop.example/orders", string(body), func(resp *http.Response) error {
		var out struct{ Order int }
		text, err := io.ReadAll(resp.Body)
		if err == nil {
			err = json.Unmarshal(text, &out)
		}
		return err
	}, func(status int, err error) bool {
		refused := errors.Is(err, syscall.ECONNREFUSED)
		return refused || status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable || c.greedy && status != http.StatusBadRequest
	})
}

// clients are a right one and wrong ones, each with what has to be found of it and the
// fault that shows it.
var clients = map[string]struct {
	client
	find, fault string
}{
	"right":    {},
	"hasty":    {client{hasty: true}, "a program asks again no sooner than the answer allows", "Retry-After"},
	"patient":  {client{patient: true}, "deadlock", `fault "timeout"`},
	"stubborn": {client{stubborn: true}, "a program does not repeat what cannot succeed", "status_code = 400"},
	"trusting": {client{trusting: true}, "the answer was cut", `fault "stream_truncate"`},
	"greedy":   {client{greedy: true}, "a program repeats what may have had an effect under a key", "on \"shop\""},
}

// explored has a client order what a model says.
func explored(c client) func(t testing.TB, s *scenariotest.Scenario) error {
	return func(t testing.TB, s *scenariotest.Scenario) error {
		answer, err := c.ask(t.Context(), s.Client(), "why?")
		if err != nil {
			return err
		}
		if !strings.HasSuffix(answer, ".") {
			t.Errorf("the answer was cut: %q", answer)
		}
		return c.order(t.Context(), s.Client(), answer)
	}
}

// A right client has nothing to be found.
func TestExploreARightClient(t *testing.T) {
	scenariotest.Explore(t, "testdata/explored.scenario.hcl", explored(client{}))
}

// TestExploreAnother is no test by itself: it explores the client that the environment
// names, for a test that looks at how it fails.
func TestExploreAnother(t *testing.T) {
	name := os.Getenv("EXPLORED")
	if name == "" {
		t.Skip("for other tests")
	}
	if err := os.Chdir(os.Getenv("EXPLORED_IN")); err != nil {
		t.Fatal(err)
	}
	var options []scenariotest.Option
	if os.Getenv("EXPLORED_PAIRS") != "" {
		options = append(options, scenariotest.Pairs(), scenariotest.Runs(20_000))
	}
	if os.Getenv("EXPLORED_WRONG") != "" {
		options = append(options, scenariotest.WrongAnswers())
	}
	scenariotest.Explore(t, "explored.scenario.hcl", others[name], options...)
}

// poisoned and noticed are what clients remember from one run to the next.
var poisoned, noticed bool

// asks has a right client ask, and then does something about its error.
func asks(then func(t testing.TB, err error) error) func(testing.TB, *scenariotest.Scenario) error {
	return func(t testing.TB, s *scenariotest.Scenario) error {
		_, err := client{}.ask(t.Context(), s.Client(), "why?")
		if err == nil {
			err = client{}.order(t.Context(), s.Client(), "so")
		}
		return then(t, err)
	}
}

// mustBeNil is a helper: what fails is its caller.
func mustBeNil(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("it fails: %v", err)
	}
}

// others are what TestExploreAnother explores.
var others = map[string]func(testing.TB, *scenariotest.Scenario) error{
	"panics": asks(func(_ testing.TB, err error) error {
		if err != nil {
			panic("nobody thought of " + err.Error())
		}
		return nil
	}),
	"crashes": asks(func(_ testing.TB, err error) error {
		done := make(chan struct{})
		go func() {
			defer close(done)
			if err != nil {
				panic("in a goroutine of its own")
			}
		}()
		<-done
		return err
	}),
	"blocked": asks(func(_ testing.TB, err error) error {
		if err != nil {
			<-make(chan int)
		}
		return nil
	}),
	"leaves a goroutine": asks(func(_ testing.TB, err error) error {
		if err != nil {
			go func() { <-make(chan int) }()
		}
		return err
	}),
	"fails": asks(func(t testing.TB, err error) error {
		mustBeNil(t, err)
		return nil
	}),
	"remembers": asks(func(t testing.TB, err error) error {
		if poisoned = poisoned || err != nil; poisoned {
			t.Error("it fails from now on")
		}
		return err
	}),
	"fails once": asks(func(t testing.TB, err error) error {
		if err != nil && !noticed {
			noticed = true
			t.Error("it fails the first time")
		}
		return err
	}),
	"needs one of two": func(t testing.TB, s *scenariotest.Scenario) error {
		_, err := client{}.ask(t.Context(), s.Client(), "why?")
		if other := (client{}).order(t.Context(), s.Client(), "so"); err != nil && other != nil {
			t.Error("both are gone")
		}
		return nil
	},
	"takes any answer": func(t testing.TB, s *scenariotest.Scenario) error {
		answer, err := client{}.ask(t.Context(), s.Client(), "why?")
		if err == nil && answer == "" {
			t.Error("nothing was answered")
		}
		return errors.Join(err, client{}.order(t.Context(), s.Client(), answer))
	},
	"fails by itself": func(testing.TB, *scenariotest.Scenario) error { return errGaveUp },
	"endless": func(t testing.TB, s *scenariotest.Scenario) error {
		for {
			if _, err := (client{}).ask(t.Context(), s.Client(), "why?"); err == nil {
				return client{}.order(t.Context(), s.Client(), "so")
			}
		}
	},
	"leaves a body open": func(t testing.TB, s *scenariotest.Scenario) error {
		resp, err := s.Client().Post("https://shop.example/orders", "application/json", strings.NewReader("{}"))
		if err != nil {
			return err
		}
		if resp.StatusCode == http.StatusOK {
			defer resp.Body.Close()
		}
		_, err = (client{}).ask(t.Context(), s.Client(), "why?")
		return err
	},
	"in any order, wrong in one": func(t testing.TB, s *scenariotest.Scenario) error {
		answers := rand.IntN(2) == 0
		if answers {
			if _, err := (client{}).ask(t.Context(), s.Client(), "why?"); err != nil {
				return err
			}
		}
		if err := (client{}).order(t.Context(), s.Client(), "so"); err != nil {
			if !answers {
				t.Error("nothing was asked yet")
			}
			return err
		}
		if !answers {
			_, err := client{}.ask(t.Context(), s.Client(), "why?")
			return err
		}
		return nil
	},
	"in any order": func(t testing.TB, s *scenariotest.Scenario) error {
		calls := []func() error{
			func() error { return client{}.order(t.Context(), s.Client(), "so") },
			func() error { _, err := client{}.ask(t.Context(), s.Client(), "why?"); return err },
		}
		if rand.IntN(2) == 0 {
			slices.Reverse(calls)
		}
		return errors.Join(calls[0](), calls[1]())
	},
}

// What else the code of a test can do is told for what it is, and ends no process.
func TestExploreTellsWhatAProgramDoes(t *testing.T) {
	for name, want := range map[string][]string{
		"panics":             {`find   "nobody thought of `, "  explore_test.go:", "one fault: "},
		"blocked":            {"find   deadlock", "llm"},
		"leaves a goroutine": {"find   left_running", "still blocked"},
		"leaves a body open": {"find   open_body", "neither read to its end nor closed"},
		"fails":              {`find   "it fails: `, lineOf(t, "mustBeNil(t, err)\n\t\treturn")},
		"remembers":          {"unsteady: ", "withdraws", "keeps something", "nothing is known of any fault: "},
		"endless":            {"undecided", "asks the same again after 402"},
		"fails by itself":    {"does not pass without a fault", "the function returned: gave up"},
		"fails once":         {"flaky: \"it fails the first time\" under ", ": 1 of 3 runs", "nothing found among"},
		"needs one of two":   {"nothing found among"},
		"in any order":       {" of them diverged: ", "nothing found among"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, passed := another(t, exploredDir(t), name)
			for _, text := range want {
				if !strings.Contains(out, text) {
					t.Errorf("no %q", text)
				}
			}
			if red := strings.Contains(out, "find   ") || strings.Contains(out, "unsteady") || strings.Contains(out, "does not pass"); red == passed || name == "remembers" && (strings.Contains(out, "find   ") || strings.Contains(out, "nothing found")) {
				t.Errorf("passed = %t", passed)
			}
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}

// A program that asks in an order that it draws by lot is told to diverge, and what it
// breaks in one of them is flaky: it is never red by chance.
func TestExploreIsNotRedByChance(t *testing.T) {
	for name, want := range map[string]string{"in any order": " of them diverged: ", "in any order, wrong in one": "flaky: \"nothing was asked yet\" under "} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, passed := another(t, exploredDir(t), name, "-test.count=20")
			if tries, told := strings.Count(out, "=== RUN   TestExploreAnother\n"), strings.Count(out, want); !passed || tries != 20 || told < 20 || strings.Contains(out, "find   ") {
				t.Errorf("passed = %t, %d of %d tries tell %q:\n%s", passed, told, tries, want, out)
			}
		})
	}
}

// Pairs finds what takes two faults, and -short tries no more than outages and silences.
func TestExploreOptions(t *testing.T) {
	t.Setenv("EXPLORED_PAIRS", "yes")
	out, passed := another(t, exploredDir(t), "needs one of two")
	if passed || !strings.Contains(out, `find   "both are gone"`) || !strings.Contains(out, "two faults: ") {
		t.Errorf("passed = %t:\n%s", passed, out)
	}
	t.Setenv("EXPLORED_PAIRS", "")
	if out, passed = another(t, exploredDir(t), "takes any answer"); !passed {
		t.Errorf("without WrongAnswers, a wrong answer is found:\n%s", out)
	}
	t.Setenv("EXPLORED_WRONG", "yes")
	if out, passed = another(t, exploredDir(t), "takes any answer"); passed || !strings.Contains(out, `find   "nothing was answered"`) || !strings.Contains(out, "one answer: llm, attempt 1: ") {
		t.Errorf("with WrongAnswers, passed = %t:\n%s", passed, out)
	}
	t.Setenv("EXPLORED_WRONG", "")
	if out, passed = another(t, exploredDir(t), "hasty", "-test.short"); !passed {
		t.Errorf("with -short, a fault that is none of those is found:\n%s", out)
	}
	if out, passed = another(t, exploredDir(t), "patient", "-test.short"); passed || !strings.Contains(out, "find   deadlock") {
		t.Errorf("with -short, passed = %t:\n%s", passed, out)
	}
}

// Who ends the process in a goroutine of its own is told, at the next start, under which
// fault that was, and begins with it.
func TestExploreNamesWhatEndedTheProcess(t *testing.T) {
	dir := exploredDir(t)
	const first = "with all of provider llm from 0s on: "
	if out, passed := another(t, dir, "crashes"); passed || !strings.Contains(out, "panic: in a goroutine of its own") || strings.Contains(out, first) {
		t.Fatalf("passed = %t:\n%s", passed, out)
	}
	if out, passed := another(t, dir, "crashes"); passed || !strings.Contains(out, "an earlier run ended the process, "+first) {
		t.Fatalf("passed = %t:\n%s", passed, out)
	}
	if out, passed := another(t, dir, "right"); !passed || !strings.Contains(out, first) {
		t.Fatalf("passed = %t:\n%s", passed, out)
	}
	if out, _ := another(t, dir, "right"); strings.Contains(out, first) {
		t.Fatalf("it is told again:\n%s", out)
	}
}

func init() {
	for name, c := range clients {
		others[name] = explored(c.client)
	}
}

// another runs TestExploreAnother in a process of its own and a directory with the file.
func another(t *testing.T, dir, name string, flags ...string) (output string, passed bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"-test.run=^TestExploreAnother$", "-test.v"}, flags...)...)
	cmd.Env = append(os.Environ(), "EXPLORED="+name, "EXPLORED_IN="+dir, "HOME="+dir, "XDG_CACHE_HOME="+dir, "LocalAppData="+dir)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), err == nil
}

// exploredDir is a directory with the file that is explored.
func exploredDir(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/explored.scenario.hcl")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "explored.scenario.hcl"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Each of five wrong clients is found, under one fault; the scenario that is written of
// it fails as a subtest of its own from then on, and passes with the client that is
// right.
func TestExploreFindsWrongClients(t *testing.T) {
	for name, c := range clients {
		if c.find == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := exploredDir(t)
			out, passed := another(t, dir, name)
			if passed || !strings.Contains(out, c.find) || c.find != "deadlock" && !strings.Contains(out, "one fault: ") || strings.Contains(out, "two faults: ") {
				t.Fatalf("passed = %t, want %q:\n%s", passed, c.find, out)
			}
			if out, passed = another(t, dir, name, "-scenario.update"); passed {
				t.Fatalf("it passes:\n%s", out)
			}
			files, _ := filepath.Glob(filepath.Join(dir, "testdata/explore/TestExploreAnother/*.scenario.hcl"))
			if len(files) == 0 {
				t.Fatalf("nothing is written:\n%s", out)
			}
			var all bytes.Buffer
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				all.Write(text)
				sub := "TestExploreAnother/" + strings.TrimSuffix(filepath.Base(file), ".scenario.hcl")
				again, _ := another(t, dir, name)
				if !strings.Contains(again, "--- FAIL: "+sub+" ") {
					t.Errorf("%s does not fail:\n%s", sub, again)
				}
				if mended, passed := another(t, dir, "right"); !passed || !strings.Contains(mended, "--- PASS: "+sub+" ") {
					t.Errorf("%s fails with a client that is right:\n%s", sub, mended)
				}
			}
			if !strings.Contains(all.String(), c.fault) {
				t.Errorf("no %s in\n%s", c.fault, all.String())
			}
		})
	}
}

// lineOf is where a text stands in this file, as a find tells it.
func lineOf(t *testing.T, text string) string {
	t.Helper()
	src, err := os.ReadFile("explore_test.go")
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(src), text)
	return fmt.Sprintf("explore_test.go:%d,", strings.Count(before, "\n")+1)
}
