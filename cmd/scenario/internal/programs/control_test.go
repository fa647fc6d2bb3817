package programs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
)

// Shows that a refusal is told of where no scenario of the file has a request to the same method and path that
// is accepted, once for each, and that it is not where one has, where the status or a check says what it is
// for, or where not every scenario of the file ran and passed.
func TestRefusalsWithoutAControl(t *testing.T) {
	refused := func(method, path string, status int) interp.ServerAnswer {
		return interp.ServerAnswer{Name: "old", Read: "step.old", Method: method, Path: path, Status: status, Refused: true}
	}
	accepted := func(method, path string, status int) interp.ServerAnswer {
		return interp.ServerAnswer{Name: "new", Read: "step.new", Method: method, Path: path, Status: status}
	}
	asking := func(a interp.ServerAnswer) interp.ServerAnswer {
		a.Headers = true
		return a
	}
	with := func(a interp.ServerAnswer, parts ...string) interp.ServerAnswer { // PART=VALUE, of which sig is a signature
		for _, p := range parts {
			name, value, _ := strings.Cut(p, "=")
			a.Parts = append(a.Parts, interp.RequestPart{Name: name, Value: value, Signs: name == "sig"})
		}
		return a
	}
	const file = "a.scenario.hcl"
	for _, c := range []struct {
		what    string
		answers []interp.ServerAnswer
		told    int
	}{
		{"alone", []interp.ServerAnswer{refused("POST", "/hooks", 401)}, 1},
		{"twice", []interp.ServerAnswer{refused("POST", "/hooks", 401), refused("POST", "/hooks", 403)}, 1},
		{"two paths", []interp.ServerAnswer{refused("POST", "/hooks", 401), refused("POST", "/orders", 422)}, 2},
		{"another method", []interp.ServerAnswer{refused("DELETE", "/orders/7", 403), accepted("GET", "/orders/7", 200)}, 1},
		{"another path", []interp.ServerAnswer{refused("POST", "/hooks", 401), accepted("POST", "/login", 200)}, 1},
		{"another failure", []interp.ServerAnswer{refused("POST", "/hooks", 401), accepted("POST", "/hooks", 500), accepted("POST", "/hooks", 0)}, 1},
		{"404 for somebody", []interp.ServerAnswer{asking(refused("GET", "/orders/7", 404))}, 1},
		{"404 for somebody, beside another list", []interp.ServerAnswer{asking(refused("GET", "/orders/7", 404)), accepted("GET", "/items/7", 200)}, 1},
		{"signed and late", []interp.ServerAnswer{with(refused("POST", "/hooks", 401), "t=1", "sig=a"), with(accepted("POST", "/hooks", 200), "t=2", "sig=b")}, 1},

		{"signed alone", []interp.ServerAnswer{with(refused("POST", "/hooks", 401), "t=1", "sig=a"), with(accepted("POST", "/hooks", 200), "t=1", "sig=b")}, 0},
		{"late, and the same signature", []interp.ServerAnswer{with(refused("POST", "/hooks", 401), "t=1", "sig=a"), with(accepted("POST", "/hooks", 200), "t=2", "sig=a")}, 0},
		{"both, and each with another one", []interp.ServerAnswer{
			with(refused("POST", "/hooks", 401), "t=1", "sig=a"), with(accepted("POST", "/hooks", 200), "t=2", "sig=b"), with(accepted("POST", "/hooks", 200), "t=2", "sig=a"),
		}, 0},
		{"accepted", []interp.ServerAnswer{refused("POST", "/hooks", 401), accepted("POST", "/hooks", 202)}, 0},
		{"accepted before", []interp.ServerAnswer{accepted("POST", "/hooks", 200), refused("POST", "/hooks", 409)}, 0},
		{"redirected", []interp.ServerAnswer{accepted("POST", "/login", 303), refused("POST", "/login", 401)}, 0},
		{"another order", []interp.ServerAnswer{refused("GET", "/orders/7", 403), accepted("GET", "/orders/8", 200)}, 0},
		{"another key", []interp.ServerAnswer{refused("GET", "/orders/5f0c9a2e-77aa-4d1b", 403), accepted("GET", "/orders/o-1", 200)}, 0},
		{"404 for somebody, beside another one", []interp.ServerAnswer{asking(refused("GET", "/users/bob", 404)), accepted("GET", "/users/alice", 200)}, 1},
		{"404 for somebody, beside the same for another one", []interp.ServerAnswer{asking(refused("GET", "/users/bob", 404)), accepted("GET", "/users/bob", 200)}, 0},
		{"404 for anybody", []interp.ServerAnswer{refused("GET", "/nothing", 404)}, 0},
		{"405", []interp.ServerAnswer{refused("PUT", "/hooks", 405)}, 0},
		{"429", []interp.ServerAnswer{refused("GET", "/hooks", 429)}, 0},
		{"no refusal", []interp.ServerAnswer{accepted("POST", "/hooks", 401)}, 0},
		{"no path", []interp.ServerAnswer{accepted("POST", "", 200), refused("POST", "", 401)}, 0},
	} {
		// In one scenario, and each in one of its own.
		for _, apart := range []bool{false, true} {
			var all controls
			scenarios := map[string]int{}
			if !apart {
				all.add(planNamed(file, "s"), interp.Pass, c.answers, nil)
				scenarios[file] = 1
			}
			for i, a := range c.answers {
				if apart {
					all.add(planNamed(file, string(rune('a'+i))), interp.Pass, []interp.ServerAnswer{a}, nil)
					scenarios[file]++
				}
			}
			list := all.warnings(scenarios)
			if len(list) != c.told {
				t.Errorf("%s, apart %v: %d warnings, want %d: %q", c.what, apart, len(list), c.told, list)
			}
			for _, w := range list {
				if !strings.HasPrefix(w, file+`: "old" is refused with `) || !strings.Contains(w, "\nhint: ") {
					t.Errorf("%s: %q", c.what, w)
				}
			}
			scenarios[file]++ // one did not run
			if list := all.warnings(scenarios); len(list) > 0 {
				t.Errorf("%s, in a part of the file: %q", c.what, list)
			}
			scenarios[file]--
			all.add(planNamed(file, "s"), interp.Fail, nil, nil)
			if list := all.warnings(scenarios); len(list) > 0 {
				t.Errorf("%s, in a file that fails: %q", c.what, list)
			}
		}
	}
}

// Shows that what a scenario means to show is told of once where no scenario of the file puts it to the test, with
// the name of the first that does not, and not where one does, or where not every scenario ran and passed.
func TestTrialsOfAFile(t *testing.T) {
	untried, made := interp.Trial{Of: "a", Why: "nothing asks for it"}, interp.Trial{Of: "a", Made: true}
	another := interp.Trial{Of: "b", Made: true}
	const file = "a.scenario.hcl"
	for _, c := range []struct {
		trials [][]interp.Trial // of each scenario
		want   string
	}{
		{[][]interp.Trial{{untried}}, "[s0: nothing asks for it]"},
		{[][]interp.Trial{{another}, {untried}, {untried}}, "[s1: nothing asks for it]"},
		{[][]interp.Trial{{untried}, {made}}, "[]"},
		{[][]interp.Trial{{made, another}, {untried}}, "[]"},
		{[][]interp.Trial{nil}, "[]"},
	} {
		var all controls
		for i, trials := range c.trials {
			all.add(planNamed(file, "s"+string(rune('0'+i))), interp.Pass, nil, trials)
		}
		if list := all.warnings(map[string]int{file: len(c.trials)}); fmt.Sprint(list) != c.want {
			t.Errorf("%v: %q, want %s", c.trials, list, c.want)
		}
		if list := all.warnings(map[string]int{file: len(c.trials) + 1}); len(list) > 0 {
			t.Errorf("%v, in a part of the file: %q", c.trials, list)
		}
	}
}

func planNamed(file, name string) *interp.Plan { return &interp.Plan{File: file, Name: name} }
