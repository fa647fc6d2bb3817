package explore

import (
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
)

const asks = head + `
retry "linear" "r" {
  delay       = "1s"
  max_retries = 1
}
workflow "w" {
  step "http" "a" {
    provider = provider.billing
    path     = "/"
    retry    = retry.r
  }
  step "http" "b" {
    provider   = provider.mail
    path       = "/"
    depends_on = [step.a]
  }
}
scenario "s" {
  run = workflow.w
  on "*" {
    reply {}
  }
  expect "run" { status = "success" }
}
`

// A reference tries the sets that a search tries, in its order, singles and pairs; beside
// itself none of them differs, and it says that there are no more.
func TestReferenceTriesWhatASearchTries(t *testing.T) {
	plan := plansOf(t, asks)[0]
	var searched, compared []string
	record := func(list *[]string) *World {
		w := *Interpreted(plan, nil)
		run := w.Run
		w.Run = func(inject func(interp.Point) *interp.Injection, events int) *interp.Result {
			var met []string
			r := run(func(p interp.Point) *interp.Injection {
				x := inject(p)
				if x != nil {
					met = append(met, p.Address+" "+x.Fault.Brief(x.Args))
				}
				return x
			}, events)
			*list = append(*list, strings.Join(met, "; "))
			return r
		}
		return &w
	}
	s := Explore(record(&searched), Options{MaxK: 2, Runs: 100_000, Except: []string{KindWrong}})
	if len(s.Finds) > 0 {
		t.Fatal(findsOf(s)) // they would be shrunk
	}
	r := NewReference(record(&compared), Options{})
	defer r.Close()
	runs := 0
	for k := 1; k <= 2; k++ {
		set, n, all := r.Differs(Interpreted(plan, nil), k, 1<<30)
		if set != nil || !all {
			t.Errorf("k = %d: differs from itself under %s, all: %t", k, set, all)
		}
		runs += n
	}
	if a := &s.Account; runs != a.Runs-1-a.Unfit-a.Unanswered {
		t.Errorf("%d runs, want all of %d but the first, %d that do not apply and %d unanswered", runs, a.Runs, a.Unfit, a.Unanswered)
	}
	if !slices.Equal(searched, compared) {
		t.Errorf("%d sets are tried, a search tries %d, or in another order", len(compared), len(searched))
	}
}

// A variant is told from the reference by the first set that shows it: retries by a
// failure, a lost second retry by two of them and by no single fault.
func TestReferenceDiffers(t *testing.T) {
	plan := plansOf(t, asks)[0]
	once := plansOf(t, strings.Replace(asks, "max_retries = 1", "max_retries = 0", 1))[0]
	twice := plansOf(t, strings.Replace(asks, "max_retries = 1", "max_retries = 2", 1))[0]
	r := NewReference(Interpreted(plan, nil), Options{Except: []string{"outage"}})
	defer r.Close()
	if set, runs, _ := r.Differs(Interpreted(once, nil), 1, 1000); set.String() != "a, attempt 1: connection_refused" || runs != 1 {
		t.Errorf("without retries: %s after %d runs", set, runs)
	}
	if set, _, all := r.Differs(Interpreted(twice, nil), 1, 1000); set != nil || !all {
		t.Errorf("two retries: differ under %s", set)
	}
	if set, _, _ := r.Differs(Interpreted(twice, nil), 2, 1000); set.String() != "a, attempt 1: connection_refused; a, attempt 2: connection_refused" {
		t.Errorf("two retries: differ under %s", set)
	}
	if set, runs, all := r.Differs(Interpreted(twice, nil), 1, 3); set != nil || runs != 3 || all {
		t.Errorf("a budget of three: %s, %d runs, all: %t", set, runs, all)
	}
}
