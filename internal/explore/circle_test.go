package explore

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
)

// crossing is a world of two calls that take what a table says, the second at 1s.
const crossing = `
lock "a" {
  capacity        = CAPACITY
  acquire_timeout = "20s"
}
lock "b" { acquire_timeout = "20s" }
actor "one" {
  handler "first" {
    FIRST
    workflow = workflow.first
  }
  handler "again" {
    FIRST
    workflow = workflow.again
  }
}
actor "two" {
  handler "second" {
    SECOND
    workflow = workflow.second
  }
}
actor "three" {
  handler "a" {
    lock  = ["a"]
    takes = "1s"
  }
  handler "b" {
    lock  = ["b"]
    takes = "1s"
  }
  handler "ab" {
    lock  = ["a", "b"]
    takes = "1s"
  }
  handler "slow" { takes = "30s" }
  handler "passed" {
    lock       = ["a"]
    forward_to = actor.four.b
  }
}
actor "four" {
  handler "b" {
    lock  = ["b"]
    takes = "1s"
  }
}
workflow "first" {
  step "wait" "on" { for = "2s" }
  step "call" "next" {
    target     = actor.three.FIRSTNEXT
    depends_on = [step.on]
  }
}
workflow "again" {
  step "wait" "on" { for = "30s" }
}
workflow "second" {
  step "wait" "on" { for = "2s" }
  step "call" "next" {
    target     = actor.three.SECONDNEXT
    depends_on = [step.on]
  }
}
scenario "s" {
  EXTRA
  call "x" { target = actor.one.first }
  call "y" {
    target = actor.two.second
    at     = "1s"
  }
}
`

// A wait closes a circle where nobody holds a unit who could give it back: not where one
// of several holders can, nor where it is held from outside, nor where no two wait for
// each other. The last wait says who waits for what.
func TestCirclesOfWaits(t *testing.T) {
	for _, c := range []struct {
		name, first, firstNext, second, secondNext, capacity, extra string
		want                                                        string
	}{
		{"each has what the other wants", `lock = ["a"]`, "b", `lock = ["b"]`, "a", "1", "", "at 3s actor.two.second.next waits for lock.a, actor.one.first.next waits for lock.b"},
		{"what has a is forwarded to what wants b", "", "passed", `lock = ["b"]`, "a", "1", "", "at 3s actor.two.second.next waits for lock.a, actor.one.first.next waits for lock.b"},
		{"one wants what nobody has", `lock = ["a"]`, "slow", `lock = ["b"]`, "a", "1", "", ""},
		{"one after the other", `lock = ["a"]`, "b", `lock = ["a"]`, "b", "1", "", ""},
		{"both at once, and in one order", `lock = ["a", "b"]`, "slow", `lock = ["a", "b"]`, "slow", "1", "", ""},
		{"another holder can give it back", `lock = ["a"]`, "b", `lock = ["b"]`, "a", "2", "call \"z\" { target = actor.one.again }", ""},
		{"there are units left", `lock = ["a"]`, "b", `lock = ["b"]`, "a", "2", "", ""},
		{"it is held from outside, and by none of them", `lock = ["a"]`, "b", "", "a", "1", "hold \"h\" {\n    lock = lock.b\n    from = \"1s\"\n    to   = \"5s\"\n  }", ""},
		{"a unit is held from outside", `lock = ["a"]`, "b", `lock = ["b"]`, "a", "2", "hold \"h\" {\n    lock = lock.a\n    from = \"1s\"\n    to   = \"5s\"\n  }", ""},
		{"one call holds two", `lock = ["a"]`, "b", `lock = ["b"]`, "ab", "1", "", "at 3s actor.two.second.next waits for lock.a, actor.one.first.next waits for lock.b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.NewReplacer("FIRSTNEXT", c.firstNext, "SECONDNEXT", c.secondNext, "FIRST", c.first, "SECOND", c.second, "CAPACITY", c.capacity, "EXTRA", c.extra).Replace(crossing)
			run := interp.Run(plansOf(t, text)[0], interp.RunOptions{})
			var got string
			for _, p := range brokenRules(run.Events) {
				got += p.Message
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// Two that take connections of two pools in different orders wait for each other where
// both pools had been busy: each gets one of them at one time.
func TestCirclesOfConnections(t *testing.T) {
	const text = `
actor "desk" {
  pool "p" {
    size            = 1
    acquire_timeout = "20s"
  }
  pool "q" {
    size            = 1
    acquire_timeout = "20s"
  }
  handler "of_p" {
    uses  = ["p"]
    takes = "5s"
  }
  handler "of_q" {
    uses  = ["q"]
    takes = "5s"
  }
  handler "one" {
    uses  = ["p", "q"]
    takes = "1s"
  }
  handler "other" {
    uses  = ORDER
    takes = "1s"
  }
}
scenario "s" {
  call "a" { target = actor.desk.of_p }
  call "b" { target = actor.desk.of_q }
  call "c" {
    target = actor.desk.one
    at     = "1s"
  }
  call "d" {
    target = actor.desk.other
    at     = "1s"
  }
}
`
	for order, want := range map[string]string{
		`["q", "p"]`: "at 5s d waits for actor.desk.pool.p, c waits for actor.desk.pool.q",
		`["p", "q"]`: "",
	} {
		text := strings.Replace(text, "ORDER", order, 1)
		run := interp.Run(plansOf(t, text)[0], interp.RunOptions{})
		var got string
		for _, p := range brokenRules(run.Events) {
			got += p.Message
		}
		if got != want {
			t.Errorf("%s: %q, want %q", order, got, want)
		}
	}
}

// stuckCircle is a world in which two calls wait for each other without end once a third
// one is late: it holds b for so long that they come to their locks together.
const stuckCircle = `
lock "a" {}
lock "b" {}
actor "left" {
  handler "go" {
    takes   = "100ms"
    lock    = ["a", "b"]
    timeout = "9s"
  }
}
actor "right" {
  handler "go" {
    takes   = "100ms"
    lock    = ["b", "a"]
    timeout = "9s"
  }
}
actor "third" {
  handler "go" {
    takes   = "500ms"
    lock    = ["b"]
    timeout = "9s"
  }
}
scenario "s" {
  call "first" {
    target = actor.third.go
    at     = "1s"
  }
  call "second" {
    target = actor.right.go
    at     = "2s"
  }
  call "last" {
    target = actor.left.go
    at     = "2500ms"
  }
  expect "second" { status = "success" }
  expect "last" { status = "success" }
}`

// A circle is found where it is why the run has no end, too, and where that itself is no
// find; the end of such a run is judged by nothing else.
func TestCircleOfARunThatIsStuck(t *testing.T) {
	for _, except := range [][]string{nil, {"deadlock"}} {
		found := func(text string) (names []string) {
			for _, f := range searched(t, text, Options{MaxK: 1, Kinds: []string{"timeout", "delay"}, Except: except}).Finds {
				if f.Name != "deadlock" {
					names = append(names, f.Name)
				}
			}
			return names
		}
		if got := found(stuckCircle); len(got) != 1 || got[0] != ruleCircle {
			t.Errorf("without %q there is %q, want the circle alone", except, got)
		}
		if got := found(strings.Replace(stuckCircle, `["b", "a"]`, `["a", "b"]`, 1)); len(got) > 0 {
			t.Errorf("without %q there is %q in the twin", except, got)
		}
	}
}
