package suite

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// inDirectory puts files into a new directory, which is then the working
// directory, and returns them as a file system of its own.
func inDirectory(t *testing.T, files map[string]string) fs.FS {
	t.Helper()
	t.Chdir(t.TempDir())
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// sources are the working directory, once as it is and twice as a file system.
func sources(inMemory fs.FS) map[string]*Source {
	return map[string]*Source{"disk": Disk(), "os.DirFS": FS(os.DirFS(".")), "in memory": FS(inMemory)}
}

// Shows, on all scenarios of the repository, that a suite is the same wherever
// it is loaded from: the same files, plans and traces, byte for byte.
func TestSourcesGiveEqualPlansAndTraces(t *testing.T) {
	files := map[string]string{"go.mod": "module x\n"}
	root := filepath.Join("..", "scenarios")
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for name, s := range sources(inDirectory(t, files)) {
		seen[name] = everything(t, s)
	}
	if n := strings.Count(seen["disk"], "\n{\"trace\":"); n < 500 {
		t.Errorf("%d traces", n)
	}
	for name, got := range seen {
		if want := seen["disk"]; got != want {
			at := 0
			for at < len(got) && at < len(want) && got[at] == want[at] {
				at++
			}
			t.Errorf("%s differs at byte %d:\n%.300s\nwant\n%.300s", name, at, got[max(0, at-100):], want[max(0, at-100):])
		}
	}
}

// everything is what a source gives: names, diagnostics, plans, traces.
func everything(t *testing.T, s *Source) string {
	t.Helper()
	names, err := s.Discover(nil)
	if err != nil {
		t.Fatal(err)
	}
	l := &Loader{Source: s}
	defer l.Close()
	files, err := l.LoadAll(t.Context(), names)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&b, "%s at %s\n", f.Path, f.Place)
		dsl.WriteDiagnostics(&b, f.Diags, map[string][]byte{f.Path: f.Source}, dsl.WriteOptions{})
		for _, p := range f.Plans {
			r := interp.Run(p, interp.RunOptions{})
			fmt.Fprintf(&b, "%s %s\n%s\n", p.Hash(), r.Verdict, p.JSON())
			if err := trace.WriteTo(&b, r.Header(), r.Events); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.String()
}

const plain = "workflow \"w\" {\n  step \"value\" \"v\" { value = 1 }\n}\n"

// Shows that what is wrong with files is said in the same words wherever they
// come from, and which words these are.
func TestSourcesGiveEqualDiagnostics(t *testing.T) {
	scenario := func(body string) string {
		return plain + "scenario \"s\" {\n  run = workflow.w\n  expect \"v\" { output = 1 }\n  " + body + "\n}\n"
	}
	files := map[string]string{
		"world.scenario.hcl":          "locals { a = 1 }\n",
		"dir/x.txt":                   "",
		"damaged.yaml":                "interactions: [",
		"a_missing.scenario.hcl":      "import = [\"./wrld.scenario.hcl\"]\n" + scenario(""),
		"b_directory.scenario.hcl":    "import = [\"./dir\"]\n" + scenario(""),
		"c_outside.scenario.hcl":      "import = [\"../world.scenario.hcl\"]\n" + scenario(""),
		"d_other.scenario.hcl":        "import = [\"./dir/x.txt\"]\n" + scenario(""),
		"e_cassette.scenario.hcl":     scenario(`cassette { path = "none.yaml" }`),
		"f_damaged.scenario.hcl":      scenario(`cassette { path = "damaged.yaml" }`),
		"g_file.scenario.hcl":         "locals { a = file(\"none.txt\") }\n" + scenario(""),
		"h_outside.scenario.hcl":      scenario(`cassette { path = "../x.yaml" }`),
		"i_absolute.scenario.hcl":     scenario(`cassette { path = "/x.yaml" }`),
		"j_syntax.scenario.hcl":       "scenario {",
		"k_no_snapshot.scenario.hcl":  scenario(`snapshot "x" { value = step.v.output }`),
		"l_good.scenario.hcl":         scenario(""),
		"dir/m_high.scenario.hcl":     "import = [\"../../world.scenario.hcl\"]\n" + scenario(""),
		"dir/n_low.scenario.hcl":      "import = [\"world.scenario.hcl\"]\n" + scenario(""),
		"dir/o_cassette.scenario.hcl": scenario(`cassette { path = "damaged.yaml" }`),
		"dir/p_file.scenario.hcl":     "locals { a = file(\"../../dir/x.txt\") }\n" + scenario(""),
		"q_sibling.scenario.hcl":      "import = [\"retry.scenario.hcl\"]\n" + scenario(""),
		"r_module.scenario.hcl":       "import = [\"sdt/resilience\"]\n" + scenario(""),
		"s_bare.scenario.hcl":         "import = [\"resilience\"]\n" + scenario(""),
		"t_stem.scenario.hcl":         "import = [\"./world\"]\n" + scenario(""),
	}
	inMemory := inDirectory(t, files)
	list := []string{"0_gone.scenario.hcl"}
	for name := range files {
		if IsScenario(name) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	want := map[string]string{
		"0_gone.scenario.hcl":         "The file cannot be read: no such file or directory.",
		"a_missing.scenario.hcl":      `there is no file wrld.scenario.hcl. Did you mean "./world.scenario.hcl"?`,
		"b_directory.scenario.hcl":    "./dir is a directory",
		"c_outside.scenario.hcl":      "../world.scenario.hcl leaves the suite root",
		"d_other.scenario.hcl":        "./dir/x.txt is no scenario file: their names end in .scenario.hcl",
		"e_cassette.scenario.hcl":     "there is no file none.yaml",
		"f_damaged.scenario.hcl":      "in damaged.yaml:1: the file is not valid YAML",
		"g_file.scenario.hcl":         `there is no file "none.txt"`,
		"h_outside.scenario.hcl":      "../x.yaml leaves the suite root",
		"i_absolute.scenario.hcl":     "/x.yaml is an absolute path",
		"j_syntax.scenario.hcl":       "scenario",
		"dir/m_high.scenario.hcl":     `leaves the suite root, the nearest parent with .git or go.mod, else the working directory. Did you mean "../world.scenario.hcl"?`,
		"dir/n_low.scenario.hcl":      `there is no file dir/world.scenario.hcl. Did you mean "../world.scenario.hcl"?`,
		"dir/o_cassette.scenario.hcl": `there is no file dir/damaged.yaml. Did you mean "../damaged.yaml"?`,
		"dir/p_file.scenario.hcl":     `Did you mean "x.txt"?`,
		"q_sibling.scenario.hcl":      "there is no file retry.scenario.hcl. hint",
		"r_module.scenario.hcl":       `Did you mean "std/resilience"?`,
		"s_bare.scenario.hcl":         `Did you mean "std/resilience"?`,
		"t_stem.scenario.hcl":         `./world is no scenario file: its name ends in .scenario.hcl. Did you mean "./world.scenario.hcl"?`,
	}
	said := map[string][]string{}
	for source, s := range sources(inMemory) {
		l := &Loader{Source: s}
		defer l.Close()
		for _, path := range list {
			f := l.Load(path)
			sources := map[string][]byte{}
			f.AddSources(sources)
			var b bytes.Buffer
			dsl.WriteDiagnostics(&b, f.Diags, sources, dsl.WriteOptions{})
			said[source] = append(said[source], b.String())
			if text := strings.Join(strings.Fields(b.String()), " "); !strings.Contains(strings.ToLower(text), strings.ToLower(want[path])) || (want[path] == "") != (text == "") || f.Failed() != (text != "") {
				t.Errorf("%s, %s: want %q, got\n%s", source, path, want[path], b.String())
			}
		}
	}
	for source := range said {
		for i, text := range said[source] {
			if text != said["disk"][i] {
				t.Errorf("%s: %s says\n%s\nand the disk\n%s", list[i], source, text, said["disk"][i])
			}
		}
	}
}

// Shows which files are found: what is hidden is not, a file has one name
// however many links lead to it, and a path that leads nowhere is explained.
func TestDiscover(t *testing.T) {
	inMemory := inDirectory(t, map[string]string{
		"b.scenario.hcl": plain, "a/c.scenario.hcl": plain, "a/note.txt": "", "_x/d.scenario.hcl": plain, ".y/e.scenario.hcl": plain,
		"node_modules/f.scenario.hcl": plain, "_g.scenario.hcl": plain,
	})
	if err := os.Symlink("b.scenario.hcl", "z.scenario.hcl"); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := os.Symlink("../a", "a/again.scenario.hcl"); err != nil {
		t.Fatal(err)
	}
	inMemory.(fstest.MapFS)["z.scenario.hcl"] = &fstest.MapFile{Data: []byte("b.scenario.hcl"), Mode: fs.ModeSymlink | 0o777}
	inMemory.(fstest.MapFS)["a/again.scenario.hcl"] = &fstest.MapFile{Data: []byte("../a"), Mode: fs.ModeSymlink | 0o777}
	for source, s := range sources(inMemory) {
		for _, c := range []struct {
			paths []string
			want  string
			err   string
		}{
			{nil, "a/c.scenario.hcl b.scenario.hcl", ""},
			{[]string{"z.scenario.hcl"}, "z.scenario.hcl", ""},
			{[]string{"b.scenario.hcl", "./b.scenario.hcl", "z.scenario.hcl", "a"}, "a/c.scenario.hcl b.scenario.hcl", ""},
			{[]string{"_x"}, "_x/d.scenario.hcl", ""},
			{[]string{"_g.scenario.hcl"}, "_g.scenario.hcl", ""},
			{[]string{"bb.scenario.hcl"}, "", "there is no file or directory bb.scenario.hcl\nhint: did you mean b.scenario.hcl?"},
			{[]string{"a/note.txt"}, "", "a/note.txt is no scenario file: their names end in .scenario.hcl\nhint: rename it to a/note.txt.scenario.hcl, or name a directory"},
			{[]string{""}, "", "a path is empty\nhint: is a variable of the shell not set? Without a path the working directory is searched"},
		} {
			found, err := s.Discover(c.paths)
			said := ""
			if err != nil {
				said = err.Error()
			}
			if strings.Join(found, " ") != c.want || said != c.err {
				t.Errorf("%s, %q: %q, %q", source, c.paths, found, said)
			}
		}
	}
}

// Shows that the suite root of a file is the nearest parent with go.mod or .git,
// and else where the search began; that places count from there, and that the
// files below it can be read and no others.
func TestRootAndPlace(t *testing.T) {
	reads := func(name string) string {
		return plain + "scenario \"s\" {\n  run = workflow.w\n  assert \"a\" { condition = \"${step.v.output}x\" == file(\"" + name + "\") }\n}\n"
	}
	inMemory := inDirectory(t, map[string]string{
		"a/go.mod": "", "a/b/x.scenario.hcl": reads("../one"), "a/b/y.scenario.hcl": reads("../../one"), "a/one": "1x", "one": "no",
		"c/.git/HEAD": "", "c/x.scenario.hcl": reads("../one"), "d/x.scenario.hcl": reads("../a/one"),
	})
	for source, s := range sources(inMemory) {
		l := &Loader{Source: s}
		defer l.Close()
		for path, want := range map[string]string{
			"a/b/x.scenario.hcl": "b/x.scenario.hcl true", "a/b/y.scenario.hcl": "b/y.scenario.hcl false", "c/x.scenario.hcl": "x.scenario.hcl false", "d/x.scenario.hcl": "d/x.scenario.hcl true",
		} {
			f := l.Load(path)
			passes := !f.Failed() && interp.Run(f.Plans[0], interp.RunOptions{}).Verdict == interp.Pass
			if got := fmt.Sprintf("%s %v", f.Place, passes); got != want {
				t.Errorf("%s: %s is %s, want %s\n%s", source, path, got, want, f.Diags)
			}
		}
	}
}

// lstats counts how often it is asked what stands under a name.
type lstats struct {
	system
	asked map[string]int
}

func (l lstats) lstat(name string) (fs.FileInfo, error) {
	l.asked[name]++
	return l.system.lstat(name)
}

// Shows that where a file lies is found out once, however often its root and its
// place are asked for, and that no number of files makes a source remember them all.
func TestSourceRemembers(t *testing.T) {
	files := map[string]string{"go.mod": ""}
	for i := range namesMax + 1 {
		files[fmt.Sprintf("a/%d", i)] = ""
	}
	asked := map[string]int{}
	s := &Source{system: lstats{fsSystem{inDirectory(t, files)}, asked}}
	for i := range namesMax + 1 {
		name := fmt.Sprintf("a/%d", i)
		if got := s.Place(name) + s.Root(name) + s.Real(name); got != name+"."+name {
			t.Fatalf("%s is %s", name, got)
		}
		if asked[name] != 1 {
			t.Fatalf("%s was asked for %d times", name, asked[name])
		}
	}
	if len(s.names) != 1 {
		t.Errorf("%d names are remembered", len(s.names))
	}
}

// Shows that many goroutines can share a loader.
func TestLoaderIsShared(t *testing.T) {
	inMemory := inDirectory(t, map[string]string{"x.txt": "1", "a.scenario.hcl": plain + "scenario \"s\" {\n  run = workflow.w\n  assert \"a\" { condition = tostring(step.v.output) == file(\"x.txt\") }\n}\n"})
	for name, s := range sources(inMemory) {
		l := &Loader{Source: s}
		hashes := make(chan string)
		for range 8 {
			go func() {
				f := l.Load("a.scenario.hcl")
				if f.Failed() {
					t.Errorf("%s: %s", name, f.Diags)
					hashes <- ""
					return
				}
				hashes <- f.Plans[0].Hash()
			}()
		}
		first := <-hashes
		for range 7 {
			if again := <-hashes; again != first {
				t.Errorf("%s: %s and %s", name, first, again)
			}
		}
		l.Close()
	}
}

// Shows that what was parsed is changed by nobody: goroutines compile one file at a
// time, and files that import the standard library, of which there is one copy. The race
// detector sees it where one of them writes.
func TestWhatWasParsedIsShared(t *testing.T) {
	files := map[string]string{}
	for i := range 8 {
		files[fmt.Sprintf("f%d.scenario.hcl", i)] = `import = ["std/resilience", "std/clients", "std/routing"]
provider "openai" "m" { model = "x" }
workflow "w" {
  step "llm" "ask" {
    provider = provider.m
    prompt   = "why?"
    retry    = retry.openai_node
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    fault "http_error" {}
    reply { content = "x" }
  }
  assert "a" { condition = step.ask.content == "x" && step.ask.retries == 1 }
}
`
	}
	l := &Loader{Source: FS(inDirectory(t, files))}
	defer l.Close()
	one, diags := dsl.Parse("one.scenario.hcl", []byte(files["f0.scenario.hcl"]))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	ended := make(chan error)
	for name := range files {
		go func() {
			f := l.Load(name)
			if f.Failed() {
				ended <- f.Diags
				return
			}
			if r := interp.Run(f.Plans[0], interp.RunOptions{}); r.Verdict != interp.Pass {
				ended <- fmt.Errorf("%s: %v", name, r.Problems)
				return
			}
			linked, diags := dsl.Link(one, nil)
			if !diags.HasErrors() {
				_, diags = interp.Compile(linked, interp.Options{})
			}
			if diags.HasErrors() {
				ended <- diags
				return
			}
			ended <- nil
		}()
	}
	for range files {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
