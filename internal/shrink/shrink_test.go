package shrink

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// played runs a scenario of a text, nil where there is none.
func played(t *testing.T, files fstest.MapFS, path, name string) *interp.Result {
	t.Helper()
	l := suite.Loader{Source: suite.FS(files)}
	defer l.Close()
	f := l.Load(path)
	if f.Failed() {
		t.Log(f.Diags)
		return nil
	}
	for _, p := range f.Plans {
		if p.Name == name {
			return interp.Run(p, interp.RunOptions{})
		}
	}
	return nil
}

func playIn(t *testing.T) Play {
	return func(text []byte, name string) *interp.Result {
		return played(t, fstest.MapFS{"a.scenario.hcl": {Data: text}}, "a.scenario.hcl", name)
	}
}

// desk is a world of actors whose second call fails where it meets the first one, which
// a hold and an event do not need for that.
const desk = `
actor "desk" {
  pool "db" {
    size            = 1
    acquire_timeout = "1s"
  }
  handler "answer" {
    takes  = "4s"
    uses   = ["db"]
    return = "fine"
  }
}
actor "other" {
  pool "db" { size = 1 }
  handler "noise" { return = "n" }
}

scenario "busy" {
  call "ask" {
    target = actor.desk.answer
    at     = ["0s", "2s", "10s"]
  }
  call "noise" {
    target = actor.other.noise
    at     = "1s"
  }
  hold "l" {
    pool     = actor.other.pool.db
    to       = "5s"
    optional = true
  }
  event "down" {
    kill     = actor.other
    at       = "7s"
    optional = true
  }
  assert "each is answered" { condition = alltrue([for c in call.ask : c.status == "success"]) }
  assert "noise is made" { condition = call.noise.status == "success" }
}
`

// shop is one whose payment fails because of a fault and a late answer before it.
const shop = `
provider "http" "shop" {
  base_url = "http://shop"
  timeout  = "5s"
}
workflow "order" {
  provider = provider.shop
  timeout  = "6s"
  step "http" "price" { path = "/price" }
  step "http" "stock" {
    path     = "/stock"
    required = false
  }
  step "http" "pay" {
    path       = "/pay"
    depends_on = [step.price]
  }
}
invariant "an order is paid" {
  condition = run.ended_ms == null || step.pay.status == "success"
}
scenario "an order" {
  run   = workflow.order
  allow = ["unexpected_failure", "unfired_fault", "unused_reply"]
  on "price" {
    # It comes late.
    reply {
      json    = { cents = 1 }
      latency = "4s"
    }
  }
  on "stock" {
    fault "http_error" { status_code = 503 }
    reply { json = { left = 1 } }
  }
  on "pay" {
    reply {
      json    = {}
      latency = "3s"
    }
    reply { json = {} }
  }
  outage "stock is down later" {
    address  = "stock"
    from     = "1h"
    optional = true
    fault "timeout" {}
  }
  expect "price" { status = "success" }
}
`

// What is not needed goes, and what is needed stays: a fault that is not to blame for
// it, a second call that meets the first.
func TestWhatGoes(t *testing.T) {
	for _, c := range []struct {
		source, name, keep string
		stays, goes        []string
	}{
		{desk, "busy", "each is answered", []string{`["0s", "2s"]`, "each is answered"}, []string{"10s", "noise", "hold", "event"}},
		{shop, "an order", "an order is paid", []string{`latency = "4s"`, `latency = "3s"`, `on "price"`}, []string{"http_error", "outage"}},
	} {
		r, err := Scenario([]byte(c.source), c.name, c.keep, nil, playIn(t))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		block := string(r.Block)
		for _, text := range c.stays {
			if !strings.Contains(block, text) {
				t.Errorf("%s: %q is gone:\n%s", c.name, text, block)
			}
		}
		for _, text := range c.goes {
			if strings.Contains(block, text) {
				t.Errorf("%s: %q is still there:\n%s", c.name, text, block)
			}
		}
		if !strings.HasPrefix(string(r.Text), c.source[:strings.Index(c.source, "scenario \"")]) {
			t.Errorf("%s: the world is another:\n%s", c.name, r.Text)
		}
		least(t, r, c.name)
		written(t, c.source, r)
	}
}

// least fails where a block of the scenario could go that did not.
func least(t *testing.T, r *Result, name string) {
	t.Helper()
	file, _ := hclsyntax.ParseConfig(r.Text, "", hcl.InitialPos)
	for _, b := range file.Body.(*hclsyntax.Body).Blocks {
		if b.Type != "scenario" {
			continue
		}
		for _, inside := range b.Body.Blocks {
			less := slices.Concat(r.Text[:inside.Range().Start.Byte], r.Text[inside.CloseBraceRange.End.Byte:])
			run := playIn(t)(less, name)
			if run != nil && len(run.Problems) > 0 && !slices.ContainsFunc(run.Problems, func(p interp.Problem) bool { return p.Name != r.Kept.Name }) {
				t.Errorf("%s: %s %q could go", name, inside.Type, inside.Labels)
			}
		}
	}
}

// written fails where the file that imports the world does not fail the same way.
func written(t *testing.T, source string, r *Result) {
	t.Helper()
	text := r.Written("./a.scenario.hcl")
	run := played(t, fstest.MapFS{"a.scenario.hcl": {Data: []byte(source)}, "b.scenario.hcl": {Data: text}}, "b.scenario.hcl", r.Name())
	if run == nil || !slices.ContainsFunc(run.Problems, func(p interp.Problem) bool { return p.Name == r.Kept.Name }) {
		t.Errorf("%q does not fail:\n%s", r.Kept.Name, text)
	}
}

// A call that nothing answers any more fails for another reason: its script stays.
func TestNothingElseFails(t *testing.T) {
	const source = `
provider "http" "shop" {
  base_url = "http://shop"
  timeout  = "5s"
}
workflow "w" {
  provider = provider.shop
  step "http" "pay" { path = "/pay" }
}
scenario "s" {
  run = workflow.w
  on "pay" {
    fault "http_error" { status_code = 500 }
  }
  expect "pay" { status = "success" }
}`
	r, err := Scenario([]byte(source), "s", "pay", nil, playIn(t))
	if err != nil || !strings.Contains(string(r.Block), "http_error") {
		t.Errorf("%v\n%s", err, r.Block)
	}
}

// Shows that nothing more is tried when the time is over: what has gone stays away, and what
// is left fails the same way.
func TestTheTimeIsOver(t *testing.T) {
	whole, err := Scenario([]byte(desk), "busy", "each is answered", nil, playIn(t))
	if err != nil || whole.Cut {
		t.Fatal(whole, err)
	}
	for after := range whole.Runs {
		over := make(chan time.Time, 1)
		runs := 0
		r, err := Scenario([]byte(desk), "busy", "each is answered", over, func(text []byte, name string) *interp.Result {
			if runs++; runs == after+1 {
				over <- time.Time{}
			}
			return playIn(t)(text, name)
		})
		if err != nil || !r.Cut || r.Runs != after+1 || runs != r.Runs || r.Left < whole.Left {
			t.Errorf("after %d: %+v, %d runs: %v", after, r, runs, err)
			continue
		}
		written(t, desk, r)
	}
}

// What cannot be made smaller says why.
func TestUnshrinkable(t *testing.T) {
	for _, c := range []struct{ source, name, keep, want string }{
		{strings.Replace(shop, `latency = "4s"`, `latency = "1s"`, 1), "an order", "", "passes"},
		{shop, "an order", "an order is red", `nothing of the name "an order is red" fails`},
		{strings.Replace(shop, "run   = workflow.order", "run   = workflow.order\n  for_each = [1]", 1), "an order", "", "one of many"},
		{strings.Replace(shop, "run   = workflow.order", "run   = workflow.none", 1), "an order", "", "cannot be run"},
	} {
		_, err := Scenario([]byte(c.source), c.name, c.keep, nil, playIn(t))
		var u *Unshrinkable
		if !errors.As(err, &u) || !strings.Contains(u.Why, c.want) || u.Passes != (c.want == "passes") {
			t.Errorf("%s: %v", c.want, err)
		}
	}
}
