package circumstance

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A Stream is one that a program, which is a server, answered the scenario with.
type Stream struct {
	// From is the time of the run when it was asked for, First when the first byte of the body came, and Until when
	// the last one had.
	From, First, Until time.Duration
}

// long is for how much of real time a stream comes at least, so that a program that takes each piece at once has
// passed on the first before the last comes.
const long = 200 * time.Millisecond

// A slow is an answer to a program that came in pieces, with waits between them.
type slow struct {
	step     string
	from, to time.Duration
	chunks   []string
}

// slowly are the answers of a run that came in pieces, for as long as that takes to be noticed. from is when the
// first piece came at the earliest, and to when the last one had been given out.
func slowly(p *plan.Plan, obs *observe.Observed) (list []slow) {
	began := map[string]time.Duration{}
	scale := cmp.Or(p.Sut.TimeScale, 1)
	events := obs.Log.Events()
	for i := range events {
		e := &events[i]
		at := fmt.Sprintf("%s %d", e.Step, e.Attempt)
		switch x := e.Payload.(type) {
		case *event.AttemptStart:
			if x.Asker != nil {
				began[at] = e.At
			}
		case *event.AttemptEnd:
			script := p.ScriptFor(e.Step, e.Target)
			if x.Served == nil || x.EndedBy != "server" || x.Outcome != read.StatusSuccess || x.By != "script" || script == nil || x.Entry < 1 || x.Entry > len(script.Entries) {
				continue
			}
			entry := script.Entries[x.Entry-1]
			if entry.Reply == nil || entry.Reply.ChunkDelay <= 0 {
				continue
			}
			s := slow{step: e.Step, from: began[at] + entry.Reply.Latency, to: e.At - x.Late, chunks: x.Chunks}
			if float64(s.to-s.from) >= float64(long)*scale {
				list = append(list, s)
			}
		}
	}
	return list
}

// Collected says of the server of a scenario that it sent the first byte of a stream only when the answer that it
// asked for itself had come to its end, although that came in pieces for a while. "" for none.
func Collected(p *plan.Plan, obs *observe.Observed, came Came) string {
	serving := p.Sut.Serving()
	if serving == nil || serving.Kind.Family == "mcp" || len(came.Streams) == 0 {
		return ""
	}
	all := slowly(p, obs)
	streams := slices.SortedFunc(slices.Values(came.Streams), func(a, b Stream) int { return cmp.Compare(a.From, b.From) })
	for i, s := range streams {
		if i > 0 && streams[i-1].Until > s.From || i+1 < len(streams) && streams[i+1].From < s.Until {
			continue // nobody knows which of them an answer was for
		}
		var last *slow
		for k := range all {
			if a := &all[k]; a.from >= s.From && a.to <= s.Until && (last == nil || a.to > last.to) {
				last = a
			}
		}
		if last != nil && s.First >= last.to {
			return fmt.Sprintf("the server collected the whole answer of %s, which came in pieces for %s, before it sent any of its own stream: no check tells that from a server that passes each piece on as it comes.\nhint: if it is to pass them on, give the step an idle_timeout that is shorter than that", last.step, (last.to - last.from).Round(time.Millisecond))
		}
	}
	return ""
}

// Withheld says of a program of which a check reads standard output that it wrote nothing there while an answer
// came in pieces for a while, and what the answer says afterwards. "" for none.
func Withheld(p *plan.Plan, obs *observe.Observed, came Came) string {
	if p.Sut.Serving() != nil || !came.Whole || p.Needs.Of("sut").Of("stdout") == nil {
		return ""
	}
	for _, a := range slowly(p, obs) {
		first := slices.IndexFunc(a.chunks, func(c string) bool { return strings.TrimSpace(c) != "" })
		if len(a.chunks) < 2 || first < 0 || !strings.Contains(obs.Sut.Stdout, strings.TrimSpace(a.chunks[first])) {
			continue
		}
		during := func(piece Piece) bool { return !piece.Stderr && piece.At >= a.from && piece.At < a.to }
		after := func(piece Piece) bool { return !piece.Stderr && piece.At >= a.to }
		if !slices.ContainsFunc(came.Pieces, during) && slices.ContainsFunc(came.Pieces, after) {
			return fmt.Sprintf("the program wrote nothing on standard output while the answer of %s came in %d pieces, for %s, and it wrote them afterwards: no check tells that from a program that shows each piece as it comes.\nhint: if it is to show them, let it write each piece at once and flush it; if not, the scenario needs no chunk_delay", a.step, len(a.chunks), (a.to - a.from).Round(time.Millisecond))
		}
	}
	return ""
}

// Loopback says of a check that the program called no other host that the program was given an address of its own
// machine that is none of the run's: what goes there does not go through the proxy, so nobody sees it. "" for
// none. texts are what the program was given, and ours are the ports at which the run listens.
func Loopback(p *plan.Plan, obs *observe.Observed, texts func() []string, ours map[string]bool) string {
	if p.Needs.Of("sut").Of("refused_hosts") == nil || len(obs.Sut.Refused) > 0 {
		return ""
	}
	name := "a check"
	for _, a := range p.Asserts {
		for t := range dsl.Variables(a.Condition) {
			if attr, _ := read.AttrName(t, 1); t.RootName() == "sut" && attr == "refused_hosts" {
				name = fmt.Sprintf("assert %q", a.Name)
			}
		}
	}
	left := loopbackMax
	look := func(text string) string {
		if left -= len(text); left < 0 {
			return ""
		}
		return ownAddress(text, ours)
	}
	found := ""
	for _, text := range texts() {
		found = cmp.Or(found, look(text))
	}
	events := obs.Log.Events()
	for i := 0; i < len(events) && found == ""; i++ {
		switch x := events[i].Payload.(type) {
		case *event.AttemptStart:
			if x.Request == nil || x.Asker != nil {
				continue
			}
			found = look(x.Body)
			if u, err := url.Parse(x.URL); err == nil {
				query := u.Query()
				for _, name := range read.SortedNames(query) {
					found = cmp.Or(found, look(strings.Join(query[name], "\n")))
				}
				found = cmp.Or(found, look(u.Path))
			}
		case *event.AttemptEnd:
			if x.Served == nil {
				continue
			}
			found = cmp.Or(look(x.Content), look(x.Headers["location"]))
			for _, c := range x.ToolCalls {
				found = cmp.Or(found, look(c.Arguments))
			}
		}
	}
	if found == "" {
		return ""
	}
	return fmt.Sprintf("%s says that the program called nobody else, and it was given %s, an address of its own machine: what it calls there does not go through the proxy of the run, so it is in no sut.refused_hosts, and breaks no gate.\nhint: give it an address of another machine, such as http://10.0.0.1/admin: that is seen, and refused", name, found)
}

// loopbackMax bounds in how many bytes addresses are looked for.
const loopbackMax = 16 << 20

// loopback finds addresses of this machine: behind a scheme, or alone.
var loopback = sync.OnceValue(func() *regexp.Regexp {
	const host = `(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)`
	return regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]*://(?:[^/@\s"']*@)?` + host + `(?::(\d+))?(?:[/?#][^\s"'<>\\]*|[\s"'<>,;)}\]\\]|$)|(?:^|[\s"'])(?:` + host + `|::1)(?::(\d+))?(?:$|[\s"'/,])`)
})

// ownAddress is an address of this machine in a text, where it has a port that is none of ours; "" for none.
func ownAddress(text string, ours map[string]bool) string {
	if !strings.Contains(text, "127.") && !strings.Contains(text, "::1") && !strings.Contains(text, "0.0.0.0") && !strings.Contains(strings.ToLower(text), "localhost") {
		return ""
	}
	for _, m := range loopback().FindAllStringSubmatch(text, -1) {
		if port := cmp.Or(m[1], m[2]); port == "" || !ours[port] {
			return strings.Trim(m[0], " \t\r\n\"'/,;<>)}\\")
		}
	}
	return ""
}

// OwnPlace reports whether a variable of an environment says by its name where the program itself is, or who may
// ask it: it is not called there.
func OwnPlace(name string) bool {
	return slices.ContainsFunc(read.WordsIn(name), func(w string) bool {
		return slices.Contains([]string{"origin", "origins", "cors", "redirect", "callback", "public", "listen", "bind", "no"}, w)
	})
}
