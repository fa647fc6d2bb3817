package cassette

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/wire"
)

// play answers a call and reads the answer to its end.
func play(t testing.TB, p *Player, c wire.Call) (*http.Response, string, error) {
	t.Helper()
	script, err := p.Next(context.Background(), c)
	if err != nil {
		return nil, "", err
	}
	resp, err := script.RoundTrip(newClock(), c.Request)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp, string(body), err
}

func mustPlay(t testing.TB, p *Player, c wire.Call) string {
	t.Helper()
	_, body, err := play(t, p, c)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func missOf(t testing.TB, p *Player, c wire.Call) *Miss {
	t.Helper()
	_, err := p.Next(context.Background(), c)
	var m *Miss
	if !errors.As(err, &m) {
		t.Fatalf("got %v, want a miss", err)
	}
	if !strings.Contains(m.Message, "\nhint: ") {
		t.Errorf("a miss without a hint:\n%s", m.Message)
	}
	return m
}

// V54, V55: a step's calls get its interactions in the order of attempts,
// whatever their order in the file, and other steps and targets have their own
// cursors although every request is the same.
func TestV54V55StepCursors(t *testing.T) {
	other := recorded("a", 3, `{}`, `{"n":"a3 backup"}`)
	other.Target = "backup"
	failed := recorded("a", 1, `{}`, `{"n":"a1"}`)
	failed.Response.Status = 500
	p := player(t, Options{}, recorded("a", 4, `{}`, `{"n":"a4"}`), recorded("b", 1, `{}`, `{"n":"b1"}`), failed, other)
	var got []string
	for _, at := range [][2]string{{"b", "main"}, {"a", "backup"}, {"a", "main"}, {"a", "main"}} {
		resp, body, err := play(t, p, call(at[0], at[1], chatURL, `{}`))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(resp.StatusCode, " ", body))
	}
	want := []string{`200 {"n":"b1"}`, `200 {"n":"a3 backup"}`, `500 {"n":"a1"}`, `200 {"n":"a4"}`}
	if d := cmp.Diff(want, got); d != "" || len(p.Unused()) != 0 {
		t.Errorf("unused %d\n%s", len(p.Unused()), d)
	}
}

// V56: a recorded stream that broke breaks at the same event in the same way,
// as do all recorded ends and transport errors.
func TestV56RecordedFailures(t *testing.T) {
	c := call("a", "main", chatURL, `{"stream":true}`)
	whole := string(streamed("a").Response.Body())
	for end, want := range map[wire.End]error{wire.EndNone: nil, wire.EndFIN: io.ErrUnexpectedEOF, wire.EndRST: syscall.ECONNRESET} {
		it := streamed("a")
		it.Response.End = end
		_, body, err := play(t, player(t, Options{}, it), c)
		if body != whole || !errors.Is(err, want) || (err == nil) != (want == nil) {
			t.Errorf("end %d: %q, %v", end, body, err)
		}
	}
	for name, want := range map[string]string{
		"refused": "connection refused", "dns": "lookup api.example.com: no such host", "dial_timeout": "dial tcp api.example.com:443: i/o timeout",
		"tls": "certificate signed by unknown authority", "reset": "connection reset by peer", "eof": "EOF", "timeout": "i/o timeout",
		"unreachable": "no route to host",
	} {
		it := &Interaction{Step: "a", Method: "POST", URL: chatURL, Error: name, Duration: 3 * time.Second, RequestBody: []byte(`{"stream":true}`)}
		script, err := player(t, Options{}, it).Next(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		clock := newClock()
		start := clock.Now()
		_, err = script.RoundTrip(clock, c.Request)
		if err == nil || !strings.Contains(err.Error(), want) || clock.Now().Sub(start) != 3*time.Second {
			t.Errorf("%s: %v after %v", name, err, clock.Now().Sub(start))
		}
	}
	// Beside these there are cancelled, which is silence, and malformed and
	// other, which carry a text.
	if len(ErrorNames()) != 11 {
		t.Errorf("untested names in %q", ErrorNames())
	}
}

// A call whose request is not the recorded one fails the gate drifted with the
// fields that differ, and the next call is compared with the next interaction.
func TestDrifted(t *testing.T) {
	p := player(t, Options{}, recorded("a", 1, `{"model":"m","n":1}`, `{}`), recorded("a", 2, `{"n":2}`, `{"second":true}`))
	m := missOf(t, p, call("a", "main", chatURL, `{"model":"M","n":1.0}`))
	want := []match.FieldDiff{{Path: "body.model", Recorded: `"m"`, Actual: `"M"`}}
	if d := cmp.Diff(want, m.Diffs); d != "" || m.Gate != "drifted" || m.Nearest.Index != 1 {
		t.Errorf("%s %v\n%s", m.Gate, m.Nearest, d)
	}
	text := `step "a", attempt 1, target "main": POST https://api.example.com/v1/chat/completions was recorded differently in test.yaml
  interaction 1 (line 5, step "a", attempt 1) differs in
    body.model: recorded "m", actual "M"
hint: change the request back, or declare what answers it in an ` + "`on` block; `scenario cassette show test.yaml 1` prints the recorded request; if the difference does not matter, set `ignore = [\"body.model\"]` in the cassette block"
	if m.Error() != text {
		t.Errorf("got\n%s\nwant\n%s", m.Error(), text)
	}
	if got := mustPlay(t, p, call("a", "main", chatURL, `{"n":2}`)); got != `{"second":true}` {
		t.Errorf("then got %s", got)
	}
}

// What is asked too often, or was never recorded, is a miss that says so; a
// renamed step is recognised by its request.
func TestMisses(t *testing.T) {
	p := player(t, Options{}, recorded("a", 1, `{"n":1}`, `{}`), recorded("b", 1, `{"n":2,"m":2}`, `{}`), recorded("b", 2, `{"n":3}`, `{}`))
	mustPlay(t, p, call("a", "main", chatURL, `{"n":1}`))
	m := missOf(t, p, call("a", "main", chatURL, `{"n":1}`))
	if m.Gate != "over_consumed" || !strings.Contains(m.Message, "test.yaml has 1 for it") {
		t.Errorf("%s: %s", m.Gate, m.Message)
	}
	m = missOf(t, p, call("c", "main", chatURL, `{"n":3}`))
	if m.Gate != "unmatched_call" || m.Nearest.Index != 3 || len(m.Diffs) != 0 || !strings.Contains(m.Message, "renamed?") {
		t.Errorf("%s, nearest %v: %s", m.Gate, m.Nearest, m.Message)
	}
	m = missOf(t, p, call("c", "main", chatURL, `{"n":2,"m":5}`))
	if m.Nearest.Index != 2 || !strings.Contains(m.Message, "body.m: recorded 2, actual 5") {
		t.Errorf("nearest %v: %s", m.Nearest, m.Message)
	}
	if n := len(p.Unused()); n != 2 {
		t.Errorf("%d unused, want 2", n)
	}
}

// A file that serves several scenarios gives each its own; an interaction
// without a scenario serves all, and unused ones of others do not count.
func TestScenarios(t *testing.T) {
	x, y, all := recorded("a", 1, `{}`, `{"x":1}`), recorded("a", 1, `{}`, `{"y":1}`), recorded("b", 1, `{}`, `{}`)
	x.Scenario, y.Scenario = "x", "y"
	p := player(t, Options{Scenario: "y"}, x, y, all)
	if got := mustPlay(t, p, call("a", "main", chatURL, `{}`)); got != `{"y":1}` {
		t.Errorf("got %s", got)
	}
	if got := p.Unused(); len(got) != 1 || got[0].Step != "b" {
		t.Errorf("unused %v", got)
	}
}

// An entry may name an interaction: the nth of the step over all targets, or of
// the file where that has no steps. It counts as played and may be repeated.
func TestInteraction(t *testing.T) {
	backup := recorded("a", 2, `{"n":2}`, `{"a":2}`)
	backup.Target = "backup"
	p := player(t, Options{}, recorded("b", 1, `{}`, `{"b":1}`), recorded("a", 1, `{"n":1}`, `{"a":1}`), backup)
	for range 2 {
		it, err := p.Interaction("a", 2)
		if err != nil || string(it.Response.Body()) != `{"a":2}` {
			t.Fatalf("%v, %v", it, err)
		}
	}
	if n := len(p.Unused()); n != 2 {
		t.Errorf("%d unused, want 2", n)
	}
	if m := missOf(t, p, call("a", "backup", chatURL, `{}`)); m.Gate != OverConsumed {
		t.Errorf("a named one is a candidate: %s", m.Message)
	}
	for _, n := range []int{0, 3, -1} {
		if _, err := p.Interaction("a", n); err == nil || !strings.Contains(err.Error(), "2 interactions are recorded for step \"a\"") {
			t.Errorf("%d: %v", n, err)
		}
	}
	foreign, err := NewPlayer(parsed(t, []byte(v1)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if it, err := foreign.Interaction("any", 2); err != nil || it.Index != 2 {
		t.Errorf("%v, %v", it, err)
	}
}

// A foreign file answers by canonical request, then in recorded order, and is
// compared semantically.
func TestForeign(t *testing.T) {
	item := strings.SplitAfter(v1, "duration: 1.5s\n")[0]
	item = item[strings.Index(item, "- request"):]
	data := v1 + strings.Replace(item, `"id":"x"`, `"id":"y"`, 1) + strings.NewReplacer(`"m"`, `"n"`, `"id":"x"`, `"id":"z"`).Replace(item)
	c := parsed(t, []byte(strings.ReplaceAll(data, `{"model"`, `{"messages":[{"role":"user","content":"Hi"}],"model"`)))
	p, err := NewPlayer(c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(model, text string) wire.Call {
		return call("s", "", chatURL, fmt.Sprintf(`{"model":%q,"temperature":1,"messages":[{"content":%q,"role":"user"}]}`, model, text))
	}
	for _, tt := range [][2]string{{"n", "z"}, {"m", "x"}, {"m", "y"}} {
		if got := mustPlay(t, p, ask(tt[0], "Hi\r\n")); !strings.Contains(got, `"`+tt[1]+`"`) {
			t.Errorf("model %s: %s, want %s", tt[0], got, tt[1])
		}
	}
	if m := missOf(t, p, ask("m", "Hi")); m.Gate != OverConsumed {
		t.Errorf("%s", m.Message)
	}
	m := missOf(t, p, ask("q", "Hi"))
	if m.Gate != Unmatched || m.Nearest.Index != 2 {
		t.Errorf("%s %v", m.Gate, m.Nearest)
	}
}

// Two steps that ask a foreign file for the same at one instant are ambiguous
// when the answers differ; at two instants, or with one answer, they are not.
func TestAmbiguous(t *testing.T) {
	for name, tt := range map[string]struct {
		second string
		later  time.Duration
		want   string
	}{
		"one instant":  {`{"n":2}`, 0, Ambiguous},
		"two instants": {`{"n":2}`, 1, ""},
		"one answer":   {`{"n":1}`, 0, ""},
		"in order":     {`{"n":2}`, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			clock := newClock()
			ordered := func(a, b string) bool { return name == "in order" }
			p := player(t, Options{Now: clock.Now, Ordered: ordered}, recorded("", 0, `{}`, `{"n":1}`), recorded("", 0, `{}`, tt.second))
			mustPlay(t, p, call("a", "", chatURL, `{}`))
			clock.now = clock.now.Add(tt.later)
			_, err := p.Next(context.Background(), call("b", "", chatURL, `{}`))
			gate := ""
			if m, ok := err.(*Miss); ok {
				gate = m.Gate
			}
			if gate != tt.want {
				t.Errorf("got %q: %v", gate, err)
			}
		})
	}
}

// A call is compared with every call of its instant, not with the last alone:
// c waits for b, but neither it nor b for a.
func TestAmbiguousAmongThree(t *testing.T) {
	clock := newClock()
	ordered := func(a, b string) bool { return a == "b" || b == "b" }
	p := player(t, Options{Now: clock.Now, Ordered: ordered},
		recorded("", 0, `{}`, `{"n":1}`), recorded("", 0, `{}`, `{"n":2}`), recorded("", 0, `{}`, `{"n":3}`))
	mustPlay(t, p, call("a", "", chatURL, `{}`))
	mustPlay(t, p, call("b", "", chatURL, `{}`))
	if m := missOf(t, p, call("c", "", chatURL, `{}`)); m.Gate != Ambiguous || !strings.Contains(m.Message, `the call of step "a"`) {
		t.Errorf("%s: %s", m.Gate, m.Message)
	}
}

// What a client does to an answer reaches neither the next replay of it nor
// the cassette.
func TestNothingLeaks(t *testing.T) {
	p := player(t, Options{}, recorded("a", 1, `{}`, `{"n":1}`))
	before := p.cassette.Interactions[0].Clone()
	for range 2 {
		it, err := p.Interaction("a", 1)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(before, it); d != "" {
			t.Fatal(d)
		}
		resp, err := it.Script(wire.Meta{}).RoundTrip(newClock(), call("a", "", chatURL, `{}`).Request)
		if err != nil {
			t.Fatal(err)
		}
		resp.Header.Set("Content-Type", "x")
		resp.Header["Content-Type"][0] = "y"
		it.Response.Header[0].Value = "z"
		it.Response.Parts[0].Data[0] = '!'
		it.Response.Parts[0].Kind = wire.PartChunk
		it.RequestHeader["Content-Type"][0] = "q"
		it.RequestBody[0] = '!'
	}
}

// Latency is as recorded, nothing, or constant.
func TestLatency(t *testing.T) {
	for l, want := range map[Latency]time.Duration{{}: 800 * time.Millisecond, NoLatency: 0, ConstantLatency(250 * time.Millisecond): 250 * time.Millisecond, ConstantLatency(-1): 0} {
		p := player(t, Options{Latency: l}, streamed("a"))
		c := call("a", "main", chatURL, `{"stream":true}`)
		script, err := p.Next(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		clock := newClock()
		start := clock.Now()
		resp, err := script.RoundTrip(clock, c.Request)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		if got := clock.Now().Sub(start); got != want {
			t.Errorf("%+v: %v, want %v", l, got, want)
		}
		if script.Meta.By != "cassette" || script.Meta.Entry != 1 || script.Meta.Pos.File != "test.yaml" {
			t.Errorf("meta %+v", script.Meta)
		}
	}
}

// A live request is redacted before it is compared, as the recorded one was.
func TestRedact(t *testing.T) {
	p := player(t, Options{Redact: func(r redact.Request) redact.Request {
		r.Body = []byte(strings.ReplaceAll(string(r.Body), "hunter2", "<REDACTED>"))
		return r
	}}, recorded("a", 1, `{"password":"<REDACTED>"}`, `{}`))
	mustPlay(t, p, call("a", "main", chatURL, `{"password":"hunter2"}`))
}

// Options that mean nothing are refused with what there is.
func TestNewPlayerRefuses(t *testing.T) {
	_, err := NewPlayer(&Cassette{Path: "a.yaml"}, Options{Profile: "exact"})
	if err == nil || !strings.Contains(err.Error(), "strict, semantic, loose") {
		t.Errorf("got %v", err)
	}
}

// Concurrent identical requests of different steps never swap their answers,
// and the indexes that players of one cassette share are safe.
func TestConcurrentStepsNeverSwap(t *testing.T) {
	var items []*Interaction
	for i := range 50 {
		items = append(items, recorded(fmt.Sprint("s", i), 1, `{}`, fmt.Sprintf(`{"n":%d}`, i)), recorded("", 0, `{"free":1}`, `{"free":1}`))
	}
	c := parsed(t, written(t, items...))
	var wait sync.WaitGroup
	for range 2 {
		p, err := NewPlayer(c, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 50 {
			wait.Go(func() {
				if got := mustPlay(t, p, call(fmt.Sprint("s", i), "main", chatURL, `{}`)); got != fmt.Sprintf(`{"n":%d}`, i) {
					t.Errorf("step %d got %s", i, got)
				}
				mustPlay(t, p, call("none", "main", chatURL, `{"free":1.0}`))
			})
		}
	}
	wait.Wait()
}

// many is a foreign-like cassette of n different requests, and the order of
// asking.
func many(n int, order string) (*Cassette, []int) {
	c := &Cassette{Path: "many.yaml", Format: "go-vcr 1"}
	for i := range n {
		it := recorded("", 0, fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":"question %d"}]}`, i), fmt.Sprintf(`{"n":%d}`, i))
		it.Index = i + 1
		c.Interactions = append(c.Interactions, it)
	}
	asked := make([]int, n)
	for i := range asked {
		asked[i] = i
		if order == "backward" {
			asked[i] = n - 1 - i
		}
	}
	if order == "random" {
		asked = rand.New(rand.NewSource(1)).Perm(n)
	}
	return c, asked
}

// G9: the time of a request does not grow with the file or depend on the order.
func BenchmarkReplay(b *testing.B) {
	for _, n := range []int{10, 1000, 4000, 10000} {
		for _, order := range []string{"forward", "backward", "random"} {
			b.Run(fmt.Sprintf("n=%d/%s", n, order), func(b *testing.B) {
				c, asked := many(n, order)
				calls := make([]wire.Call, n)
				for i, it := range c.Interactions {
					calls[i] = callOf(it)
				}
				c.keyIndex(match.Match{Profile: match.Semantic})
				var p *Player
				b.ReportAllocs()
				b.ResetTimer()
				for i := range b.N {
					if i%n == 0 {
						p, _ = NewPlayer(c, Options{})
					}
					if _, err := p.Next(context.Background(), calls[asked[i%n]]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// Every order of asking plays every interaction once.
func TestAnyOrder(t *testing.T) {
	for _, order := range []string{"forward", "backward", "random"} {
		c, asked := many(500, order)
		p, err := NewPlayer(c, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range asked {
			if got, want := mustPlay(t, p, callOf(c.Interactions[i])), fmt.Sprintf(`{"n":%d}`, i); got != want {
				t.Fatalf("%s: got %s, want %s", order, got, want)
			}
		}
		if len(p.Unused()) != 0 {
			t.Errorf("%s: %d unused", order, len(p.Unused()))
		}
	}
}

// BenchmarkReplayGoVCR is what the index is measured against: go-vcr's own
// search for an unplayed interaction, from the last to the first.
func BenchmarkReplayGoVCR(b *testing.B) {
	for _, n := range []int{10, 1000, 4000} {
		b.Run(fmt.Sprintf("n=%d/backward", n), func(b *testing.B) {
			c, asked := many(n, "backward")
			requests := make([]*http.Request, n)
			for i, it := range c.Interactions {
				it.URL += fmt.Sprintf("?n=%d", i)
				requests[i] = callOf(it).Request
			}
			v := c.ToVCR()
			b.ResetTimer()
			for i := range b.N {
				if i%n == 0 {
					v = c.ToVCR()
				}
				if _, err := v.GetInteraction(requests[asked[i%n]]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What a scenario hides does not count in a comparison, and what it does not
// hide still does; by step and by request.
func TestRulesInMatching(t *testing.T) {
	for _, step := range []string{"", "a"} {
		for name, tt := range map[string]struct {
			url, body, tenant string
			want              string
		}{
			"other values":  {chatURL + "?session=2", `{"iban":"DE2","n":1}`, "b", ""},
			"a placeholder": {chatURL + "?session=2", `{"iban":"<REDACTED:sha256=0123456789abcdef>","n":1}`, "b", ""},
			"another body":  {chatURL + "?session=2", `{"iban":"DE2","n":2}`, "b", "n"},
			"without":       {chatURL + "?session=2", `{"n":1}`, "b", "iban"},
		} {
			it := recorded(step, 1, `{"iban":"DE1","n":1}`, `{"n":1}`)
			it.URL, it.Target = chatURL+"?session=1", ""
			it.RequestHeader.Set("X-Tenant", "a")
			hides := (*redact.Redactor)(nil).With(redact.Rules{Headers: []string{"X-Tenant"}, Query: []string{"session"}, JSON: []string{"iban"}})
			p := player(t, Options{Redact: hides.Alike, Profile: match.Strict, MatchHeaders: []string{"X-Tenant"}}, it)
			c := call("a", "", tt.url, tt.body)
			c.Request.Header.Set("X-Tenant", tt.tenant)
			before := c.Request.Header.Clone()
			_, err := p.Next(t.Context(), c)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("%s: %v", name, err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), "body."+tt.want)):
				t.Errorf("%s: got %v, want a difference in %q", name, err, tt.want)
			case err != nil && (strings.Contains(err.Error(), "DE1") || strings.Contains(err.Error(), "DE2")):
				t.Errorf("%s: the message tells what is hidden: %v", name, err)
			}
			if len(http.Header(before)) != len(c.Request.Header) || c.Request.Header.Get("X-Tenant") != tt.tenant {
				t.Errorf("%s: the request was changed: %v", name, c.Request.Header)
			}
		}
	}
}
