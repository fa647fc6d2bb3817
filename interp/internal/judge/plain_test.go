package judge_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/internal/engine"
	"github.com/scenario-lang/scenario/interp/internal/judge"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/suite"
)

// The world of the order, with a breaker and a local to read.
var (
	guarded = `
breaker "b" {
  threshold = 2
  reset     = "5s"
}
locals { few = 2 }
provider "http" "web" { base_url = "http://shop.test" }
gateway "g" {
  target "shop" {
    provider = provider.web
    breaker  = breaker.b
  }
}
` + strings.Replace(between(order, `shop.test" }`, "invariant"), "provider = provider.shop", "gateway = gateway.g", 1)
	played = strings.Replace(order[strings.Index(order, `scenario "it"`):], `body = "paid"`, `json = { ok = true, n = 2, at = null, tags = ["a", "b"], lines = [{ sku = "x", qty = 1 }, { sku = "y", qty = 3 }] }`, 1)
)

// between is what stands after one text and before the next one after it.
func between(text, from, to string) string {
	_, text, _ = strings.Cut(text, from)
	text, _, _ = strings.Cut(text, to)
	return text
}

// writer writes conditions of the forms that are plain.
type writer struct{ *rand.Rand }

func (w writer) of(list ...string) string { return list[w.IntN(len(list))] }

// texts are attributes with words that they may be.
var texts = map[string][]string{
	"status":  {`"success"`, `"failed"`},
	"outcome": {`"success"`, `"failure"`},
	"kind":    {`"connection"`, `"http_status"`, `"timeout"`},
}

func (w writer) step() string { return "step." + w.of("reserve", "pay", "later") }

func (w writer) text(of, attr string) string {
	return fmt.Sprintf("%s.%s %s %s", of, attr, w.of("==", "!="), w.of(texts[attr[strings.LastIndex(attr, ".")+1:]]...))
}

func (w writer) number() string {
	return w.of(
		w.step()+"."+w.of("retries", "started_ms", "ended_ms", "elapsed_ms", "status_code", "cost_usd"),
		w.step()+".attempts["+w.of("0", "1")+"]."+w.of("at_ms", "status_code", "ended_ms"),
		"run."+w.of("ended_ms", "cost_usd", "started_ms"),
		"length("+w.list()+")",
		"length([for a in "+w.list()+" : a if "+w.each()+"])",
		"breaker.shop.failures", "target.shop.in_flight_max",
	)
}

func (w writer) list() string { return w.of(w.step(), "target.shop") + ".attempts" }

// each is a condition of an attempt.
func (w writer) each() string {
	return w.of(
		w.text("a", "outcome"), "a.error "+w.of("==", "!=")+" null", "a.n <= "+w.of("1", "2"), "a.at_ms < 5000",
		"a.status_code == 200", "a.outcome == null || a.error == null || "+w.text("a", "error.kind"), w.text("a", "error.kind"),
		"!("+w.text("a", "outcome")+")", "a.gap_ms == null || a.gap_ms >= 1000",
	)
}

func (w writer) condition(depth int) string {
	if depth > 0 && w.IntN(3) > 0 {
		left, right := w.condition(depth-1), w.condition(depth-1)
		return w.of("("+left+" || "+right+")", "("+left+" && "+right+")", "!"+left, left+" || "+right)
	}
	return "(" + w.of(
		w.text(w.step(), "status"), w.text("run", "status"), w.text(w.step(), "error.kind"),
		w.number()+w.of(" <= ", " < ", " > ", " >= ", " == ", " != ")+w.of("0", "1", "2", "200", "1000", "local.few"),
		w.number()+w.of(" <= ", " < ")+w.number(), w.number()+" - "+w.number()+" <= 1000",
		w.step()+"."+w.of("status", "error", "replaced_by", "ended_ms", "stop")+w.of(" == ", " != ")+"null",
		w.of("alltrue", "anytrue")+"([for a in "+w.list()+" : "+w.each()+"])",
		"alltrue([for a in "+w.list()+" : "+w.each()+" if "+w.each()+"])",
		"breaker.shop.state != \"open\"", "breaker.shop.state == \"open\"", w.answer(), w.nested(),
	) + ")"
}

// answer is a condition of what a step was answered.
func (w writer) answer() string {
	json := w.step() + ".json"
	return w.of(
		json+".n"+w.of(" <= ", " == ", " > ")+w.of("1", "2"), json+".ok == "+w.of("true", "false"),
		json+w.of("", ".at", ".lines", ".tags[0]", ".tags[7]", ".lines[1].sku", ".missing", ".n.below")+w.of(" == ", " != ")+"null",
		"length("+json+"."+w.of("lines", "tags", "n", "ok")+") == "+w.of("1", "2"),
		json+"."+w.of(`tags[0] == "a"`, `tags[1] != "b"`, `lines[1].sku == "y"`, `lines[7].sku == "x"`, `missing == 1`, `at == 1`),
		w.of("alltrue", "anytrue")+"([for l in "+json+".lines : l.qty "+w.of("<=", ">")+" 1])",
		w.of("alltrue", "anytrue")+"([for l in "+json+"."+w.of("tags", "lines")+" : l == "+w.of(`"a"`, "null")+"])",
		"length([for l in "+json+".lines : l if l.sku == \"x\"]) == 1",
	)
}

// nested is a condition over several steps, some of which were never asked.
func (w writer) nested() string {
	steps := "[" + w.step() + ", " + w.step() + "]"
	attempts := w.of("coalesce(s.attempts, [])", "s.attempts", "coalesce(s.json.lines, [])", "coalesce(s.json.at, [])")
	each := w.of("a.n >= 1", "a == null", "a.outcome == \"success\"",
		"a.error == null || contains([\"timeout\", \"connection\"], a.error.kind)", "contains([\"success\"], a.outcome)", "contains([\"failure\", \"cancelled\"], a.outcome)", "!contains([\"timeout\"], a.error.kind)")
	return w.of(
		w.of("alltrue", "anytrue")+"([for s in "+steps+" : "+w.of("alltrue", "anytrue")+"([for a in "+attempts+" : "+each+"])])",
		"length([for s in "+steps+" : s if s.status == \"success\"]) <= 1",
		"length(coalesce("+w.step()+"."+w.of("attempts", "json.lines", "json.n", "error")+", [])) <= "+w.of("0", "1", "2"),
		"alltrue([for a in coalesce("+w.step()+"."+w.of("attempts", "json.lines", "error.kind")+", []) : a != null])",
		w.of("", "!")+"contains("+w.of(`["success", "failed"]`, `["failed", "x"]`, `["b"]`)+", "+w.step()+"."+w.of("status", "json.tags[0]", "json.n", "error.kind", "json.at", "ended_ms")+")",
	)
}

// Shows that a plain condition comes to what all of it comes to: hundreds of them
// break after the same event, are counted alike and told of alike, whatever two of the
// first attempts fail.
func TestPlainConditions(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(1, 2))}
	reset := faults.Lookup("connection_reset")
	wanted, held, broke, plainly := 500, map[string]bool{}, map[string]bool{}, 0
	if testing.Short() {
		wanted = 50
	}
	for n := 0; n < wanted; {
		p, conditions := valid(t, w, 25)
		n += len(conditions)
		for _, i := range plan.Inside(p).Invariants {
			if i.Plain != nil {
				plainly++
			}
		}
		for first := range 5 {
			for second := range first + 1 {
				asked := 0
				inject := func(interp.Point) *interp.Injection {
					if asked++; asked != first && asked != second {
						return nil
					}
					return &interp.Injection{Fault: reset, Args: reset.Usual()}
				}
				r := engine.NewRun(plan.Inside(p), interp.RunOptions{Inject: inject}, nil)
				short, whole := judge.Watch(r.Obs, ""), judge.WatchEach(r.Obs)
				if err := r.Play(); err != nil {
					t.Fatal(err)
				}
				for what, pair := range map[string][2]any{
					"counts":   {short.Counts(), whole.Counts()},
					"problems": {short.Problems(), whole.Problems()},
					"late":     {short.Late(), whole.Late()},
				} {
					if diff := cmp.Diff(pair[1], pair[0]); diff != "" {
						t.Fatalf("%s with faults at %d and %d:\n%s\n%s", what, first, second, diff, strings.Join(conditions, "\n"))
					}
				}
				for _, p := range whole.Problems() {
					broke[p.Name+fmt.Sprint(n)] = true
				}
				for _, c := range whole.Counts() {
					if c.Evaluated > 0 {
						held[c.Name+fmt.Sprint(n)] = true
					}
				}
			}
		}
	}
	if plainly < wanted*9/10 || len(held) < wanted/2 || len(broke) < wanted/5 {
		t.Errorf("%d plain, %d evaluated, %d broken", plainly, len(held), len(broke))
	}
}

// valid is a plan with so many conditions, those of the written ones that nothing is
// wrong with.
func valid(t *testing.T, w writer, count int) (p *interp.Plan, conditions []string) {
	t.Helper()
	for range count {
		conditions = append(conditions, w.condition(2))
	}
	for {
		var b strings.Builder
		b.WriteString(guarded)
		for i, c := range conditions {
			fmt.Fprintf(&b, "invariant \"i%d\" { condition = %s }\n", i, c)
		}
		b.WriteString(played)
		loader := suite.Loader{Source: suite.FS(fstest.MapFS{"order.scenario.hcl": {Data: []byte(b.String())}})}
		file := loader.Load("order.scenario.hcl")
		loader.Close()
		if !file.Failed() {
			return file.Plans[0], conditions
		}
		wrong := map[int]bool{}
		for _, d := range file.Diags {
			if d.Severity == 1 && d.Subject != nil {
				wrong[d.Subject.Start.Line] = true
			}
		}
		first := 1 + strings.Count(guarded, "\n")
		var rest []string
		for i, c := range conditions {
			if !wrong[first+i] {
				rest = append(rest, c)
			}
		}
		if len(rest) == len(conditions) {
			t.Fatal(file.Diags)
		}
		conditions = rest
	}
}
