package programs

import (
	"net/http"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

// controls are what the servers of a file answered in all of its scenarios, and what those put to the test. A
// request that is refused shows what it is refused for only beside one that is not: the control. What a scenario
// means to show and does not put to the test may be the part of another one.
type controls struct {
	// files are those of which every scenario that ran has passed, in the order in which they came.
	files []string
	of    map[string]*control
}

// A control is one file.
type control struct {
	passed map[string]bool // the names of scenarios
	failed bool
	runs   []served
	trials []trial
}

// A served run is what the server answered in one run of a scenario, in the order in which it came.
type served struct {
	scenario string
	answers  []interp.ServerAnswer
}

// A trial is that of a scenario.
type trial struct {
	scenario string
	interp.Trial
}

// add notes a run.
func (c *controls) add(p *interp.Plan, verdict interp.Verdict, answers []interp.ServerAnswer, trials []interp.Trial) {
	of := c.of[p.File]
	if of == nil {
		if c.of == nil {
			c.of = map[string]*control{}
		}
		of = &control{passed: map[string]bool{}}
		c.of[p.File] = of
		c.files = append(c.files, p.File)
	}
	of.failed = of.failed || verdict != interp.Pass
	of.passed[p.Name] = true
	of.runs = append(of.runs, served{p.Name, answers})
	for _, t := range trials {
		of.trials = append(of.trials, trial{p.Name, t})
	}
}

// untried tell of what a scenario of the file means to show, and none of them puts to the test, each once.
func (c *control) untried() (list []string) {
	made := map[string]bool{}
	for _, t := range c.trials {
		made[t.Of] = made[t.Of] || t.Made
	}
	for _, t := range c.trials {
		if !made[t.Of] && t.Why != "" {
			made[t.Of] = true
			list = append(list, t.scenario+": "+t.Why)
		}
	}
	return list
}

// warnings tell of what [control.untried] says, and of each request that the server of a file refuses where it is
// not known what for; see [control.refusals]. Files of which some scenario did not run, or did not pass, are left
// out: scenarios says how many each has that can run.
func (c *controls) warnings(scenarios map[string]int) (list []string) {
	for _, file := range c.files {
		of := c.of[file]
		if of.failed || len(of.passed) < scenarios[file] {
			continue
		}
		list = append(list, of.untried()...)
		for _, why := range of.refusals() {
			list = append(list, file+": "+why)
		}
	}
	return list
}

// other are statuses below 500 that say themselves what is the matter: no such method, no time, no such thing
// any more, too often.
var other = []int{http.StatusMethodNotAllowed, http.StatusRequestTimeout, http.StatusGone, http.StatusTooManyRequests}

// uncertain reports whether an answer may come of something else than what the scenario is about. That
// something is not there is what 404 says of any address, unless the request says who asks.
func uncertain(a interp.ServerAnswer) bool {
	return !slices.Contains(other, a.Status) && (a.Status != http.StatusNotFound || a.Headers)
}

// placeOf is what is asked, with * for each part of the path that names one of many things.
func placeOf(a interp.ServerAnswer, path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if named(p) {
			parts[i] = "*"
		}
	}
	return a.Method + " " + strings.Join(parts, "/")
}

// parentOf is placeOf for anything that stands where the path ends.
func parentOf(a interp.ServerAnswer) string {
	return placeOf(a, a.Path[:strings.LastIndexByte(a.Path, '/')+1]) + "?"
}

// longest is from how many letters on a part of a path is no word of an interface.
const longest = 24

// named reports whether a part of a path is the name or the number of something.
func named(part string) bool {
	return len(part) > longest || strings.ContainsAny(part, "0123456789:@%=")
}
