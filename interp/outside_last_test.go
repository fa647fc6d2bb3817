package interp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Shows that a scenario is told of in which only the last of several requests of one kind fails, and that it is not
// where an earlier one fails, the last is tried again, something is asked after it, it would not have come without
// an answer to an earlier one, or the program does not end well.
func TestFailuresThatComeLast(t *testing.T) {
	const source = `provider "http" "erp" { base_url = "https://erp.test" }
provider "http" "tea" { base_url = "https://tea.test" }
provider "http" "pots" { base_url = "https://pots.test" }
provider "openai" "llm" {}
scenario "s" {
  sut { command = ["agent"] }
  on "erp" {
    exhausted = "repeat_last"
    fault "http_error" {
      match { json = { bad = true } }
      status_code = 422
      times       = 9
    }
    reply { json = { next = "c-200" } }
  }
  on "tea" {
    reply {}
  }
  on "pots" {
    fault "http_error" { status_code = 503 }
  }
  on "llm" {
    exhausted = "repeat_last"
    reply { content = "ok" }
  }
  assert "x" { condition = sut.exit_code != 9 }
}
`
	const (
		orders = "https://erp.test/orders"
		model  = "https://api.openai.com/v1/chat/completions"
	)
	order := func(id string, bad bool) [2]string {
		return [2]string{orders, fmt.Sprintf(`{"id": %q, "bad": %t}`, id, bad)}
	}
	tea, pots := [2]string{"https://tea.test/offers"}, [2]string{"https://pots.test/offers"}
	for name, c := range map[string]struct {
		asks [][2]string
		code int
		told bool
		made bool
	}{
		"the last of its kind":          {[][2]string{order("o-1", false), order("o-2", false), order("o-3", true)}, 0, true, false},
		"of two":                        {[][2]string{order("o-1", false), order("o-3", true)}, 0, true, false},
		"with another endpoint before":  {[][2]string{tea, order("o-1", false), order("o-3", true)}, 0, true, false},
		"several endpoints":             {[][2]string{tea, pots}, 0, true, false},
		"the first":                     {[][2]string{order("o-3", true), order("o-1", false)}, 0, false, true},
		"the first and the last":        {[][2]string{order("o-3", true), order("o-1", false), order("o-4", true)}, 0, false, true},
		"tried again":                   {[][2]string{order("o-1", false), order("o-3", true), order("o-3", true)}, 0, false, true},
		"something is asked after it":   {[][2]string{order("o-1", false), order("o-3", true), tea}, 0, false, false},
		"the first of several at once":  {[][2]string{pots, tea}, 0, false, true},
		"the only one":                  {[][2]string{order("o-3", true)}, 0, false, false},
		"of another kind":               {[][2]string{{orders + "/7/lines", `{"id": "o-1"}`}, order("o-3", true)}, 0, false, false},
		"the same before":               {[][2]string{order("o-3", true), order("o-3", true)}, 0, false, true},
		"a page":                        {[][2]string{{orders, `{"page": 1}`}, {orders, `{"page": 2, "bad": true}`}}, 0, false, false},
		"what an earlier answer has":    {[][2]string{{orders, `{"id": "c-100"}`}, {orders, `{"id": "c-200", "bad": true}`}}, 0, false, false},
		"the program does not end well": {[][2]string{order("o-1", false), order("o-3", true)}, 1, false, false},
		"none fails":                    {[][2]string{order("o-1", false), order("o-2", false), {model, `{"model": "m", "messages": []}`}}, 0, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := drivenBy(t, source)
				for _, a := range c.asks {
					d.asks(a[0], a[1]).End(false)
				}
				d.run.ProgramEnded(ProgramEnd{Code: &c.code, Ran: time.Second})
				d.run.Finish("")
				told, made := false, false
				for _, trial := range d.run.Trials([]string{"agent"}, func() Files { return Files{Whole: true} }) {
					told = told || strings.Contains(trial.Why, "only the last failed")
					made = made || trial.Made && !strings.HasPrefix(trial.Of, "values of ")
				}
				if told != c.told || made != c.made {
					t.Errorf("told %v, made %v", told, made)
				}
			})
		})
	}
}

// Shows that a program which asks for several things at once is not told of: none of them was stopped.
func TestFailuresOfWhatIsAskedAtOnce(t *testing.T) {
	for _, atOnce := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			d := drivenBy(t, `provider "http" "erp" { base_url = "https://erp.test" }
endpoint "orders" {
  provider   = provider.erp
  concurrent = "arrival"
}
scenario "s" {
  sut { command = ["agent"] }
  on "orders" {
    reply { latency = "1s" }
    fault "http_error" { status_code = 422 }
  }
  assert "x" { condition = sut.exit_code == 0 }
}
`)
			first := d.asks("https://erp.test/orders", `{"id": "o-1"}`)
			if !atOnce {
				d.takes(first, time.Second)
			}
			second := d.asks("https://erp.test/orders", `{"id": "o-2"}`)
			second.End(false)
			if atOnce {
				d.takes(first, time.Second)
			}
			code := 0
			d.run.ProgramEnded(ProgramEnd{Code: &code, Ran: time.Second})
			d.run.Finish("")
			if list := d.run.Trials([]string{"agent"}, func() Files { return Files{Whole: true} }); (len(list) > 0) == atOnce {
				t.Errorf("at once %v: %+v", atOnce, list)
			}
		})
	}
}
