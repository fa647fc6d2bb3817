package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"gopkg.in/yaml.v3"
)

var fenced = regexp.MustCompile("(?s)```(sh|yaml)\n(.*?)```")

// recipe are the blocks of a section of the page about workers.
func recipe(t *testing.T, section string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(source, "..", "docs", "scale.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "# "+section+"\n")
	if !found {
		t.Fatalf("the page has no section %q", section)
	}
	if end := regexp.MustCompile(`(?m)^#`).FindStringIndex(rest); end != nil {
		rest = rest[:end[0]]
	}
	for _, m := range fenced.FindAllStringSubmatch(rest, -1) {
		blocks = append(blocks, m[2])
	}
	if len(blocks) == 0 {
		t.Fatalf("the section %q has no blocks", section)
	}
	return blocks
}

// A kitchen is where recipes are run: a directory with a bench, a queue, and a PATH with
// the command.
type kitchen struct {
	t *testing.T
	guarded
	dir string
	env []string
}

// cooking prepares one. Each command gets the address of the local queue in the place
// of the one on the page.
func cooking(t *testing.T) *kitchen {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	files := map[string]string{}
	for name, text := range benchWith("", `echo '{"n": 1}'`) {
		files["bench/"+name] = text
	}
	k := &kitchen{t: t, guarded: secured(t), dir: folder(t, files)}
	bin := t.TempDir()
	wrapper := fmt.Sprintf("#!/bin/sh\nBE_SCENARIO_DIST=1 exec %q \"$@\"\n", os.Args[0])
	if err := os.WriteFile(filepath.Join(bin, "scenario-dist"), []byte(wrapper), 0o755); err != nil {
		t.Fatal(err)
	}
	k.env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "SCENARIO_QUEUE_CA="+k.ca)
	return k
}

// local has a text name the queue that there is.
func (k *kitchen) local(text string) string {
	return strings.NewReplacer("tls://queue.example:4222", k.url, "/etc/queue/queue.creds", k.creds).Replace(text)
}

// command is a script in a directory.
func (k *kitchen) command(dir, script string, env ...string) *exec.Cmd {
	c := exec.Command("bash", "-eo", "pipefail", "-c", k.local(script))
	c.Dir, c.Env, c.Stderr = dir, append(k.env[:len(k.env):len(k.env)], env...), &output{}
	return c
}

// run runs a script to its end.
func (k *kitchen) run(dir, script string, env ...string) string {
	k.t.Helper()
	c := k.command(dir, script, env...)
	out, err := c.Output()
	if err != nil {
		k.t.Fatalf("%s\n%s\n%s%s", err, script, out, c.Stderr)
	}
	return string(out)
}

// Shows that what the page says of one machine works.
func TestRecipeOfOneMachine(t *testing.T) {
	k := cooking(t)
	for _, script := range recipe(t, "One machine") {
		k.run(k.dir, script)
	}
	if text, err := os.ReadFile(filepath.Join(k.dir, "report.html")); err != nil || !strings.Contains(string(text), "<html") {
		t.Errorf("there is no report: %v", err)
	}
}

// Shows the same of three machines, which are three processes with directories of their
// own.
func TestRecipeOfSeveralMachines(t *testing.T) {
	k := cooking(t)
	blocks := recipe(t, "Several machines")
	if len(blocks) != 3 {
		t.Fatalf("the section has %d blocks", len(blocks))
	}
	settings, work, submit := strings.ReplaceAll(blocks[0], "queue.creds", k.creds), blocks[1], blocks[2]
	for range 2 {
		c := k.command(t.TempDir(), settings+"exec "+work)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { kill(c) })
	}
	out := k.run(k.dir, settings+submit)
	text, err := os.ReadFile(filepath.Join(k.dir, "all.jsonl"))
	if err != nil || strings.Count(string(text), "\n") < 2 || !strings.Contains(out, "6 of 6 done") {
		t.Errorf("%v\n%s\n%s", err, out, text)
	}
}

// Shows the same of the Kubernetes job, each pod of which is a process.
func TestRecipeOfKubernetes(t *testing.T) {
	k := cooking(t)
	var job struct {
		Kind string
		Spec struct {
			Parallelism int
			Template    struct {
				Spec struct {
					RestartPolicy string `yaml:"restartPolicy"`
					Containers    []struct {
						Image   string
						Command []string
						Env     []struct{ Name, Value string }
						Mounts  []struct {
							Name string
							Path string `yaml:"mountPath"`
						} `yaml:"volumeMounts"`
					}
					Volumes []struct {
						Name   string
						Secret struct {
							Name string `yaml:"secretName"`
						}
					}
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(recipe(t, "A Kubernetes job")[0]), &job); err != nil {
		t.Fatal(err)
	}
	pod := job.Spec.Template.Spec
	if job.Kind != "Job" || job.Spec.Parallelism < 2 || len(pod.Containers) != 1 || pod.RestartPolicy == "" {
		t.Fatalf("it is no such job: %+v", job)
	}
	c := pod.Containers[0]
	if len(c.Mounts) != 1 || len(pod.Volumes) != 1 || c.Mounts[0].Name != pod.Volumes[0].Name || pod.Volumes[0].Secret.Name == "" {
		t.Fatalf("the credentials are not mounted: %+v", pod)
	}
	var env []string
	for _, e := range c.Env {
		env = append(env, e.Name+"="+k.local(e.Value))
	}
	if !strings.Contains(fmt.Sprint(c.Env), c.Mounts[0].Path+"/") {
		t.Errorf("no variable names a file below %s", c.Mounts[0].Path)
	}
	old := strings.TrimSpace(k.run(k.dir, "scenario-dist submit --detach ./bench", env...))
	k.run(k.dir, "scenario-dist worker --only "+old+" --until-done", env...)
	id := strings.TrimSpace(k.run(k.dir, "scenario-dist submit --detach ./bench", env...))
	var pods sync.WaitGroup
	for range job.Spec.Parallelism {
		pods.Go(func() {
			p := k.command(k.dir, `exec "$@"`, env...)
			p.Args = append(p.Args, "sh")
			for _, arg := range c.Command {
				p.Args = append(p.Args, strings.ReplaceAll(arg, "RUN", id))
			}
			if err := p.Run(); err != nil {
				t.Errorf("a pod ends with %v: %s", err, p.Stderr)
			}
		})
	}
	pods.Wait()
	if out := k.run(k.dir, "scenario-dist collect "+id, env...); !strings.Contains(out, "6") {
		t.Error(out)
	}
}

// An action is one job of a workflow of GitHub.
type action struct {
	Needs    string
	Outputs  map[string]string
	Strategy struct{ Matrix map[string][]string }
	Steps    []struct {
		ID, Uses, Run string
		Env           map[string]string
	}
}

// Shows the same of the workflow of GitHub, the steps of which are run in an empty
// directory for each job.
func TestRecipeOfGitHub(t *testing.T) {
	k := cooking(t)
	var workflow struct {
		Env  map[string]string
		Jobs map[string]action
	}
	if err := yaml.Unmarshal([]byte(recipe(t, "A GitHub matrix")[0]), &workflow); err != nil {
		t.Fatal(err)
	}
	creds, err := os.ReadFile(k.creds)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{"secrets.QUEUE_CREDS": string(creds)}
	expression := regexp.MustCompile(`\$\{\{ *([a-zA-Z0-9_.-]+) *\}\}`)
	filled := func(text string) string {
		return expression.ReplaceAllStringFunc(text, func(s string) string {
			value, ok := known[expression.FindStringSubmatch(s)[1]]
			if !ok {
				t.Errorf("nothing says what %s is", s)
			}
			return value
		})
	}
	play := func(a action) (outputs map[string]string, dir string) {
		dir = t.TempDir()
		outputs = map[string]string{}
		for _, s := range a.Steps {
			if strings.HasPrefix(s.Uses, "actions/checkout@") {
				if err := os.CopyFS(dir, os.DirFS(k.dir)); err != nil {
					t.Error(err)
				}
				continue
			}
			out := filepath.Join(dir, "output")
			env := []string{"GITHUB_OUTPUT=" + out}
			for name, value := range workflow.Env {
				env = append(env, name+"="+k.local(value))
			}
			for name, value := range s.Env {
				env = append(env, name+"="+filled(value))
			}
			c := k.command(dir, filled(s.Run), env...)
			if text, err := c.Output(); err != nil {
				t.Errorf("%v\n%s\n%s%s", err, s.Run, text, c.Stderr)
			}
			text, _ := os.ReadFile(out)
			for line := range strings.Lines(string(text)) {
				name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
				outputs["steps."+s.ID+".outputs."+name] = value
			}
			_ = os.Remove(out)
		}
		return outputs, dir
	}
	steps, _ := play(workflow.Jobs["submit"])
	for _, s := range workflow.Jobs["submit"].Steps { // a green step that submitted nothing would have workers wait
		if s.ID != "submit" {
			continue
		}
		c := k.command(t.TempDir(), s.Run, "GITHUB_OUTPUT="+filepath.Join(t.TempDir(), "output"))
		if text, err := c.Output(); err == nil {
			t.Errorf("the step passes where submit fails: %s%s", text, c.Stderr)
		}
	}
	for name, value := range workflow.Jobs["submit"].Outputs {
		known["needs.submit.outputs."+name] = steps[expression.FindStringSubmatch(value)[1]]
	}
	var jobs sync.WaitGroup
	work := workflow.Jobs["work"]
	if work.Needs != "submit" || workflow.Jobs["report"].Needs != "submit" || len(work.Strategy.Matrix["worker"]) < 2 {
		t.Fatalf("the jobs are in no order: %+v", workflow.Jobs)
	}
	for range work.Strategy.Matrix["worker"] {
		jobs.Go(func() { play(work) })
	}
	_, dir := play(workflow.Jobs["report"])
	jobs.Wait()
	if text, err := os.ReadFile(filepath.Join(dir, "report.xml")); err != nil || !strings.Contains(string(text), "<testsuite") {
		t.Errorf("there is no report: %v", err)
	}
}
