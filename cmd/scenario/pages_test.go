package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/pages"
)

// pagePrograms are those that the examples of a page start, beside our own.
var pagePrograms = map[string][]string{
	"programs.md":          {"python3"},
	"what-is-tested.md":    {"python3"},
	"any-language.md":      {"curl"},
	"agents.md":            {"curl"},
	"from-aimock.md":       {"curl"},
	"from-nock-msw.md":     {"node"},
	"from-vcrpy.md":        {"python3"},
	"from-wiremock.md":     {"curl"},
	"tutorial-programs.md": {"python3", "node", "curl"},
}

const repository = "../.."

// Every block of the documentation is true: files are written to an empty
// folder, commands are run there and print what the page says, and what is not
// run at least names commands and flags that exist. With UPDATE_PAGES the
// pages are rewritten to what is printed.
func TestPages(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(repository, "docs", "*.md"))
	if err != nil || len(paths) < 10 {
		t.Fatal(len(paths), err)
	}
	bin := commandDir(t)
	for _, path := range append(paths, filepath.Join(repository, "README.md"), filepath.Join(repository, "CONTRIBUTING.md")) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			blocks, err := pages.Blocks(string(source))
			if err != nil {
				t.Fatal(err)
			}
			for _, program := range pagePrograms[filepath.Base(path)] {
				if _, err := exec.LookPath(program); err != nil {
					t.Skip("the page starts a program that is not here: ", err)
				}
			}
			p := &pageFolder{dir: t.TempDir(), bin: bin}
			defer p.close()
			page := string(source)
			for _, b := range blocks {
				if err := p.check(b); err != nil {
					t.Errorf("%s:%d: %v", filepath.Base(path), b.Line, err)
				}
				at := len(page) - len(source) + b.Offset
				page = page[:at] + firstOf(p.printed, b.Text) + page[at+len(b.Text):]
			}
			if page != string(source) && os.Getenv("UPDATE_PAGES") != "" {
				if err := os.WriteFile(path, []byte(page), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// commandDir is a directory with the command, which the test binary stands
// for.
func commandDir(t *testing.T) string {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(exe, filepath.Join(dir, "scenario")); err != nil {
		t.Skipf("the pages are run through a link, and none can be made here: %v", err)
	}
	return dir
}

// A pageFolder is the folder in which the examples of one page live.
type pageFolder struct {
	dir, bin string
	env      []string // where the services are that the page has named
	closers  []func()
	exit     int    // of the last command
	real     bool   // a program was started, whose times are real
	printed  string // what a false console block should be
}

func (p *pageFolder) check(b pages.Block) error {
	p.printed = ""
	switch b.Directive {
	case "file":
		return p.write(b.Argument, b.Text)
	case "patch":
		return p.patch(b)
	case "part":
		return p.part(b)
	case "output":
		return p.output(b)
	case "service":
		return p.serve(b.Argument)
	case "go":
		return p.goModule(b)
	case "folder":
		return os.CopyFS(filepath.Join(p.dir, b.Argument), os.DirFS(filepath.Join(repository, b.Argument)))
	case "image":
		return p.image(b.Argument)
	case "not run":
		return nil
	}
	switch b.Language {
	case "console":
		return p.console(b)
	case "sh":
		return commandsExist(b.Text)
	case "hcl":
		return p.valid(b)
	case "": // a drawing
		return nil
	}
	return fmt.Errorf("a block of %q needs a comment that says what it is: file, part, output or not run", b.Language)
}

// pageServices are the stand-ins that a page can name, by what they say to a
// prompt.
var pageServices = map[string]map[string]string{
	"openai": {
		"Classify: why is the sky blue?":                    "physics",
		"Answer this physics: why is the sky blue?":         "Because air scatters blue light more than red.",
		"Answer this physics briefly: why is the sky blue?": "Air scatters blue light.",
	},
	// The same service some months later.
	"openai-later": {
		"Classify: why is the sky blue?":                    "physics",
		"Answer this physics briefly: why is the sky blue?": `{"id":"c2","model":"gpt-4o-mini","choices":[{"index":0,"message":{"role":"assistant","content":"Rayleigh scattering.","refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}`,
	},
}

// serve starts a stand-in, to which a proxy leads.
func (p *pageFolder) serve(name string) error {
	says, ok := pageServices[name]
	if !ok {
		return fmt.Errorf("there is no service %q", name)
	}
	s, err := newStandInProxy(p.bin, "api.openai.com")
	if err != nil {
		return err
	}
	s.saying(says)
	p.closers = append(p.closers, s.Close)
	p.env = s.Env
	return nil
}

// realTime is a time that a real clock took, in what is printed.
var realTime = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?(µs|ms|s)\b`)

// ownLine is a line of this module's own code, which go test names.
var ownLine = regexp.MustCompile(`\b(scenariotest\.go):[0-9]+`)

// steady is a text in which no such time differs, where there is a service:
// what is recorded takes its time.
func (p *pageFolder) steady(text string) string {
	if p.env == nil && !p.real {
		return text
	}
	return ownLine.ReplaceAllString(realTime.ReplaceAllString(text, "0s"), "$1:1")
}

func (p *pageFolder) close() {
	for _, c := range p.closers {
		c()
	}
}

func (p *pageFolder) write(name, text string) error {
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

func (p *pageFolder) patch(b pages.Block) error {
	text, err := os.ReadFile(filepath.Join(p.dir, b.Argument))
	if err != nil {
		return err
	}
	patched, err := pages.Patch(string(text), b.Text)
	if err != nil {
		return err
	}
	return p.write(b.Argument, patched)
}

// part finds a block in a file of the folder or of the repository; how far it
// is indented there does not count.
func (p *pageFolder) part(b pages.Block) error {
	text, err := os.ReadFile(filepath.Join(p.dir, b.Argument))
	if errors.Is(err, os.ErrNotExist) {
		text, err = os.ReadFile(filepath.Join(repository, b.Argument))
	}
	if err != nil {
		return err
	}
	if !pages.Stands(pages.Unindent(string(text)), pages.Unindent(b.Text)) {
		return fmt.Errorf("the block does not stand in %s", b.Argument)
	}
	return nil
}

// image compares an image of a page with the file that a command wrote just
// before, or keeps that one where pages are rewritten.
func (p *pageFolder) image(path string) error {
	drawn, err := os.ReadFile(filepath.Join(p.dir, filepath.Base(path)))
	if err != nil {
		return err
	}
	kept := filepath.Join(repository, path)
	if os.Getenv("UPDATE_PAGES") != "" {
		return os.WriteFile(kept, drawn, 0o666)
	}
	shown, err := os.ReadFile(kept)
	if err == nil && !bytes.Equal(shown, drawn) {
		err = fmt.Errorf("%s is not what the command draws", path)
	}
	return err
}

func (p *pageFolder) output(b pages.Block) error {
	printed, err := p.run(b.Argument)
	if err != nil {
		return err
	}
	if !strings.Contains(pages.Unindent(printed), pages.Unindent(b.Text)) {
		return fmt.Errorf("the block is not among what %q prints:\n%s", b.Argument, printed)
	}
	return nil
}

// console runs the lines that begin with a prompt and compares all that is
// printed.
func (p *pageFolder) console(b pages.Block) error {
	var got strings.Builder
	for line := range strings.Lines(b.Text) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		p.real = p.real || strings.HasPrefix(command, "scenario exec ")
		printed, err := p.run(strings.TrimSpace(command))
		if err != nil {
			return err
		}
		got.WriteString(line + printed)
	}
	page, printed := p.steady(b.Text), p.steady(got.String())
	if diff := cmp.Diff(page, printed); diff != "" && !pages.Elided(page, printed) {
		p.printed = got.String()
		return fmt.Errorf("(-page +printed):\n%s", diff)
	}
	return nil
}

// run runs one command in the folder and returns what it prints.
func (p *pageFolder) run(line string) (string, error) {
	c, err := pages.ParseCommand(line)
	if err != nil {
		return "", err
	}
	if line == "echo $?" {
		return fmt.Sprintln(p.exit), nil
	}
	switch c.Words[0] {
	case "cat", "ls", "mkdir", "rm", "cp", "go":
	case "scenario":
		c.Words[0] = filepath.Join(p.bin, "scenario")
	default:
		return "", fmt.Errorf("an example may not run %q", c.Words[0])
	}
	cmd := exec.Command(c.Words[0], c.Words[1:]...)
	cmd.Dir = p.dir
	cmd.Env = append(append(cleanEnv(), p.env...), c.Env...)
	out, err := cmd.CombinedOutput()
	p.exit = cmd.ProcessState.ExitCode()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return "", err
	}
	return string(bytes.ReplaceAll(out, []byte(p.dir+"/"), nil)), nil
}

// cleanEnv is the environment without what would change what is printed.
func cleanEnv() []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if name != "CI" && !strings.HasPrefix(name, "GITHUB_") && !strings.HasPrefix(name, "SCENARIO_") && !strings.HasPrefix(name, "OTEL_") {
			env = append(env, v)
		}
	}
	return append(env, "LANG=C.UTF-8")
}

// goModule runs the commands of a block in a folder with Go code, which is given
// this repository in the place of the version that it would get.
func (p *pageFolder) goModule(b pages.Block) error {
	root, err := filepath.Abs(repository)
	if err != nil {
		return err
	}
	if testing.Short() {
		return nil // all of this repository would be compiled
	}
	own := *p
	own.real = true
	own.dir = filepath.Join(p.dir, b.Argument)
	// With the paths of this test, or without, what it was built of is not compiled again.
	flags := ""
	if slices.Contains(strings.Fields(os.Getenv("GOFLAGS")), "-trimpath") {
		flags = "-trimpath"
	}
	own.env = append(own.env, "GOWORK="+filepath.Join(p.dir, "go.work"), "GOFLAGS="+flags)
	if err := p.write("go.work", fmt.Sprintf("go 1.26.0\n\nuse (\n\t%q\n\t%q\n)\n", own.dir, root)); err != nil {
		return err
	}
	return own.console(b)
}

// valid checks a block that is a whole file.
func (p *pageFolder) valid(b pages.Block) error {
	const name = "block.scenario.hcl"
	if err := p.write(name, b.Text); err != nil {
		return err
	}
	defer os.Remove(filepath.Join(p.dir, name))
	printed, err := p.run("scenario validate " + name)
	if err == nil && p.exit != 0 {
		err = fmt.Errorf("a block of hcl is a whole file, or has a comment that says what it is:\n%s", printed)
	}
	return err
}

// commandsExist checks the lines of a block that is not run: commands of ours
// with their flags, targets of make.
func commandsExist(text string) error {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		if line == "" {
			continue
		}
		c, err := pages.ParseCommand(strings.TrimSpace(line))
		if err != nil {
			return err
		}
		if err := commandExists(c.Words); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
	}
	return nil
}

func commandExists(words []string) error {
	if len(words) >= 3 && words[0] == "go" && words[1] == "run" && words[2] == "./cmd/scenario" {
		words = append([]string{"scenario"}, words[3:]...)
	}
	switch words[0] {
	case "scenario":
		return flagsExist(words[1:])
	case "make":
		return targetExists(words[1:])
	case "go", "git":
		return nil
	}
	return errors.New("only commands of scenario, make, go and git can be checked: say why it is not run")
}

func flagsExist(args []string) error {
	a := &cli.App{Env: func(string) (string, bool) { return "", false }}
	root := root(a)
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	if cmd == root && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && rest[0] != "help" && rest[0] != cobra.ShellCompRequestCmd {
		return fmt.Errorf("there is no command %q", rest[0])
	}
	return cmd.ParseFlags(rest)
}

func targetExists(args []string) error {
	makefile, err := os.ReadFile(filepath.Join(repository, "Makefile"))
	if err != nil {
		return err
	}
	for _, target := range args {
		if !strings.Contains(target, "=") && !strings.Contains(string(makefile), "\n"+target+":") {
			return fmt.Errorf("the Makefile has no target %q", target)
		}
	}
	return nil
}

// A page that says what is not so is caught, whatever kind of block says it.
func TestFalsePages(t *testing.T) {
	const good = "workflow \"w\" {\n  step \"value\" \"v\" { value = 1 }\n}\n"
	bin := commandDir(t)
	for name, page := range map[string]string{
		"other output":    "<!-- file: a.scenario.hcl -->\n```hcl\n" + good + "```\n\n```console\n$ scenario validate a.scenario.hcl\nfine\n```\n",
		"bad flag":        "```sh\nscenario test --no-such-flag\n```\n",
		"bad command":     "```sh\nscenario tset\n```\n",
		"bad target":      "```sh\nmake no-such-target\n```\n",
		"invalid file":    "```hcl\nworkflow \"w\" {}\nnonsense = 1\n```\n",
		"no such part":    "<!-- file: a -->\n```text\nx\n```\n\n<!-- part: a -->\n```text\ny\n```\n",
		"no such rest":    "<!-- file: a -->\n```text\nx\nz\n```\n\n<!-- part: a -->\n```text\nx\n…\ny\n```\n",
		"not printed":     "<!-- output: scenario version -->\n```text\nnot a version\n```\n",
		"unexplained":     "```python\nimport os\n```\n",
		"patch of nought": "<!-- file: a -->\n```text\nx\n```\n\n<!-- patch: a -->\n```diff\n-z\n+y\n```\n",
		"other image":     "<!-- file: support.svg -->\n```text\nx\n```\n\n<!-- image: docs/images/support.svg -->\n",
		"no image":        "<!-- image: docs/images/support.svg -->\n",
		"no such service": "<!-- service: nobody -->\n",
		"other program":   "```console\n$ curl http://example.com\n```\n",
	} {
		t.Run(name, func(t *testing.T) {
			blocks, err := pages.Blocks(page)
			if err != nil {
				t.Fatal(err)
			}
			p := &pageFolder{dir: t.TempDir(), bin: bin}
			for _, b := range blocks {
				err = errors.Join(err, p.check(b))
			}
			if err == nil {
				t.Error("the page passes")
			}
		})
	}
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
