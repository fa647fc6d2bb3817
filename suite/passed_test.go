package suite

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Shows that every file with a scenario is either found or said to be left out, whatever
// its name is and wherever it lies, but for what belongs to other tools.
func TestWhatIsNotRunIsSaid(t *testing.T) {
	names := []string{
		"a.scenario.hcl", "a_scenario.hcl", "a-scenario.hcl", "scenario.hcl", "a.hcl", "a.HCL", "a.scenarios.hcl", "a.Scenario.hcl", "a.scenario",
		"a.scenario.hcl.disabled", "a.scenario.hcl.bak", "a.scenario.txt", "a.scenario.hcl.txt", "a.hcl.off", "a.tftest.hcl", "_a.scenario.hcl",
	}
	places := []string{"", "in/", "_off/", "in/_off/deep/", "linked/", "in/linked/deep/"}
	texts := []string{"scenario \"s\" {\n}\n", "# x\n  scenario \"s\" {}\n", "\ufeffscenario s {}\n", "dynamic \"scenario\" {\n  for_each = [1]\n}\n"}
	for n, text := range texts {
		for _, place := range places {
			for _, name := range names {
				dir := t.TempDir()
				t.Chdir(dir)
				write(t, "go.mod", "module x")
				write(t, "z.scenario.hcl", text)
				at := place
				if before, deep, is := strings.Cut(place, "linked/"); is {
					write(t, filepath.Join("_aside", deep, name), text)
					write(t, filepath.Join(before, "y.txt"), "")
					link(t, strings.Repeat("../", strings.Count(before, "/"))+"_aside", filepath.Join(before, "linked"))
				} else {
					write(t, filepath.Join(at, name), text)
				}
				found, left, err := Disk().Find(nil)
				if err != nil {
					t.Fatal(err)
				}
				found = slices.DeleteFunc(found, func(f string) bool { return f == "z.scenario.hcl" })
				said := slices.ContainsFunc(left, func(line string) bool {
					path, _, _ := strings.Cut(line, " ")
					return path == at+name || strings.HasSuffix(name, Suffix) && strings.HasPrefix(at+name, path+"/")
				})
				where := fmt.Sprintf("%s%s, text %d", at, name, n)
				elsewhere := at != "" && at != "in/" && !(IsScenario(name) && (!Hidden(name) || strings.HasPrefix(at, "_") || strings.Contains(at, "/_")))
				switch {
				case len(found) > 0 && !said:
				case len(found) == 0 && said:
				case len(found) == 0 && elsewhere: // no command would take it there
				default:
					t.Errorf("%s: found %q, said %q", where, found, left)
				}
			}
		}
	}
}

// Shows that nothing is said of what is no scenario, belongs to others or is run anyway.
func TestWhatIsNoScenarioIsNotSaid(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "go.mod", "module x")
	for name, text := range map[string]string{
		"a.scenario.hcl": "scenario \"s\" {}\n", "_world.scenario.hcl": "provider \"openai\" \"m\" {}\n", "_lib/w.scenario.hcl": "workflow \"w\" {}\n",
		"main.hcl": "resource \"scenario\" \"x\" {}\n", "notes.md": "scenario \"x\" {}\n", ".off/b.scenario.hcl": "scenario \"s\" {}\n",
		"node_modules/c.scenario.hcl": "scenario \"s\" {}\n", "a.scenario.hcl~": "scenario \"s\" {}\n", ".a.scenario.hcl.swp": "scenario \"s\" {}\n",
		"in/d.scenario.hcl": "scenario \"s\" {}\n", "data/e.json": "{}",
	} {
		write(t, name, text)
	}
	for path, to := range map[string]string{"again": "in", "here": ".", "files": "data", "gone": "nowhere", "b.scenario.hcl": "a.scenario.hcl"} {
		link(t, to, path)
	}
	found, left, err := Disk().Find(nil)
	if err != nil || len(left) > 0 || !slices.Equal(found, []string{"a.scenario.hcl", "in/d.scenario.hcl"}) {
		t.Errorf("found %q, said %q, %v", found, left, err)
	}
}

// Shows that scenarios stay in their file, written out or generated, where another file
// imports it, which knows that it has some.
func TestScenariosOfAnImportStay(t *testing.T) {
	const world = "workflow \"w\" {\n  step \"value\" \"v\" { value = 1 }\n}\n"
	const own = "scenario \"own\" {\n  run = workflow.w\n  assert \"a\" { condition = step.v.output == 1 }\n}\n"
	for name, text := range map[string]string{
		"written": strings.ReplaceAll(own, "own", "other"),
		"generated": "dynamic \"scenario\" {\n  for_each = [1]\n  labels   = [\"other\"]\n  content {\n    run = workflow.w\n" +
			"    assert \"a\" { condition = step.v.output == 1 }\n  }\n}\n",
		"none": "",
	} {
		t.Chdir(t.TempDir())
		write(t, "b.scenario.hcl", world+text)
		write(t, "a.scenario.hcl", "import = [\"b.scenario.hcl\"]\n"+own)
		l := &Loader{Source: Disk()}
		defer l.Close()
		f := l.Load("a.scenario.hcl")
		if f.Failed() || len(f.Plans) != 1 || f.Plans[0].Name != "own" || slices.Equal(f.Imported, []string{"b.scenario.hcl"}) != (text != "") {
			t.Errorf("%s: %d plans, imported %q, %v", name, len(f.Plans), f.Imported, f.Diags)
		}
		if there := l.Load("b.scenario.hcl"); len(there.Plans) != min(len(text), 1) {
			t.Errorf("%s: %d plans of its own: %v", name, len(there.Plans), there.Diags)
		}
	}
}
