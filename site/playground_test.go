package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/site/internal/build"
	"github.com/scenario-lang/scenario/site/internal/chrome"
	"github.com/scenario-lang/scenario/site/internal/play"
)

// command builds `scenario`.
func command(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "scenario")
	cmd := exec.Command("go", "build", "-o", bin, "./cmd/scenario")
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// said is what the command prints about a file, and its exit code.
func said(t *testing.T, bin, name, text string) (stdout, stderr string, code int) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "test", name)
	cmd.Dir, cmd.Env = dir, []string{"LANG=C.UTF-8"}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the code says how it ended
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// broken are examples made red, so that failures and messages are compared, too.
func broken(e build.Example) build.Example {
	e.Text = strings.Replace(e.Text, "condition", "conditoin", 1)
	return e
}

func cases(t *testing.T) []build.Example {
	t.Helper()
	examples, err := build.Examples("..")
	if err != nil {
		t.Fatal(err)
	}
	red, err := os.ReadFile("../cmd/scenario/starters/2-mistake.scenario.hcl")
	if err != nil {
		t.Fatal(err)
	}
	return append(examples, build.Example{Name: "2-mistake.scenario.hcl", Text: string(red)}, broken(examples[0]),
		build.Example{Name: "empty.scenario.hcl"}, build.Example{Name: "syntax.scenario.hcl", Text: "scenario \"s\" {\n"})
}

// compare holds an answer against the command.
func compare(t *testing.T, bin string, e build.Example, a play.Answer) {
	t.Helper()
	stdout, stderr, code := said(t, bin, e.Name, e.Text)
	if a.Code != code || a.Text != stdout {
		t.Errorf("%s: code %d, and the command's is %d\n%s\nand the command says\n%s", e.Name, a.Code, code, a.Text, stdout)
	}
	if code == 3 && a.Messages != stderr {
		t.Errorf("%s:\n%s\nand the command says\n%s", e.Name, a.Messages, stderr)
	}
}

// Shows that the playground says of the cookbook, and of files that fail or are wrong,
// what the command says.
func TestAnswersAreTheCommands(t *testing.T) {
	bin := command(t)
	for _, e := range cases(t) {
		compare(t, bin, e, play.Run(map[string]string{e.Name: e.Text}, e.Name))
	}
}

// loadMax is how much the engine may take to load. What compresses it makes half a percent more
// or less of a few lines.
const loadMax = 5_100_000

// Shows that the page in a browser gives the same answers, that the editor has the
// language server's diagnostics and completion, that a run can be stopped, that a link
// holds the file, and that after loading nothing is asked for any more.
func TestPlayground(t *testing.T) {
	if testing.Short() {
		t.Skip("builds WebAssembly and runs it in a browser")
	}
	b := chrome.Start(t)
	dir := os.Getenv("SCENARIO_SITE") // one that is built already
	if dir == "" {
		dir = filepath.Join(t.TempDir(), "site")
		if err := (&build.Site{Root: "..", Out: dir, Engine: true, Log: io.Discard}).Write(); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(build.EngineName))); err != nil || info.Size() > loadMax {
		t.Errorf("%v: the engine has %d bytes, and %d at most", err, info.Size(), loadMax)
	}
	srv := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer srv.Close()
	b.Look(1280, 800, "light")
	before := b.CPU()
	b.Open(srv.URL + "/playground/index.html")
	b.Until(`window.scenarioAnswer`)
	first := b.CPU() - before
	t.Logf("to the first result: %.2f s of CPU", first)
	atMost(t, first, firstMax)
	b.Until(`!document.getElementById("format").disabled`)
	for _, asked := range b.Requests() {
		if !strings.HasPrefix(asked, srv.URL+"/") && !strings.HasPrefix(asked, "blob:"+srv.URL) && !strings.HasPrefix(asked, "data:") && asked != "about:srcdoc" {
			t.Errorf("the page asks for %s", asked)
		}
	}
	loaded := len(b.Requests())
	srv.Close() // from here on it is offline

	bin := command(t)
	for _, e := range cases(t) {
		a := answer(b, e.Name, e.Text)
		compare(t, bin, e, a)
		if native := play.Run(map[string]string{e.Name: e.Text}, e.Name); a.HTML != native.HTML || a.SVG != native.SVG || a.Verbose != native.Verbose {
			t.Errorf("%s: its reports are not those of the command", e.Name)
		}
	}
	t.Run("cost", func(t *testing.T) { costs(t, b) })
	t.Run("pictures", func(t *testing.T) { pictures(t, b) })
	t.Run("editor", func(t *testing.T) { editor(t, b) })
	t.Run("stop", func(t *testing.T) { stops(t, b) })
	t.Run("link", func(t *testing.T) { links(t, b) })
	for _, asked := range b.Requests()[loaded:] {
		if strings.HasPrefix(asked, "http") {
			t.Errorf("after loading it asks for %s", asked)
		}
	}
	if errs := b.Errors(); len(errs) > 0 {
		t.Errorf("the page has errors: %s", errs)
	}
}

// answer runs a text in the page, under a name of an example, and reads what came of
// it.
func answer(b *chrome.Browser, name, text string) (a play.Answer) {
	b.Eval(fmt.Sprintf(`(() => { delete window.scenarioAnswer; window.scenarioPlay(%q, %s); })()`, name, quoted(text)), nil)
	b.Until(`window.scenarioAnswer`)
	b.Eval(`window.scenarioAnswer`, &a)
	return a
}

// The goals, in seconds of CPU. They are figures of a machine and no property of the
// page: a test tells what it took, and `make site-cost` fails where it is more.
const (
	firstMax = 1.5
	warmMax  = 0.050
)

// atMost holds seconds against a goal where SCENARIO_SITE_COST asks for it.
func atMost(t *testing.T, took, goal float64) {
	t.Helper()
	if os.Getenv("SCENARIO_SITE_COST") != "" && took > goal {
		t.Errorf("that is %.2f s, and the goal is %.2f s", took, goal)
	}
}

// three is a file of three scenarios.
func three(t *testing.T) string {
	text, err := os.ReadFile("../cmd/scenario/starters/1-hello.scenario.hcl")
	if err != nil {
		t.Fatal(err)
	}
	head, scenario, _ := strings.Cut(string(text), "scenario \"two")
	scenario = "scenario \"two" + scenario
	return head + scenario + strings.Replace(scenario, "two server", "2 server", 1) + strings.Replace(scenario, "two server", "both server", 1)
}

func costs(t *testing.T, b *chrome.Browser) {
	text, name := three(t), "three.scenario.hcl"
	for range 5 {
		answer(b, name, text)
	}
	var took float64
	b.Eval(fmt.Sprintf(`window.scenarioCost(%q, %s, 20)`, name, quoted(text)), &took)
	t.Logf("three scenarios, warm: %.1f ms", took)
	atMost(t, took/1000, warmMax)
}

// pictures are written where SCENARIO_PICTURES says, for eyes.
func pictures(t *testing.T, b *chrome.Browser) {
	dir := os.Getenv("SCENARIO_PICTURES")
	red, err := os.ReadFile("../cmd/scenario/starters/2-mistake.scenario.hcl")
	if err != nil {
		t.Fatal(err)
	}
	answer(b, "2-mistake.scenario.hcl", string(red))
	b.Until(`document.querySelector("#shown .t-string, #shown .t-enumMember")`)
	for _, width := range []int{360, 1280} {
		for _, theme := range []string{"light", "dark"} {
			b.Look(width, 800, theme)
			var wide bool
			b.Eval(`document.documentElement.scrollWidth > innerWidth`, &wide)
			if wide {
				t.Errorf("at %d pixels the page has to be scrolled sideways", width)
			}
			for _, tab := range []string{"text", "svg", "html"} {
				b.Eval(fmt.Sprintf(`document.getElementById("tab-%s").click()`, tab), nil)
				if dir == "" {
					continue
				}
				b.Eval(fmt.Sprintf(`(scrollTo(0, %t ? document.body.scrollHeight : 0), new Promise((r) => setTimeout(r, 200)))`, tab != "text"), nil)
				b.Picture(filepath.Join(dir, fmt.Sprintf("%d-%s-%s.png", width, theme, tab)))
			}
		}
	}
	b.Look(1280, 800, "light")
}

func editor(t *testing.T, b *chrome.Browser) {
	answer(b, "e.scenario.hcl", "provider \"openai\" \"p\" { modle = \"m\" }\n")
	b.Until(`document.querySelector("#problems button")?.textContent.includes("modle")`)
	b.Until(`document.querySelector("#shown .squiggle")?.textContent === "modle"`)
	b.Until(`document.querySelector("#shown .t-string, #shown .t-enumMember")`)
	// Typed as by a person: a new block, completed by keys alone.
	answer(b, "f.scenario.hcl", "retry \"exponential\" \"std\" {\n  \n}\n")
	b.Eval(`(() => { const s = document.getElementById("source"); s.focus(); s.setSelectionRange(29, 29); })()`, nil)
	b.Call("Input.insertText", map[string]any{"text": "max_"}, nil)
	b.Press(" ", "Space", 32, 2)
	b.Until(`!document.getElementById("choices").hidden`)
	var offered string
	b.Eval(`document.getElementById("choices").innerText`, &offered)
	if !strings.Contains(offered, "max_retries") {
		t.Errorf("it offers %q", offered)
	}
	var active bool
	b.Eval(`document.getElementById(document.getElementById("source").getAttribute("aria-activedescendant"))?.getAttribute("aria-selected") === "true"`, &active)
	if !active {
		t.Error("a screen reader is not told which completion is chosen")
	}
	b.Press("Enter", "Enter", 13, 0)
	var text string
	b.Eval(`document.getElementById("source").value`, &text)
	if !strings.Contains(text, "max_") || strings.Contains(text, "max_max_") || !strings.Contains(text, " = ") && !strings.Contains(text, "max_retries") && !strings.Contains(text, "max_delay") {
		t.Errorf("completed to %q", text)
	}
	// Every control has a name that a screen reader says.
	var nameless []string
	b.Eval(`[...document.querySelectorAll("button, select, textarea, iframe, img, [role=tabpanel], [role=listbox]")]
		.filter((e) => !(e.textContent.trim() || e.title || e.alt || e.getAttribute("aria-label") || e.getAttribute("aria-labelledby") || e.labels?.length)).map((e) => e.outerHTML)`, &nameless)
	if len(nameless) > 0 {
		t.Errorf("without a name: %s", nameless)
	}
	// The tabs by the arrow keys.
	b.Eval(`document.getElementById("tab-text").focus()`, nil)
	b.Press("ArrowRight", "ArrowRight", 39, 0)
	var shown bool
	b.Eval(`!document.getElementById("panel-svg").hidden && document.activeElement.id === "tab-svg"`, &shown)
	if !shown {
		t.Error("the arrow keys do not change the tab")
	}
}

// endless takes minutes: a thousand instances of a thousand attempts.
const endless = `
provider "openai" "p" { model = "m" }
retry "linear" "std" {
  delay       = "1s"
  max_retries = 1000
}
workflow "w" {
  provider = provider.p
  step "llm" "a" {
    prompt = "x"
    retry  = retry.std
  }
}
scenario "s" {
  for_each = toset([for i in range(1000) : tostring(i)])
  run      = workflow.w
  on "a" {
    fault "http_error" {
      status_code = 500
      times       = 1001
    }
  }
  expect "a" { status = "success" }
}
`

func stops(t *testing.T, b *chrome.Browser) {
	b.Eval(fmt.Sprintf(`window.scenarioPlay("endless.scenario.hcl", %s)`, quoted(endless)), nil)
	b.Until(`!document.getElementById("stop").disabled`)
	b.Eval(`document.getElementById("stop").click()`, nil)
	b.Until(`document.getElementById("status").textContent === "Stopped."`)
	if a := answer(b, "again.scenario.hcl", "locals { x = 1 }\n"); a.Code != 5 {
		t.Errorf("after a stop it answers with code %d", a.Code)
	}
}

func links(t *testing.T, b *chrome.Browser) {
	const text = "locals { x = \"ä 日本\" }\n"
	answer(b, "link.scenario.hcl", text)
	b.Eval(`document.getElementById("share").click()`, nil)
	b.Until(`location.hash.startsWith("#code=")`)
	var hash, got string
	b.Eval(`location.hash`, &hash)
	answer(b, "other.scenario.hcl", "locals {}\n")
	b.Eval(`(() => { delete window.scenarioAnswer; location.hash = ""; location.hash = `+quoted(hash)+`; })()`, nil)
	b.Until(`document.getElementById("source").value.includes("日本")`)
	b.Eval(`document.getElementById("source").value`, &got)
	if got != text {
		t.Errorf("the link gave %q", got)
	}
	for _, bad := range []string{"#code=!!", "#code=AAAA", "#code="} {
		b.Eval(`(() => { location.hash = `+quoted(bad)+`; })()`, nil)
		b.Until(`document.getElementById("source").value.length > 0`)
	}
}

// quoted is a text as a literal of JavaScript.
func quoted(s string) string {
	return `decodeURIComponent("` + strings.ReplaceAll(url.QueryEscape(s), "+", "%20") + `")`
}
