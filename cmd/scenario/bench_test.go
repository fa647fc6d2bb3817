//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp/bench"
)

// benchFolder is a folder with a bench of programs, and a way to call it.
func benchFolder(t *testing.T, files map[string]string) func(ctx context.Context, args ...string) (stdout string, code int) {
	t.Helper()
	dir, bin := t.TempDir(), commandDir(t)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return func(ctx context.Context, args ...string) (string, int) {
		cmd := exec.CommandContext(ctx, filepath.Join(bin, "scenario"), args...)
		cmd.Dir = dir
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		_ = cmd.Run()
		if cmd.ProcessState.ExitCode() > 1 && ctx.Err() == nil {
			t.Logf("%s", stderr.String())
		}
		return stdout.String(), cmd.ProcessState.ExitCode()
	}
}

// cased is the report of a --json call by the ids of its cases.
func cased(t *testing.T, stdout string) (cases map[string]string, complete bool) {
	t.Helper()
	var event struct {
		Report struct {
			Complete bool `json:"complete"`
			Cases    []struct {
				ID    string              `json:"id"`
				Modes []bench.FailureMode `json:"failure_modes"`
			} `json:"cases"`
		} `json:"report"`
	}
	line, _, _ := strings.Cut(stdout, "\n")
	if err := json.Unmarshal([]byte(line), &event); err != nil {
		t.Fatalf("%v: %s", err, stdout)
	}
	cases = map[string]string{}
	for _, c := range event.Report.Cases {
		code := ""
		if len(c.Modes) > 0 {
			code = c.Modes[0].Code
		}
		cases[c.ID] = code
	}
	return cases, event.Report.Complete
}

// Shows that a bench that is killed at any point, again and again, loses no
// finished case and runs none twice: what was in the log before a call is never
// asked in it, and the last call has them all.
func TestKilledBenchGoesOn(t *testing.T) {
	kills := 100
	if testing.Short() {
		kills = 12
	}
	cases := 30 * kills // so many that the last kill still meets some
	var lines strings.Builder
	for i := range cases {
		fmt.Fprintf(&lines, "{\"id\": \"c%04d\"}\n", i)
	}
	call := benchFolder(t, map[string]string{
		"b.scenario.hcl": `bench "b" {
  cases = ["cases.jsonl"]
  sut { command = ["sh", "./agent.sh", case.id] }
}`,
		"cases.jsonl": lines.String(),
		"agent.sh":    "echo $1 >> \"$RAN\"\necho '{}'\n",
	})
	ran := filepath.Join(t.TempDir(), "ran")
	t.Setenv("RAN", ran)
	state := t.TempDir()
	finished := map[string]bool{}
	random, met := rand.New(rand.NewPCG(1, 1)), 0
	for n := 0; ; n++ {
		_ = os.Remove(ran)
		ctx, cancel := context.WithCancel(context.Background())
		if n < kills {
			go killAfter(ctx, cancel, state, time.Duration(random.IntN(15_000))*time.Microsecond)
		}
		stdout, code := call(ctx, "bench", "--json", "--resume", "--state", state)
		cancel()
		asked, _ := os.ReadFile(ran)
		for _, id := range strings.Fields(string(asked)) {
			if finished[id] {
				t.Fatalf("call %d ran %s again, which had finished", n, id)
			}
		}
		again := logged(t, state)
		for id := range finished {
			if !again[id] {
				t.Fatalf("call %d lost %s", n, id)
			}
		}
		if n < kills && len(again) > len(finished) && len(again) < cases {
			met++
		}
		finished = again
		if n == kills {
			if met < kills/2 {
				t.Errorf("%d of %d kills met a run with something done and something left", met, kills)
			}
			if got, complete := cased(t, stdout); code != 0 || !complete || len(got) != cases || len(finished) != cases {
				t.Fatalf("at the end: code %d, complete %t, %d cases, %d in the log", code, complete, len(got), len(finished))
			}
			return
		}
	}
}

// killAfter kills a call some time after it has added to its log.
func killAfter(ctx context.Context, kill func(), state string, after time.Duration) {
	size := func() (n int64) {
		logs, _ := filepath.Glob(filepath.Join(state, "bench", "*.jsonl"))
		for _, path := range logs {
			if info, err := os.Stat(path); err == nil {
				n += info.Size()
			}
		}
		return n
	}
	for before := size(); size() == before && ctx.Err() == nil; {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(after)
	kill()
}

// logged are the cases in the only log, each of which must be there once.
func logged(t *testing.T, state string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	logs, _ := filepath.Glob(filepath.Join(state, "bench", "*.jsonl"))
	for _, path := range logs {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := bench.ReadLog(bytes.NewReader(text), func(r bench.Record) {
			if found[r.Case] {
				t.Errorf("%s is in the log twice", r.Case)
			}
			found[r.Case] = true
		}); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// CG8, CG9: whatever a rubric does, its case ends as a typed failure within the
// limit, the others are scored, and no process is left.
func TestHostileRubricsEndAsTheirFailures(t *testing.T) {
	rubrics := map[string]struct{ script, want string }{
		"forks":            {`sleep 300 & echo $! >> "$PIDS"; echo $$ >> "$PIDS"; sleep 300`, bench.RubricTimeout},
		"forks and scores": {`sleep 300 & echo $! >> "$PIDS"; echo '{"passed": true, "score": 1}'`, ""},
		"floods":           {`echo $$ >> "$PIDS"; yes`, bench.RubricMalformed},
		"gigabyte":         {`echo $$ >> "$PIDS"; head -c 1000000000 /dev/zero`, bench.RubricMalformed},
		"ignores SIGTERM":  {`trap '' TERM INT; echo $$ >> "$PIDS"; while :; do sleep 1; done`, bench.RubricTimeout},
		"NaN":              {`echo '{"passed": true, "score": NaN}'`, bench.RubricMalformed},
		"deep":             {`head -c 500000 /dev/zero | tr '\0' '['`, bench.RubricMalformed},
		"never reads":      {`exec 0<&-; echo '{"passed": true, "score": 1}'`, ""},
		"sleeps":           {`echo $$ >> "$PIDS"; sleep 300`, bench.RubricTimeout},
		"dies":             {`kill -9 $$`, bench.RubricMalformed},
		"silent":           {`true`, bench.RubricMalformed},
		"lies":             {`echo '{"passed": true, "score": 1, "failure_modes": [{"code": "sut.timeout"}]}'`, bench.UnknownFailureMode},
		"boasts":           {`echo '{"passed": true, "score": 1, "breakdown": {"llm_confidence": 1}}'`, bench.UnknownBreakdownKey},
		"reads":            {`cat > /dev/null; test "$(ls -A | wc -l)" -eq 0 && test -z "$HOME" && echo '{"passed": true, "score": 1}'`, ""},
	}
	files := map[string]string{"agent.sh": "cat\nhead -c 300000 /dev/zero | tr '\\0' ' '\n"}
	var ids []string
	for id, r := range rubrics {
		name := strings.ReplaceAll(id, " ", "_") + ".sh"
		files[name] = r.script + "\n"
		ids = append(ids, fmt.Sprintf("{ id = %q, script = %q }", id, "./"+name))
	}
	pids := filepath.Join(t.TempDir(), "pids")
	files["b.scenario.hcl"] = `bench "b" {
  rubric_timeout = "1s"
  concurrency    = 6
  cases          = [` + strings.Join(ids, ", ") + `]
  sut { command = ["sh", "./agent.sh"] }
  rubric {
    command = ["sh", case.input.script]
    env     = { PIDS = "` + pids + `" }
  }
}`
	call := benchFolder(t, files)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	stdout, _ := call(ctx, "bench", "--json")
	got, complete := cased(t, stdout)
	if !complete || len(got) != len(rubrics) {
		t.Fatalf("complete %t, %d cases", complete, len(got))
	}
	for id, r := range rubrics {
		if got[id] != r.want {
			t.Errorf("%s: %q, want %q", id, got[id], r.want)
		}
	}
	text, _ := os.ReadFile(pids)
	for _, pid := range strings.Fields(string(text)) {
		left := func() bool {
			stat, err := os.ReadFile("/proc/" + pid + "/stat")
			_, state, _ := strings.Cut(string(stat), ") ")
			return err == nil && !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
		}
		for n := 0; left(); n++ {
			if n == 500 {
				t.Fatalf("process %s is left", pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// CG3: an interrupt ends the programs that run and the command with 130, what
// had finished is reported, and the report says that it is not whole.
func TestInterruptedBenchReportsWhatThereIs(t *testing.T) {
	call := benchFolder(t, map[string]string{"b.scenario.hcl": `bench "b" {
  cases       = [{ id = "a" }, { id = "b" }, { id = "c" }]
  concurrency = 1
  sut { command = ["sh", "-c", case.id == "b" ? "kill -INT $PPID; sleep 300" : "echo {}"] }
}`})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	stdout, code := call(ctx, "bench", "--json")
	got, complete := cased(t, stdout)
	if code != 130 || complete || len(got) != 3 || got["b"] != "" || !strings.Contains(stdout, `"partial_reason":"cancelled"`) {
		t.Errorf("code %d: %s", code, stdout)
	}
}
