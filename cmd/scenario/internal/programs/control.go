package programs

import (
	"fmt"
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
	passed  map[string]bool // the names of scenarios
	failed  bool
	answers []interp.ServerAnswer
	trials  []trial
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
	of.answers = append(of.answers, answers...)
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

// warnings tell of what [control.untried] says, and of each request that the server of a file refuses, whatever
// it is refused for, while no scenario of the file has one to the same method and path that is accepted. Files of
// which some scenario did not run, or did not pass, are left out: scenarios says how many each has that can run.
func (c *controls) warnings(scenarios map[string]int) (list []string) {
	for _, file := range c.files {
		of := c.of[file]
		if of.failed || len(of.passed) < scenarios[file] {
			continue
		}
		list = append(list, of.untried()...)
		accepted := map[string]bool{}
		taken := map[string][]interp.ServerAnswer{}
		for _, a := range of.answers {
			if a.Status > 0 && a.Status < 400 {
				accepted[placeOf(a, a.Path)] = true
				accepted[parentOf(a)] = true
				if at := placeOf(a, a.Path); len(taken[at]) < compared {
					taken[at] = append(taken[at], a)
				}
			}
		}
		told := map[string]bool{}
		for _, a := range of.answers {
			at := placeOf(a, a.Path)
			if !a.Refused || !uncertain(a) || told[at] {
				continue
			}
			if why := signed(a, taken[at]); why != "" {
				told[at] = true
				list = append(list, file+": "+why)
			}
			if told[at] || accepted[at] || a.Status == http.StatusNotFound && accepted[parentOf(a)] {
				continue
			}
			told[at] = true
			list = append(list, fmt.Sprintf("%s: %q is refused with %d (%s), and no scenario of the file has a %s of %s that is accepted, nor does a check read what the server says: it may be refused for something else, such as a header field or a signature that is wrong in any case.\nhint: let the same request be accepted without what it is refused for, in this scenario or another one; or check what the refusal says, such as %s.json.error",
				file, a.Name, a.Status, http.StatusText(a.Status), a.Method, a.Path, a.Read))
		}
	}
	return list
}

// compared is with how many accepted requests a refused one is compared at most.
const compared = 32

// signed tells of a refused request that differs from each accepted one in a signature, which may be wrong, and in
// something that is signed: it may be refused for either. "" for none.
func signed(refused interp.ServerAnswer, accepted []interp.ServerAnswer) string {
	var parts []string
	with := ""
	for _, a := range accepted {
		names, signature := interp.RequestsDiffer(refused.Parts, a.Parts)
		if signature == "" || len(names) == 0 {
			return ""
		}
		if with == "" || len(names) < len(parts) {
			parts, with = names, signature
		}
	}
	if with == "" {
		return ""
	}
	if len(parts) > 3 {
		parts = append(parts[:3:3], fmt.Sprintf("%d other parts", len(parts)-3))
	}
	return fmt.Sprintf("%q is refused with %d (%s), and each %s of %s that is accepted differs from it in %s as well as in %s: whether that is right is not known, so it may be what is refused, and a server that looks at nothing else passes as well.\nhint: check what the refusal says, such as %s.json.error; or give the program the key of the signature in env, so that it is seen to be right",
		refused.Name, refused.Status, http.StatusText(refused.Status), refused.Method, refused.Path, strings.Join(parts, ", "), with, refused.Read)
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
