package suite

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

// planted stands in every file that no scenario file may read.
const planted = "planted-3f9c2e81"

// A scenario file reads nothing outside of its suite and nothing with a name that
// begins with a dot, by whatever way it names it, links included; and what is said
// of that shows no line of such a file.
func TestNothingPrivateIsRead(t *testing.T) {
	for _, c := range []struct{ name, text, why string }{
		{"dot file", reading(`file(".env")`), "begins with a dot"},
		{"dot file above", reading(`file("../.env")`), "begins with a dot"},
		{"dot directory", reading(`file("../.git/config")`), "begins with a dot"},
		{"dot directory with a detour", reading(`file("sub/../../.git/config")`), "begins with a dot"},
		{"link to a dot file", reading(`file("env.txt")`), "begins with a dot"},
		{"link into a dot directory", reading(`file("gitdir/config")`), "begins with a dot"},
		{"link outside", reading(`file("outside.txt")`), "leaves the suite root"},
		{"outside", reading(`file("../../outside.txt")`), "leaves the suite root"},
		{"set of dot files", reading(`join("", [for f in fileset(".e*") : file(f)])`), "begins with a dot"},
		{"import of a dot file", `import = [".hidden.scenario.hcl"]`, "begins with a dot"},
		{"import of a link to a dot file", `import = ["linked.scenario.hcl"]`, "begins with a dot"},
		{"import of a link outside", `import = ["far.scenario.hcl"]`, "leaves the suite root"},
		{"cassette that is a dot file", playing(".env"), "begins with a dot"},
		{"cassette that is a link to one", playing("env.yaml"), "begins with a dot"},
		{"cassette that is a link outside", playing("outside.yaml"), "leaves the suite root"},
		{"cassette in a dot directory", playing("../.git/config"), "begins with a dot"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := privateTree(t)
			file := filepath.Join(dir, "suite", "in", "a.scenario.hcl")
			write(t, file, c.text)
			said := loadedText(t, file)
			if !strings.Contains(said, c.why) {
				t.Errorf("does not say %q:\n%s", c.why, said)
			}
			if strings.Contains(said, planted) {
				t.Errorf("shows a line of the file:\n%s", said)
			}
		})
	}
}

// A scenario file that is a link out of its suite, or to a dot file, is not read
// either; one to another file of the suite is.
func TestLinkedScenarioFiles(t *testing.T) {
	dir := privateTree(t)
	in := filepath.Join(dir, "suite", "in")
	write(t, filepath.Join(in, "good.scenario.hcl"), `locals { x = 1 }`)
	link(t, "good.scenario.hcl", filepath.Join(in, "same.scenario.hcl"))
	for name, why := range map[string]string{"far": "leaves the suite root", "linked": "begins with a dot", "same": ""} {
		said := loadedText(t, filepath.Join(in, name+".scenario.hcl"))
		if why == "" && said != "" || !strings.Contains(said, why) || strings.Contains(said, planted) {
			t.Errorf("%s: got %q, want %q", name, said, why)
		}
	}
}

// A suite that lies in a directory with a dot reads its own files, and fileset
// leaves out what file would refuse.
func TestDotDirectoryAsHome(t *testing.T) {
	dir := privateTree(t)
	home := filepath.Join(dir, "suite", ".github", "scenarios")
	write(t, filepath.Join(home, "a.txt"), "a")
	write(t, filepath.Join(home, ".b.txt"), planted)
	write(t, filepath.Join(home, ".c", "c.txt"), planted)
	write(t, filepath.Join(home, "a.scenario.hcl"), reading(`"${join(",", fileset("**/*.txt"))}=${file("a.txt")}"`))
	if said := loadedText(t, filepath.Join(home, "a.scenario.hcl")); !strings.Contains(said, `"text":"a.txt=a"`) {
		t.Errorf("got %s", said)
	}
}

// reading is a file whose plan shows what an expression is.
func reading(expr string) string {
	return "locals { text = " + expr + " }\n" + `
workflow "w" {
  step "wait" "a" { for = "1s" }
}
scenario "s" { run = workflow.w }
`
}

// playing is a file that plays a cassette.
func playing(path string) string {
	return `
provider "openai" "o" { model = "m" }
workflow "w" {
  provider = provider.o
  step "llm" "a" { prompt = "x" }
}
scenario "s" {
  run = workflow.w
  cassette { path = "` + path + `" }
}
`
}

// privateTree is a suite with files that must not be read, and links to them.
func privateTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	in := filepath.Join(dir, "suite", "in")
	hidden := "locals { " + planted + " = \n"
	write(t, filepath.Join(dir, "outside.txt"), planted)
	write(t, filepath.Join(dir, "far.scenario.hcl"), hidden)
	write(t, filepath.Join(dir, "suite", "go.mod"), "module x")
	write(t, filepath.Join(dir, "suite", ".git", "config"), planted+": [")
	write(t, filepath.Join(dir, "suite", ".env"), planted)
	write(t, filepath.Join(in, ".env"), planted+": [")
	write(t, filepath.Join(in, ".hidden.scenario.hcl"), hidden)
	write(t, filepath.Join(in, "sub", "x"), "")
	link(t, ".env", filepath.Join(in, "env.txt"))
	link(t, ".env", filepath.Join(in, "env.yaml"))
	link(t, "../.git", filepath.Join(in, "gitdir"))
	link(t, "../../outside.txt", filepath.Join(in, "outside.txt"))
	link(t, "../../outside.txt", filepath.Join(in, "outside.yaml"))
	link(t, "../../far.scenario.hcl", filepath.Join(in, "far.scenario.hcl"))
	link(t, ".hidden.scenario.hcl", filepath.Join(in, "linked.scenario.hcl"))
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(filepath.FromSlash(to), path); err != nil {
		t.Skip("this system has no links:", err)
	}
}

// loadedText is what is said of a file, as the command writes it, behind its
// plans.
func loadedText(t *testing.T, path string) string {
	t.Helper()
	l := &Loader{Source: Disk()}
	defer l.Close()
	f := l.Load(path)
	sources := map[string][]byte{}
	f.AddSources(sources)
	var b bytes.Buffer
	for _, p := range f.Plans {
		b.Write(p.JSON())
	}
	dsl.WriteDiagnostics(&b, f.Diags, sources, dsl.WriteOptions{})
	return strings.Join(strings.Fields(b.String()), " ")
}
