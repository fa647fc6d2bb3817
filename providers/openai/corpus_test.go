package openai_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/openai"
	"github.com/scenario-lang/scenario/wire"
)

// A tally is what became of the exchanges of one host.
type tally struct {
	files                      map[string]bool
	exchanges, parsed, streams int
	refused                    map[string]int // why
	others                     map[string]int // no model call: which
}

// Shows that every recorded answer of every host that speaks Chat Completions
// or Responses, played on the wire, is read as what a walk over its untyped
// JSON finds in it; that a stream is whole after its end marker and not before;
// that faults can count its chunks; and that every other answer is refused for
// what it is.
func TestRecordedTraffic(t *testing.T) {
	hosts := map[string]*tally{}
	for _, e := range recorded(t) {
		name := host(e)
		if name == "" {
			continue
		}
		h := hosts[name]
		if h == nil {
			h = &tally{files: map[string]bool{}, refused: map[string]int{}, others: map[string]int{}}
			hosts[name] = h
		}
		h.files[e.file] = true
		h.exchanges++
		a, walk := speaker(e)
		if a == nil {
			h.others[e.method+" "+shortPath(e.url.Path)]++
			continue
		}
		t.Run(fmt.Sprintf("%s %s %d", name, e.file, e.index), func(t *testing.T) { h.check(t, e, a, walk) })
	}
	h := hosts["api.openai.com"]
	if adaptertest.WholeCorpus() && (len(hosts) < 14 || h == nil || h.parsed < 140) {
		t.Errorf("only %d hosts were tried, and of OpenAI's answers %+v", len(hosts), h)
	}
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		h := hosts[name]
		t.Logf("%s: %d files, %d exchanges, %d parsed (%d streams)%s%s", name, len(h.files), h.exchanges, h.parsed, h.streams,
			counts("; refused: ", h.refused), counts("; no model call: ", h.others))
	}
}

// host names who answered, "" for services that have nothing to do with either
// interface.
func host(e exchange) string {
	switch h := e.url.Host; {
	case strings.HasSuffix(h, ".openai.azure.com"):
		return "*.openai.azure.com"
	case h == "api.openai.com", h == "api.cohere.com", strings.HasSuffix(e.url.Path, "/chat/completions"), strings.HasSuffix(e.url.Path, "/responses"):
		return h
	default:
		return ""
	}
}

// speaker is the adapter for an exchange, and what finds the facts of its
// answer; nil for one that asks no model. A response that is fetched by its id
// is an answer like any other.
func speaker(e exchange) (providers.Adapter, func(*testing.T, wire.Response) facts) {
	_, after, _ := strings.Cut(e.url.Path, "/responses")
	switch {
	case strings.HasSuffix(e.url.Path, "/chat/completions"), e.url.Host == "api.cohere.com":
		return openai.Adapter{}, completionFacts
	case strings.HasSuffix(e.url.Path, "/responses"), strings.HasPrefix(after, "/resp_"):
		return openai.Responses{}, responseFacts
	default:
		return nil, nil
	}
}

func (h *tally) check(t *testing.T, e exchange, a providers.Adapter, walk func(*testing.T, wire.Response) facts) {
	stream := e.answer.Stream
	played := play(t, a, e.answer)
	if want := refusal(t, e); want != "" {
		if played.Failed == nil || played.Failed.Kind != want {
			t.Fatalf("got %+v, want %s", played.Failed, want)
		}
		h.refused[fmt.Sprintf("%s %d (%s)", want, e.answer.Status, brief(played.Failed.Message))]++
		return
	}
	if played.Failed != nil {
		t.Fatalf("failed with %s: %s", played.Failed.Kind, played.Failed.Message)
	}
	if diff := cmp.Diff(walk(t, e.answer), found(played.Out)); diff != "" {
		t.Error(diff)
	}
	h.parsed++
	if stream {
		h.streams++
		checkStream(t, e.answer, a, played)
	}
}

// refusal is what an answer that is no answer of a model has to be observed as
// (semantics.md §3), "" for all others.
func refusal(t *testing.T, e exchange) failure.Kind {
	switch {
	case e.answer.Status == 429:
		return failure.RateLimit
	case e.answer.Status >= 400:
		return failure.HTTPStatus
	case e.answer.Stream:
		return ""
	}
	root := documents(t, e.answer)[0]
	switch {
	case root["status"] == "queued", root["status"] == "in_progress":
		return failure.ProtocolError
	case root["choices"] == nil && root["output"] == nil:
		return failure.MalformedResponse
	default:
		return ""
	}
}

// checkStream cuts a recorded stream behind valid framing, and counts its parts
// as faults do.
func checkStream(t *testing.T, answer wire.Response, a providers.Adapter, whole adaptertest.Played) {
	labelled := answer.Clone()
	providers.Vendor{Adapter: a}.Label(&labelled)
	if n := labelled.Count(wire.PartChunk); n != len(whole.Chunks) || labelled.Count(wire.PartDone) != 1 {
		t.Errorf("%d chunks and %d end markers were labelled, the consumer got %d", n, labelled.Count(wire.PartDone), len(whole.Chunks))
	}
	end := slices.IndexFunc(labelled.Parts, func(p wire.Part) bool { return p.Kind == wire.PartDone })
	for _, n := range []int{0, 1, end / 2, end - 1, end} {
		cut := answer.Clone()
		cut.Parts = cut.Parts[:max(n, 0)]
		if p := play(t, a, cut); p.Failed == nil || (p.Failed.Kind != failure.StreamIncomplete && n > 0) {
			t.Errorf("cut after %d of %d events: %+v", n, len(answer.Parts), p.Failed)
		}
	}
}

func play(t *testing.T, a providers.Adapter, answer wire.Response) adaptertest.Played {
	t.Helper()
	played, err := adaptertest.Play(a, providers.Input{Stream: answer.Stream}, answer.Script(wire.Meta{}))
	if err != nil {
		t.Fatal(err)
	}
	return played
}

// shortPath leaves ids out.
func shortPath(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if strings.Contains(p, "_") && len(p) > 20 {
			parts[i] = "…"
		}
	}
	return strings.Join(parts, "/")
}

func brief(message string) string {
	if len(message) > 90 {
		return message[:90] + "…"
	}
	return message
}

func counts(title string, of map[string]int) string {
	var list []string
	for _, what := range slices.Sorted(maps.Keys(of)) {
		list = append(list, fmt.Sprintf("%d× %s", of[what], what))
	}
	if list == nil {
		return ""
	}
	return title + strings.Join(list, ", ")
}
