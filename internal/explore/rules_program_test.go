package explore

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
	"github.com/scenario-lang/scenario/wire"
)

// The rules for programs have the names of the invariants of the module that are about
// endpoints, in their order, but for the last of those.
func TestProgramRulesAreThoseOfTheModule(t *testing.T) {
	src, _ := stdlib.Module(strings.TrimPrefix(StandardRules, stdlib.ModulePrefix))
	var want, got []string
	for _, block := range strings.Split(string(src), "\ninvariant \"")[1:] {
		name, condition, _ := strings.Cut(block, "\"")
		if strings.Contains(condition, "in endpoints") {
			want = append(want, name)
		}
	}
	for _, r := range programRules {
		got = append(got, r.name)
	}
	if !slices.Equal(append(got, "a program has somebody else to ask"), want) {
		t.Errorf("%q, and the module has %q", got, want)
	}
}

const erratic = `
import = ["std/resilience"]
provider "openai" "llm" {}
provider "http" "shop" { base_url = "https://shop.test" }
endpoint "ask" {
  provider = provider.llm
  lane     = request.headers["x-worker"]
}
scenario "s" {
  on "ask" {
    reply {
      content = "one two three"
      times   = "*"
    }
  }
  on "shop" {
    reply {
      json  = { ok = true }
      times = "*"
    }
  }
}
`

// An errant program asks a model in three lanes, and a shop, and does about a failure
// what no program should.
type errant struct {
	run *interp.Outside
	// tries and pause are how often it asks again, and after how long.
	tries int
	pause time.Duration
	// keyed says that what it repeats has a key, renamed that this is a new one each time,
	// and trusting that it goes on with whatever came of a stream.
	keyed, renamed, trusting bool
	keys                     *atomic.Int64
}

// RoundTrip implements http.RoundTripper.
func (p *errant) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	x, err := p.run.Answer(req.Context(), interp.Asked{Request: req, Body: body})
	if err != nil {
		return nil, err
	}
	return x.Script().RoundTripWatched(wire.System(), req.Clone(req.Context()), x)
}

// once asks once: what came of it, and whether all of it did.
func (p *errant) once(url, worker, body string) (text string, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	req.Header.Set("X-Worker", worker)
	req.Header.Set("Content-Type", "application/json")
	if p.keyed {
		req.Header.Set("Idempotency-Key", "k"+body)
	}
	if p.renamed {
		req.Header.Set("Idempotency-Key", fmt.Sprint(p.keys.Add(1)))
	}
	resp, err := (&http.Client{Transport: p}).Do(req)
	if err != nil {
		return "", false
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	for _, m := range regexp.MustCompile(`"content":"([^"]*)"`).FindAllSubmatch(got, -1) {
		text += string(m[1])
	}
	return text, err == nil && resp.StatusCode == http.StatusOK && (!strings.Contains(url, "openai") || bytes.Contains(got, []byte("[DONE]")))
}

func (p *errant) ask(url, worker, body string) string {
	for range p.tries {
		text, ok := p.once(url, worker, body)
		if ok || p.trusting && text != "" {
			return text
		}
		time.Sleep(p.pause)
	}
	return ""
}

func (p *errant) work(worker string) {
	said := func(messages ...string) string {
		var list []any
		for i, m := range messages {
			list = append(list, map[string]any{"role": []string{"user", "assistant"}[i%2], "content": m})
		}
		body, _ := json.Marshal(map[string]any{"model": "m", "stream": true, "messages": list})
		return string(body)
	}
	const url = "https://api.openai.com/v1/chat/completions"
	if answer := p.ask(url, worker, said("why?")); answer != "" {
		p.ask(url, worker, said("why?", answer, "and?"))
	}
}

// play is a run of the program in fake time, which ends with 0.
func (p errant) play(t *testing.T, plan *interp.Plan, inject func(interp.Point) *interp.Injection) *interp.Result {
	var result *interp.Result
	synctest.Test(t, func(*testing.T) {
		p.keys = new(atomic.Int64)
		p.run = interp.NewOutside(plan, interp.OutsideOptions{Clock: wire.System(), Way: interp.Exec, Patience: time.Nanosecond, Inject: inject})
		p.run.Started(0)
		var workers sync.WaitGroup
		for _, worker := range []string{"a", "b", "c"} {
			workers.Go(func() { p.work(worker) })
		}
		workers.Wait()
		p.ask("https://shop.test/orders", "", "{}")
		code := 0
		p.run.ProgramEnded(interp.ProgramEnd{Code: &code})
		result, _ = p.run.Finish("")
		time.Sleep(time.Hour)
	})
	return result
}

// copied begins the names of invariants that are those of the module, written into a file
// of its own: their conditions are evaluated, also where Go knows that those of the module
// hold.
const copied = "copy: "

// saidOf are the problems of invariants of a file whose names begin so, as what there is to say of
// each by the rest of its name.
func saidOf(list []interp.Problem, file, prefix string) map[string]interp.Problem {
	said := map[string]interp.Problem{}
	for _, p := range list {
		name, ok := strings.CutPrefix(p.Name, prefix)
		if ok && p.Kind == "invariant" && p.Range.Filename == file {
			said[name] = interp.Problem{Message: p.Message, Operands: p.Operands, Diff: p.Diff}
		}
	}
	return said
}

// countsOf are how often invariants of a file were evaluated.
func countsOf(list []interp.InvariantCount, file, prefix string) map[string]int {
	counts := map[string]int{}
	for _, c := range list {
		if name, ok := strings.CutPrefix(c.Name, prefix); ok && c.Range.Filename == file {
			counts[name] = c.Evaluated
		}
	}
	return counts
}

// What the rules say of a run that a program drives is what the invariants of the module
// say, whatever strikes, whatever the program does about it. What a run says of the module,
// whose conditions it spares where it can, is what it says of a copy.
func TestProgramRulesAgreeWithTheModule(t *testing.T) {
	src, _ := stdlib.Module(strings.TrimPrefix(StandardRules, stdlib.ModulePrefix))
	plan := plansOf(t, erratic+strings.ReplaceAll(string(src), "\ninvariant \"", "\ninvariant \""+copied))[0]
	w := &World{Plan: plan.JSON(), Program: &Program{Virtual: true}}
	programs := []errant{
		{tries: 3, pause: time.Second},
		{tries: 3, pause: time.Second, keyed: true, trusting: true},
		{tries: 14},
		{tries: 3, pause: time.Minute},
		{tries: 1, trusting: true},
		{tries: 3, pause: time.Second, renamed: true},
		{tries: 14, renamed: true},
	}
	var points []interp.Point
	programs[0].play(t, plan, func(p interp.Point) *interp.Injection {
		points = append(points, p)
		return nil
	})
	broke, compared := map[string]int{}, 0
	enough := func() bool { return testing.Short() && compared >= 60 && len(broke) == len(programRules) }
	for i := range points {
		p := &points[i]
		if p.N > 1 || p.Lane != "" && p.Lane != "a" {
			continue
		}
		for n, x := range catalogueOf(w, &Options{}, figuresOf(w.Plan), nil).at(p) {
			for m, program := range programs {
				if enough() || testing.Short() && (n+m)%3 != 0 || m >= 5 && n%5 != 0 {
					continue
				}
				inject := func(at interp.Point) *interp.Injection {
					if at.Address == x.Address && (x.Lane == "" || n%2 == 0 || at.Lane == x.Lane) && at.Meets(x.Fault) && (at.N <= 1+n%4 || n%5 == 0) {
						return x.injection()
					}
					return nil
				}
				r := program.play(t, plan, inject)
				if r.Injected.Unfit != "" || r.Injected.Unanswered != "" {
					continue
				}
				said := saidOf(r.Problems, plan.File, copied)
				if diff := cmp.Diff(said, saidOf(r.Problems, StandardRules, "")); diff != "" {
					t.Errorf("%s, program %d: of a copy of the module a run says otherwise:\n%s", x.String(), m, diff)
				}
				if diff := cmp.Diff(countsOf(r.Invariants, plan.File, copied), countsOf(r.Invariants, StandardRules, "")); diff != "" {
					t.Errorf("%s, program %d: a copy of the module is evaluated more or less often:\n%s", x.String(), m, diff)
				}
				var want, got []string
				for name := range said {
					if strings.HasPrefix(name, "a program ") || strings.HasPrefix(name, "the retries of") {
						want = append(want, name)
						broke[name]++
					}
				}
				for _, b := range brokenProgramRules(r.Events) {
					got = append(got, b.Name)
				}
				slices.Sort(want)
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Errorf("%s, program %d: the rules say %q, the invariants %q", x.String(), m, got, want)
				}
				compared++
			}
		}
	}
	t.Logf("%d runs compared", compared)
	if len(broke) != len(programRules) || compared < 60 {
		t.Errorf("%d runs were compared, and these were broken: %v", compared, broke)
	}
}

// A cut of which a program loses no content is not tried: it would be right to go on.
func TestCutsThatLoseNothing(t *testing.T) {
	plan := plansOf(t, erratic)[0]
	kinds := faults.Kinds()
	kind := kinds[slices.IndexFunc(kinds, func(k *faults.Kind) bool { return k.Name == "content_length_mismatch" })]
	for _, c := range []struct {
		by      int
		address string
		unfit   bool
	}{{-1, "ask", true}, {-len("data: [DONE]\n\n"), "ask", true}, {-40, "ask", false}, {50, "ask", false}, {-1, "shop", false}} {
		struck := false
		r := errant{tries: 1}.play(t, plan, func(p interp.Point) *interp.Injection {
			if struck || p.Address != c.address {
				return nil
			}
			struck = true
			return &interp.Injection{Fault: kind, Args: schema.Values{"by": c.by}}
		})
		if unfit := r.Injected.Unfit != ""; unfit != c.unfit || r.Injected.Strikes == 0 {
			t.Errorf("by %d at %s: unfit %q, struck %d times", c.by, c.address, r.Injected.Unfit, r.Injected.Strikes)
		}
	}
}
