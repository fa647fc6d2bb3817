package adaptertest_test

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/wire"
)

// An exchange is one recorded request and its answer.
type exchange struct {
	file   string
	index  int // from 1
	method string
	url    *url.URL
	answer wire.Response
	failed string // the name of a recorded transport error
}

func (e exchange) String() string { return fmt.Sprintf("%s, interaction %d", e.file, e.index) }

// dialects are the interfaces that recorded traffic is looked at for, in this
// order. The last one takes what no other does.
var dialects = []*dialect{chatCompletions, responses, messages, generateContent, cohereChat, plainHTTP}

// Shows that every recorded answer of every host, played on the wire, is read
// as what a walk over its untyped JSON finds in it, asked for at the address
// where it was recorded, whole after its end and not before, and read back
// where it is rendered again; and that every other answer is refused for what it is.
// The table says what became of the exchanges of each host, and why.
func TestRecordedTraffic(t *testing.T) {
	var table corpusTable
	dir := adaptertest.Corpus(t)
	for _, path := range adaptertest.CorpusFiles(t, "") {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		c, err := cassette.Load(path)
		if err != nil {
			table.unread(err)
			continue
		}
		table.file(name, c)
	}
	for _, p := range table.problems {
		t.Error(p)
	}
	for _, host := range table.unexplained() {
		t.Errorf("%s: what became of its exchanges has no reason in the table", host)
	}
	for _, line := range table.lines() {
		fmt.Fprintln(t.Output(), line)
	}
	if adaptertest.WholeCorpus() {
		table.enough(t)
	}
}

// enough holds the sample recordings to what is known of them, so that a reader
// that passes over files or answers is found.
func (c *corpusTable) enough(t *testing.T) {
	t.Helper()
	for host, parsed := range map[string]int{
		"*.openai.azure.com": 17, "api.openai.com": 146, "openrouter.ai": 35, "api.anthropic.com": 72,
		"bedrock-runtime.us-east-1.amazonaws.com": 8, "us-east5-aiplatform.googleapis.com": 22,
		"generativelanguage.googleapis.com": 80, "www.w3.org": 2, "data.grepit.app": 1,
	} {
		if h := c.hosts[host]; h == nil || h.parsed < parsed {
			t.Errorf("%s: fewer than %d answers were read: %+v", host, parsed, h)
		}
	}
	if all := c.all(); len(c.hosts) < 27 || all.exchanges < 524 || len(c.refused) > 0 {
		t.Errorf("of the sample recordings only %d exchanges of %d hosts were read, and refused %v", all.exchanges, len(c.hosts), c.refused)
	}
}

// file adds the exchanges of one file.
func (c *corpusTable) file(name string, recorded *cassette.Cassette) {
	c.files++
	if len(recorded.Interactions) == 0 {
		c.empty++
	}
	for _, it := range recorded.Interactions {
		e := exchange{file: name, index: it.Index, method: it.Method, answer: it.Response, failed: it.Error}
		u, err := url.Parse(it.URL)
		if err != nil {
			c.problem(e, "the address %q is none: %v", it.URL, err)
			continue
		}
		e.url = u
		for _, d := range dialects {
			if d.covers(e) {
				c.add(e, d)
				break
			}
		}
	}
}

// unread counts a file that the reader of cassettes refuses, by its reason.
func (c *corpusTable) unread(err error) {
	c.files++
	var e *cassette.LoadError
	if !errors.As(err, &e) || e.Problem == "" || e.Hint == "" {
		c.problems = append(c.problems, "refused without a reason or without advice: "+err.Error())
		return
	}
	count(&c.refused, e.Problem)
}

func play(a providers.Adapter, answer wire.Response) (adaptertest.Played, error) {
	return adaptertest.Play(a, providers.Input{BaseURL: "https://api.example.com", Model: "m", Stream: answer.Stream}, answer.Script(wire.Meta{}))
}
