package interp

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

// servicesPage leads from each sentence of the specification of services to
// what shows it.
const servicesPage = "../docs/conformance/services.md"

// shown is a line of that page: the scenario in which a sentence is shown, and
// the assertions and expectations that hold it.
type shown struct {
	file, scenario string
	holds          []string
}

// Shows that nothing of the specification is missing: every sentence in the list
// stands in the page, with a scenario that exists and passes, and with
// assertions that stand in it.
func TestEverySentenceOfTheServicesIsHeld(t *testing.T) {
	list, err := os.ReadFile("testdata/specified.txt")
	if err != nil {
		t.Fatal(err)
	}
	page := servicesTable(t)
	played := map[string]bool{}
	wanted := 0
	for _, line := range strings.Split(strings.TrimSpace(string(list)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		wanted++
		s, ok := page[line]
		if !ok {
			t.Errorf("%s has no line for %q", servicesPage, line)
			continue
		}
		block := scenarioBlockOf(t, s)
		if block == nil {
			t.Errorf("%q: %s has no scenario %q", line, s.file, s.scenario)
			continue
		}
		if len(s.holds) == 0 {
			t.Errorf("%q: no assertion is named", line)
		}
		for _, name := range s.holds {
			if block.Named("assert", name) == nil && block.Named("expect", name) == nil {
				t.Errorf("%q: scenario %q has neither an assertion nor an expectation %q", line, s.scenario, name)
			}
		}
		if key := s.file + s.scenario; !played[key] {
			played[key] = true
			playNamed(t, s)
		}
	}
	if len(page) != wanted {
		t.Errorf("the page has %d lines, and %d sentences are specified", len(page), wanted)
	}
	if sections := strings.Count(string(list), "# "); wanted < 80 || sections != 11 {
		t.Errorf("%d sentences in %d sections: the list is cut", wanted, sections)
	}
}

var inQuotes = regexp.MustCompile(`"([^"]*)"`)

// servicesTable reads the lines of the page's tables, by row and sentence.
func servicesTable(t *testing.T) map[string]shown {
	t.Helper()
	text, err := os.ReadFile(servicesPage)
	if err != nil {
		t.Fatal(err)
	}
	page := map[string]shown{}
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(line, " | ")
		if len(cells) != 4 || strings.HasPrefix(line, "| row") {
			continue
		}
		file, rest, _ := strings.Cut(strings.TrimPrefix(cells[2], "`"), "` ")
		s := shown{file: "../scenarios/services/" + file + ".scenario.hcl", scenario: strings.Trim(rest, `"`)}
		for _, m := range inQuotes.FindAllStringSubmatch(cells[3], -1) {
			s.holds = append(s.holds, m[1])
		}
		page[strings.TrimPrefix(cells[0], "| ")+": "+cells[1]] = s
	}
	return page
}

func scenarioBlockOf(t *testing.T, s shown) *dsl.Block {
	t.Helper()
	source, err := os.ReadFile(filepath.FromSlash(s.file))
	if err != nil {
		t.Fatal(err)
	}
	file, diags := dsl.Parse(s.file, source)
	mustBeValid(t, diags)
	return file.Body.Named("scenario", s.scenario)
}

// playNamed plays a scenario, each of its instances where it has several.
func playNamed(t *testing.T, s shown) {
	t.Helper()
	plans := plansNamed(t, s)
	for _, p := range plans {
		if r := Run(p, RunOptions{}); r.Verdict != Pass {
			complain(t, r)
		}
	}
	if len(plans) == 0 {
		t.Errorf("no scenario %q of %s was run", s.scenario, s.file)
	}
}
