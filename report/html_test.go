package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

var (
	htmlTag   = regexp.MustCompile(`^<(/?[a-z][a-z0-9]*|!doctype)((?: [a-z][a-zA-Z0-9-]*(?:=(?:"[^"]*"|[a-z0-9]+))?)*) ?/?>`)
	htmlAttr  = regexp.MustCompile(` ([a-z][a-zA-Z0-9-]*)(?:=("[^"]*"|[a-z0-9]+))?`)
	htmlNames = strings.Fields(`!doctype html head meta title style body svg defs g circle rect path pattern use text tspan line desc a
header h1 h2 h3 h4 ul li b span label input table thead tbody tr th td details summary div p code pre dl dt dd figure`)
)

// checkPage says what of a page is not as we write it: tags and attributes that
// we have not, an attribute that loads or runs something, a fragment that is
// nowhere or twice, a tag that is closed and was not open.
func checkPage(page string) (found []string) {
	ids, links := map[string]int{}, []string{}
	var open []string
	style := strings.Index(page, "</style>")
	for i := 0; i < len(page); i++ {
		if page[i] != '<' || i > 0 && i < style && strings.Contains(page[:i], "<style>") {
			continue
		}
		m := htmlTag.FindStringSubmatch(page[i:])
		if m == nil {
			found = append(found, fmt.Sprintf("no tag of ours: %.60q", page[i:]))
			continue
		}
		name := strings.TrimPrefix(m[1], "/")
		if !slices.Contains(htmlNames, name) {
			found = append(found, "tag "+name)
		}
		for _, a := range htmlAttr.FindAllStringSubmatch(m[2], -1) {
			key, value := a[1], strings.Trim(a[2], `"`)
			switch {
			case key == "id":
				ids[value]++
			case key == "href":
				links = append(links, value)
			case strings.HasPrefix(key, "on"), key == "src", key == "action", key == "srcset":
				found = append(found, "attribute "+key)
			}
		}
		foldable := slices.Contains([]string{"details", "summary", "div", "svg", "a", "figure", "pre", "span", "text", "title"}, name)
		switch {
		case !foldable || strings.HasSuffix(m[0], "/>"):
		case m[1][0] != '/':
			open = append(open, name)
		case len(open) == 0 || open[len(open)-1] != name:
			found = append(found, fmt.Sprintf("</%s> closes %v", name, open))
		default:
			open = open[:len(open)-1]
		}
	}
	for _, l := range links {
		if !strings.HasPrefix(l, "#") || ids[l[1:]] == 0 {
			found = append(found, "link to "+l)
		}
	}
	for id, n := range ids {
		if n > 1 {
			found = append(found, "twice: "+id)
		}
	}
	if len(open) > 0 {
		found = append(found, fmt.Sprintf("not closed: %v", open))
	}
	return found
}

// Shows that a page is made of our own tags whatever names and answers hold,
// that each link leads somewhere in it, and that it loads nothing.
func TestHTMLIsOurs(t *testing.T) {
	all := suites()
	all["story"] = []Entry{story()}
	for name, entries := range all {
		page := written(t, HTML, entries, nil)
		for _, problem := range checkPage(page) {
			t.Errorf("%s: %s", name, problem)
		}
		if strings.Contains(strings.ToLower(page), "<script") || strings.Contains(page, "://") && name != "hostile" {
			t.Errorf("%s: a script or an address", name)
		}
	}
}

// Shows that the check of the page finds what it is for.
func TestHTMLCheckFindsOffenders(t *testing.T) {
	for _, offender := range []string{
		`<script>`, `<b onclick="x">`, `<img src="x">`, `<a href="http://x">`, `<a href="#nowhere">`, `<div id="x"><div id="x">`, `a < b`, `</div>`, `<b a='x'>`,
	} {
		if len(checkPage(offender)) == 0 {
			t.Errorf("%s is not found", offender)
		}
	}
}

func attrs(pairs ...any) (list trace.Attrs) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, trace.Attr{Key: pairs[i].(string), Value: pairs[i+1]})
	}
	return list
}

// story is a failed scenario of ten seconds: a step with two attempts that a
// fault spoils and a wait of two seconds, a refusal, a breaker that opens at 2 s
// and probes at 6 s, a step that is broken off by its timeout, a skipped one.
func story() Entry {
	at := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	body := `{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat("long ", 400) + `"}]}`
	events := []trace.Event{
		{Type: trace.StepStart, Step: "ask"},
		{Type: trace.AttemptStart, Step: "ask", Attempt: 1, Target: "one", Payload: attrs("body", body, "method", "POST")},
		{Type: trace.AttemptEnd, At: at(2), Step: "ask", Attempt: 1, Target: "one", Payload: attrs("fault_type", "http_error", "kind", "http_status", "outcome", "failure", "status_code", 500)},
		{Type: trace.Breaker, At: at(2), Target: "one", Payload: attrs("from", "closed", "to", "open")},
		{Type: trace.RetryWait, At: at(2), Step: "ask", Payload: attrs("delay_ns", at(2))},
		{Type: trace.Rejection, At: at(4), Step: "ask", Target: "one", Payload: attrs("reason", "circuit_open")},
		{Type: trace.AttemptStart, At: at(4), Step: "ask", Attempt: 2, Target: "two"},
		{Type: trace.AttemptEnd, At: at(5), Step: "ask", Attempt: 2, Target: "two", Payload: attrs("content", "<hi>", "outcome", "success", "status_code", 200)},
		{Type: trace.StepEnd, At: at(5), Step: "ask", Payload: attrs("status", "success")},
		{Type: trace.Breaker, At: at(6), Target: "one", Payload: attrs("from", "open", "to", "half_open")},
		{Type: trace.StepStart, At: at(6), Step: "outer.inner"},
		{Type: trace.AttemptStart, At: at(6), Step: "outer.inner", Attempt: 1, Target: "two"},
		{Type: trace.RetryWait, At: at(9), Step: "outer.inner", Payload: attrs("delay_ns", at(60))},
		{Type: trace.AttemptEnd, At: at(10), Step: "outer.inner", Attempt: 1, Target: "two", Payload: attrs("outcome", "cancelled")},
		{Type: trace.Timeout, At: at(10), Step: "outer.inner", Payload: attrs("after_ns", at(4), "layer", "step")},
		{Type: trace.StepEnd, At: at(10), Step: "outer.inner", Payload: attrs("status", "timeout")},
		{Type: trace.StepEnd, At: at(10), Step: "last", Payload: attrs("skipped_reason", "when", "status", "skipped")},
		{Type: trace.RunEnd, At: at(10), Payload: attrs("status", "failed")},
	}
	for i := range events {
		events[i].Seq = uint64(i + 1)
	}
	return Entry{Result: &interp.Result{
		Plan: &interp.Plan{File: "s.scenario.hcl", Name: "story", Line: 3}, Verdict: interp.Fail, Virtual: at(10), Checks: 1, Events: events,
		Problems: []interp.Problem{{Kind: "run", Message: "the run failed"}},
	}}
}

// Shows where things stand on the axis, computed here from their times in ten
// seconds, and that what is at one instant stands side by side.
func TestTimelineSVG(t *testing.T) {
	e := story()
	out := string(drawSVG(newPicture(e.Result.Events, e.Result.Virtual), "story", "s1a"))
	for what, want := range map[string]string{
		"a label of the axis":      `<text class="m c" x="20%" y="11">2s</text>`,
		"the last label":           `<text class="m e" x="100%" y="11">10s</text>`,
		"a spoilt attempt":         `<a href="#s1a2"><rect class="ko" x="0%" y="42" width="20%" height="8"><title>attempt 1 at one: failure http_status 500 (fault http_error), 0s to 2s</title></rect></a>`,
		"its sign":                 `<use href="#k2" x="20%" y="46"><title>2s: attempt 1 at one: failure http_status 500 (fault http_error)</title></use>`,
		"the wait":                 `<rect class="wt" x="20%" y="40" width="20%" height="13"><title>waits 2s from 2s</title></rect>`,
		"the refusal":              `<use href="#k4" x="40%" y="46"><title>4s: one refused: circuit_open</title></use>`,
		"the second target":        `<tspan class="m">ask</tspan> <tspan class="m">@ two</tspan>`,
		"the answer":               `<rect class="ok" x="40%" y="74" width="10%" height="8">`,
		"how the step ended":       `<text class="m e w" x="100%" y="34">success, 5s</text>`,
		"a wait that is cut":       `<rect class="wt" x="90%" y="113" width="10%" height="13"><title>waits 1s from 9s</title></rect>`,
		"two signs at one instant": `x="100%" y="119" transform="translate(-14)"><title>10s: attempt 1 at two: cancelled</title></use><use href="#k5" x="100%" y="119"><title>10s: step timeout after 4s</title></use>`,
		"a skipped step":           `<text class="m e w" x="100%" y="148">skipped: when</text>`,
		"closed":                   `<rect class="cl" x="0%"`,
		"open":                     `width="40%" height="12"><title>open from 2s to 6s</title></rect>`,
		"half open":                `<rect class="ha" x="60%"`,
		"in words":                 `<desc>ask: success, 2 attempts; outer.inner: timeout, 1 attempt; last: skipped, 0 attempts; breaker one: closed from 0s, open from 2s, half open from 6s; ends at 10s</desc>`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%s: no %s in\n%s", what, want, strings.ReplaceAll(out, "><", ">\n<"))
		}
	}
}

// Shows that a run which takes no time, one without steps, and one whose
// attempts never ended are drawn, and that nothing stands beside the axis.
func TestTimelineSVGEdges(t *testing.T) {
	share := regexp.MustCompile(`(?:x|width|x1|x2)="(-?[0-9.]+)%"`)
	instant := story().Result.Events
	for i := range instant {
		instant[i].At = 0
	}
	for name, p := range map[string]*picture{
		"instant":  newPicture(instant, 0),
		"cut":      newPicture(story().Result.Events[:7], 4*time.Second),
		"no steps": newPicture(nil, time.Second),
		"tiny":     newPicture(story().Result.Events[:2], 3*time.Microsecond),
		"long":     newPicture(story().Result.Events, 99*365*24*time.Hour),
	} {
		out := string(drawSVG(p, name, ""))
		if (out == "") != (name == "no steps") || strings.Contains(out, "NaN") {
			t.Errorf("%s: %s", name, out)
		}
		if n := strings.Count(out, `y="11"`); n > 8 {
			t.Errorf("%s: %d labels on the axis", name, n)
		}
		for _, m := range share.FindAllStringSubmatch(out, -1) {
			var x float64
			if _, err := fmt.Sscan(m[1], &x); err != nil || x < 0 || x > 100 {
				t.Errorf("%s: %s", name, m[0])
			}
		}
	}
}

// Shows what a page says: counts, a row for each scenario, why one failed, what
// was sent and answered, long bodies folded, and for what passed only the
// timeline.
func TestHTML(t *testing.T) {
	passing := story()
	result := *passing.Result
	result.Verdict, result.Problems = interp.Pass, nil
	passing.Result = &result
	page := written(t, HTML, append(entries(), story(), passing), nil)
	for _, want := range []string{
		`<h1><span class="v fail">fail</span> 6 scenarios in 3 files</h1>`,
		`<li class="fail"><b>2</b>failed`,
		`<tr class="fail"><td><span class="v fail">fail</span><td><a href="#s5">story</a><td class=n>10s<td class="n w">3<td class="n w">1`,
		`<details class="sc fail" open><summary><span class="v fail">fail</span><span>two</span>`,
		`<h3>assert &#34;backs off&#34; <code class="mut">a.scenario.hcl:3</code></h3>`,
		`<dt>[for a in step.answer.attempts : a.at_ms]<dd>[0, 2000]`,
		`<pre>[1]: 2000, want 1000</pre>`,
		`nothing is &lt;checked&gt;`,
		`<h3>allowed: gate &#34;unused_reply&#34;`,
		`<dt>content<dd class=mono>&lt;hi&gt;`,
		`<details><summary>body, 2,`,
		`<span class="ft">fault http_error</span>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
	compact := page[strings.LastIndex(page, "<details class=\"sc pass\""):]
	if strings.Contains(compact, "Attempts") || len(compact) > 4000 {
		t.Errorf("a scenario that passed takes %d bytes", len(compact))
	}
}

// Shows that a page of a suite in which all fails stays one that a browser can
// open, that it says what it leaves out, and that no link leads to that.
func TestHTMLIsBounded(t *testing.T) {
	heavy := story()
	result := *heavy.Result
	result.Events = nil
	for n := range htmlAttempts + 50 {
		start := trace.Event{Type: trace.AttemptStart, Seq: uint64(2 * n), Step: "ask", Attempt: n, Target: "one", Payload: attrs("body", strings.Repeat("x", 1<<20))}
		result.Events = append(result.Events, start, trace.Event{Type: trace.AttemptEnd, Seq: uint64(2*n + 1), Step: "ask", Attempt: n, Target: "one", Payload: attrs("outcome", "failure")})
	}
	heavy.Result = &result
	var all []Entry
	for range 10 {
		all = append(all, heavy)
	}
	page := written(t, HTML, append(all, story()), nil)
	if len(page) > htmlDetails+6<<20 {
		t.Errorf("%d bytes", len(page))
	}
	for _, want := range []string{"50 more attempts are not shown", "… cut; --trace-out has all", "The attempts are left out"} {
		if !strings.Contains(page, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	targets := map[string]bool{}
	for _, m := range regexp.MustCompile(`id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		targets[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !targets[m[1]] {
			t.Fatalf("#%s leads nowhere", m[1])
		}
	}
}
