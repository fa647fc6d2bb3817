package explore

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
)

const modelled = `
provider "http" "shop" {
  base_url = "https://shop.test"
  timeout  = "5s"
}
retry "linear" "ours" {
  max_retries = RETRIES
  delay       = "1s"
}
workflow "order" {
  provider   = provider.shop
  on_failure = "continue"
  step "http" "look" {
    path  = "/look"
    retry = retry.ours
  }
  step "http" "take" {
    path       = "/take"
    depends_on = [step.look]
    retry      = retry.ours
  }
  step "http" "note" {
    path  = "/note"
    retry = retry.ours
  }
}
invariant "what is taken was there" {
  condition = step.look.status_code != 404
}
scenario "s" {
  run = workflow.order
  on "look" {
    reply { json = {} }
  }
  on "take" {
    reply { json = {} }
  }
  on "note" {
    reply { json = {} }
  }
  expect "run" { status = "success" }
}
`

// planOf compiles the one scenario of a text.
func planOf(t *testing.T, text string) *interp.Plan {
	t.Helper()
	f, diags := dsl.Parse("s.scenario.hcl", []byte(text))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	suite, diags := interp.Compile(f, interp.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return suite.Plans[0]
}

// programWithModel is a workflow that takes the place of a program, beside its model.
func programWithModel(t *testing.T, retries, modelRetries string) *World {
	t.Helper()
	w := Interpreted(planOf(t, strings.ReplaceAll(modelled, "RETRIES", retries)), nil)
	w.Program = &Program{Virtual: true, Model: Interpreted(planOf(t, strings.ReplaceAll(modelled, "RETRIES", modelRetries)), nil)}
	return w
}

// A program that does what its model does agrees with it in each of the behaviours that
// a search of the model itself finds. One with a retry more differs after each group of
// faults that outlasts a retry, once for each step, and in nothing else.
func TestAgreement(t *testing.T) {
	o := Options{MaxK: 1, Runs: 10_000, Kinds: []string{"connection_refused", "timeout", "outage"}, NoStandard: true}
	same := Explore(programWithModel(t, "2", "2"), o)
	alone := Explore(Interpreted(planOf(t, strings.ReplaceAll(modelled, "RETRIES", "2")), nil), o)
	a := same.Agreement
	if a == nil || a.Agree != a.Behaviours || a.Behaviours != alone.Account.Behaviours || a.Runs != alone.Account.Runs || a.K != 1 {
		t.Errorf("%+v, and the model has %d behaviours in %d runs", a, alone.Account.Behaviours, alone.Account.Runs)
	}
	o.Kinds = append(o.Kinds, "http_error")
	more := Explore(programWithModel(t, "3", "2"), o)
	var names []string
	for _, f := range more.Finds {
		if f.Oracle == KindModel {
			names = append(names, f.Name)
			if f.Times == 0 || f.Of != more.Agreement.Runs || len(f.Model) == 0 || f.Set[0].Outage == nil || f.Range.Filename != "s.scenario.hcl" || f.Range.Start.Line == 0 {
				t.Errorf("%+v", f)
			}
		}
	}
	slices.Sort(names)
	want := []string{
		"look: attempts after 5xx", "look: attempts after conn", "look: attempts after hang",
		"note: attempts after 5xx", "note: attempts after conn", "note: attempts after hang",
		"take: attempts after 5xx", "take: attempts after conn", "take: attempts after hang",
	}
	if !slices.Equal(names, want) || more.Agreement.Agree >= more.Agreement.Behaviours {
		t.Errorf("%q, %+v", names, more.Agreement)
	}
}

// What differs under a fault is not told of, or counted, again under that and another
// one.
func TestPairsOfWhatDiffers(t *testing.T) {
	differing := func(r *Report) (n int) {
		for _, f := range r.Finds {
			n += f.Times
		}
		return n
	}
	o := Options{MaxK: 1, Runs: 100_000, Kinds: []string{"http_error"}, NoStandard: true}
	single := differing(Explore(programWithModel(t, "0", "1"), o))
	o.MaxK = 2
	r := Explore(programWithModel(t, "0", "1"), o)
	if pairs := differing(r); single == 0 || pairs != single || r.Agreement.K != 2 {
		t.Errorf("%d single faults show a difference, and with pairs %d sets do: %+v", single, pairs, r.Agreement)
	}
	if r = Explore(programWithModel(t, "2", "1"), o); !slices.ContainsFunc(r.Finds, func(f *Find) bool { return f.Oracle == KindModel && len(f.Set) == 2 }) || r.Agreement.K != 2 {
		t.Errorf("a second retry is seen by no pair: %+v", r.Agreement)
	}
}

// Where a program and its model differ without a fault, that is the find, and nothing
// else is compared.
func TestDiffersWithoutAFault(t *testing.T) {
	w := programWithModel(t, "2", "2")
	w.Program.Model = Interpreted(planOf(t, strings.ReplaceAll(strings.ReplaceAll(modelled, "RETRIES", "2"), "[step.look]", "[step.look]\n    when = step.look.status_code == 201")), nil)
	r := Explore(w, Options{MaxK: 1, Runs: 100, NoStandard: true})
	if len(r.Finds) == 0 || r.Finds[0].Oracle != KindModel || len(r.Finds[0].Set) != 0 || r.Finds[0].Name != "take: attempts" || r.Agreement != nil {
		t.Fatalf("%+v, %+v", r.Finds, r.Agreement)
	}
	if slices.ContainsFunc(r.Finds[1:], func(f *Find) bool { return f.Oracle == KindModel }) {
		t.Error("something else is compared")
	}
}

// A model that cannot make its requests, as only the program knows where they go, is
// compared with nothing, and the report says why.
func TestModelWithoutAnAddress(t *testing.T) {
	w := programWithModel(t, "2", "2")
	without := strings.Replace(strings.ReplaceAll(modelled, "RETRIES", "2"), `base_url = "https://shop.test"`, "", 1)
	w.Program.Model = Interpreted(planOf(t, without), nil)
	r := Explore(w, Options{MaxK: 1, Runs: 100, NoStandard: true, Kinds: []string{"http_error"}})
	if !strings.Contains(r.Uncompared, `"look" of the model failed: the request cannot be made: there is no address`) || strings.Contains(r.Uncompared, "\n") || r.Agreement != nil {
		t.Errorf("%q, %+v", r.Uncompared, r.Agreement)
	}
	if slices.ContainsFunc(r.Finds, func(f *Find) bool { return f.Oracle == KindModel }) {
		t.Error("a difference from the model is a find")
	}
}

// What was compared since the program was last known to be what it was does not count.
func TestAgreementOfAProgramThatRemembers(t *testing.T) {
	w := programWithModel(t, "2", "2")
	run, runs := w.Run, 0
	w.Program.Recheck = 10
	w.Run = func(inject func(interp.Point) *interp.Injection, events int) *interp.Result {
		runs++
		r := run(inject, events)
		if runs > 20 {
			broken := *r
			broken.Verdict = interp.Fail
			return &broken
		}
		return r
	}
	r := Explore(w, Options{MaxK: 1, Runs: 100, NoStandard: true, Kinds: []string{"http_error"}})
	if r.Unsteady == nil || r.Agreement == nil || r.Agreement.Runs >= r.Account.Runs {
		t.Errorf("unsteady %t, %+v of %d runs", r.Unsteady != nil, r.Agreement, r.Account.Runs)
	}
}

// Of a program on the real clock those sets come first that break something in its
// model, one for each thing, then one for each behaviour of that.
func TestModelComesFirst(t *testing.T) {
	w := programWithModel(t, "1", "1")
	w.Program.Virtual = false
	s := newSearch(w, &Options{MaxK: 1, Runs: 1000})
	if !s.begin() {
		t.Fatal("there is nothing to strike")
	}
	sets := s.singles()
	if first := sets[0].String(); first != "look, attempt 1: 404" {
		t.Errorf("the first is %s", first)
	}
	var ranks []int
	seen := map[behaviour]bool{s.comparer.compared[0].behaviour: true}
	for _, set := range sets[1:] {
		o := s.comparer.world.play(set, s.comparer.reader, s.comparer.limit, true)
		switch {
		case !o.says() || seen[o.key]:
			ranks = append(ranks, 1)
		default:
			seen[o.key] = true
			ranks = append(ranks, 0)
		}
	}
	if !slices.IsSortedFunc(ranks, cmp.Compare[int]) || !slices.Contains(ranks, 1) {
		t.Errorf("%v", ranks)
	}
}
