//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"gopkg.in/yaml.v3"
)

// parsed reads a YAML file of the repository.
func parsed[T any](t *testing.T, name string) (v T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// command is a directory with `scenario` in it, which is built once for all tests, as a
// release is, so that it takes what that compiled.
func command(t *testing.T) string {
	t.Helper()
	dir, err := linked()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var linked = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "packaging")
	if err != nil {
		return "", err
	}
	made = dir
	build := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(dir, "scenario"), "./cmd/scenario")
	build.Dir, build.Env, build.Stderr = "..", append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	return dir, build.Run()
})

// made is the directory of the command, "" where no test needed it.
var made string

func TestMain(m *testing.M) {
	code := m.Run()
	if made != "" {
		os.RemoveAll(made)
	}
	os.Exit(code)
}

// project is a directory with the starters of `scenario init`, or with one of them.
func project(t *testing.T, bin string, red bool) string {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, 0, nil, filepath.Join(bin, "scenario"), "init", ".")
	if !red {
		if err := os.Remove(filepath.Join(dir, "2-mistake.scenario.hcl")); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var expression = regexp.MustCompile(`\$\{\{ *([a-z._-]+) *\}\}`)

// Shows that the steps of action.yml that are shell do what they should in a runner's
// environment: one builds the command and adds it to the path, the next one runs it
// with the words of args, which are never code, and its exit code is the step's.
func TestAction(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command")
	}
	action := parsed[struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Using string
			Steps []struct {
				Uses, Shell, Run string
				WorkingDirectory string `yaml:"working-directory"`
				Env              map[string]string
			}
		}
	}](t, "action.yml")
	if action.Runs.Using != "composite" || action.Inputs["args"].Default != "test" {
		t.Fatalf("%+v", action)
	}
	bin := command(t)
	for _, c := range []struct {
		args string
		red  bool
		code int
	}{
		{"test", false, 0},
		{"test --report json=out.json", true, 1},
		{"test; touch broken $(touch broken) `touch broken`", false, 2},
	} {
		dir, temp := project(t, bin, c.red), t.TempDir()
		here, err := filepath.Abs("..")
		if err != nil {
			t.Fatal(err)
		}
		context := map[string]string{"github.action_path": here, "inputs.args": c.args, "inputs.working-directory": "."}
		value := func(text string) string {
			return expression.ReplaceAllStringFunc(text, func(e string) string {
				name := expression.FindStringSubmatch(e)[1]
				v, ok := context[name]
				if !ok {
					t.Fatalf("action.yml reads %s", name)
				}
				return v
			})
		}
		added := filepath.Join(temp, "path")
		path, last := os.Getenv("PATH"), 0
		for _, s := range action.Runs.Steps {
			if s.Run == "" {
				continue // an action of GitHub's own
			}
			if s.Shell != "bash" {
				t.Errorf("a step has the shell %q", s.Shell)
			}
			cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", value(s.Run))
			cmd.Dir = filepath.Join(dir, value(s.WorkingDirectory))
			cmd.Env = append(os.Environ(), "RUNNER_TEMP="+temp, "GITHUB_PATH="+added, "PATH="+path)
			for name, v := range s.Env {
				cmd.Env = append(cmd.Env, name+"="+value(v))
			}
			out, err := cmd.CombinedOutput()
			last = cmd.ProcessState.ExitCode()
			if text, _ := os.ReadFile(added); err == nil && len(text) > 0 {
				path = strings.TrimSpace(string(text)) + string(os.PathListSeparator) + os.Getenv("PATH")
			}
			t.Logf("%s", out)
		}
		if last != c.code {
			t.Errorf("%q: exit code %d, want %d", c.args, last, c.code)
		}
		if _, err := os.Stat(filepath.Join(dir, "broken")); err == nil {
			t.Errorf("%q was run as code", c.args)
		}
	}
}

// Shows that the hooks of .pre-commit-hooks.yaml do what they should, called as
// pre-commit calls them: with the names of changed files behind the words of entry.
func TestPreCommitHooks(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command")
	}
	hooks := parsed[[]struct{ ID, Entry, Files, Language string }](t, ".pre-commit-hooks.yaml")
	bin := command(t)
	for _, h := range hooks {
		if files := regexp.MustCompile(h.Files); h.Language != "golang" || !files.MatchString("a/b.scenario.hcl") || files.MatchString("main.tf") {
			t.Errorf("%+v", h)
		}
		dir := project(t, bin, true)
		words := strings.Fields(h.Entry)
		call := append([]string{filepath.Join(bin, words[0])}, words[1:]...)
		run(t, dir, 0, nil, append(call, "1-hello.scenario.hcl")...)
		bad := map[string]string{"scenario-fmt": "locals {\n", "scenario-validate": "locals { x = y }\n", "scenario-test": ""}[h.ID]
		code := map[string]int{"scenario-fmt": 3, "scenario-validate": 3, "scenario-test": 1}[h.ID]
		if bad != "" {
			if err := os.WriteFile(filepath.Join(dir, "2-mistake.scenario.hcl"), []byte(bad), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		run(t, dir, code, nil, append(call, "2-mistake.scenario.hcl")...)
	}
}

// Shows that the job of the GitLab template, as far as it is shell, runs scenarios and
// writes the report that it names. Cloning and its image are not shown here.
func TestGitLabTemplate(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command")
	}
	jobs := parsed[map[string]struct {
		Image        string
		Variables    map[string]string
		BeforeScript []string `yaml:"before_script"`
		Script       []string
		Artifacts    struct{ Reports struct{ Junit string } }
	}](t, "packaging/gitlab/scenario.gitlab-ci.yml")
	job := jobs[".scenario"]
	if len(job.BeforeScript) == 0 || len(job.Script) == 0 {
		t.Fatalf("%+v", jobs)
	}
	for _, line := range job.BeforeScript {
		run(t, ".", 0, nil, "bash", "-n", "-c", line)
	}
	bin := command(t)
	dir := project(t, bin, false)
	env := []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}
	for name, value := range job.Variables {
		env = append(env, name+"="+value)
	}
	run(t, dir, 0, env, "bash", "-eo", "pipefail", "-c", strings.Join(job.Script, "\n"))
	if _, err := os.Stat(filepath.Join(dir, job.Artifacts.Reports.Junit)); err != nil {
		t.Error(err)
	}
}
