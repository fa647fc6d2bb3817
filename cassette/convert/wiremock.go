package convert

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/foreign"
	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"gopkg.in/yaml.v3"
)

// importWireMock reads stub mappings of WireMock: one in a file, or a list
// under mappings. A stub becomes a step that sends what the stub asks for, with
// the answer in its script; the stubs of a WireMock scenario become a script of
// several answers, in the order of its states.
var importWireMock = importer{
	name: "wiremock",
	is:   foreign.IsWireMock,
	read: readWireMock, items: []string{"mappings"}, whole: stubList,
}

// stubList is a file of one stub as a list of one.
func stubList(root *yaml.Node) *yaml.Node {
	if yamlnode.Lookup(root, "mappings") != nil {
		return root
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Line: root.Line, Content: []*yaml.Node{root}}
	key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "mappings", Line: root.Line}
	return &yaml.Node{Kind: yaml.MappingNode, Line: root.Line, Content: []*yaml.Node{key, list}}
}

// A stub is one mapping.
type stub struct {
	name                      string
	scenario, required, moves string
	step                      *DraftStep
}

func readWireMock(r *importReader, root *yaml.Node) error {
	nodes := []*yaml.Node{root}
	if yamlnode.Lookup(root, "mappings") != nil {
		file := r.object(root, "the file")
		nodes = file.list("mappings")
		file.skip("meta")
		file.end()
	}
	var stubs []*stub
	for i, n := range nodes {
		s := r.stub(r.object(n, fmt.Sprintf("stub #%d", i+1)))
		if r.err != nil {
			return r.err
		}
		stubs = append(stubs, s)
	}
	if len(stubs) == 0 {
		return flaw.New(root.Line, "only stub mappings are imported, and it has none", "there is nothing to import")
	}
	d := &Draft{Provider: "http", BaseURL: "http://127.0.0.1:8080"}
	names := namer{}
	for i, s := range stubs {
		switch {
		case s.scenario == "":
			d.Cases = append(d.Cases, &Case{Name: names.unique(s.name), Steps: []*DraftStep{s.step}})
		case slices.IndexFunc(stubs, func(o *stub) bool { return o.scenario == s.scenario }) == i:
			d.Cases = append(d.Cases, &Case{Name: names.unique(s.scenario), Steps: r.stateful(nodes[i], stubs, s.scenario)})
		}
	}
	r.out.Draft = d
	return nil
}

func (r *importReader) stub(o *object) *stub {
	s := &stub{
		name: o.text("name"), scenario: o.text("scenarioName"), required: o.text("requiredScenarioState"), moves: o.text("newScenarioState"),
		step: &DraftStep{Name: "call"},
	}
	request := o.child("request")
	name := r.stubRequest(request, s.step)
	if s.name == "" {
		s.name = name
	}
	s.step.Entries = []*Entry{r.stubAnswer(o.child("response"))}
	o.skip("id", "uuid", "persistent", "metadata", "insertionIndex")
	o.leave("scripts are chosen by step, so no stub hides another", "priority")
	o.leave("what follows an answer is no part of it", "postServeActions", "serveEventListeners")
	o.end()
	return s
}

// stateful walks through the states of a WireMock scenario. Stubs of one request
// are answers of one script, in the order of the states that they need.
func (r *importReader) stateful(at *yaml.Node, all []*stub, name string) []*DraftStep {
	var steps []*DraftStep
	byRequest := map[string]*DraftStep{}
	names := namer{}
	for _, s := range inOrder(all, name) {
		key := fmt.Sprint(s.step.Request)
		if prior := byRequest[key]; prior != nil {
			prior.Entries = append(prior.Entries, s.step.Entries...)
			continue
		}
		byRequest[key] = s.step
		s.step.Name = identifier(names.unique("call"))
		steps = append(steps, s.step)
	}
	for _, s := range steps {
		s.Endless = len(s.Entries) > 1
	}
	if len(steps) > 1 {
		r.note(at, "the scenario "+strconv.Quote(name)+" changes its state by several requests,", "of which each is a step now that counts its own calls")
	}
	return steps
}

// stateStart is the state that a WireMock scenario begins in.
const stateStart = "Started"

// inOrder are the stubs of a scenario in the order in which its states are
// reached, and those of states that are never reached at the end.
func inOrder(all []*stub, name string) []*stub {
	var list, rest []*stub
	for _, s := range all {
		if s.scenario == name {
			rest = append(rest, s)
		}
	}
	state, seen := stateStart, map[string]bool{}
	for !seen[state] {
		seen[state] = true
		next := state
		rest = slices.DeleteFunc(rest, func(s *stub) bool {
			here := s.required == state || s.required == "" && state == stateStart
			if here {
				list = append(list, s)
				if s.moves != "" {
					next = s.moves
				}
			}
			return here
		})
		state = next
	}
	return append(list, rest...)
}

// stubAnswer is the response of a stub.
func (r *importReader) stubAnswer(o *object) *Entry {
	e := &Entry{}
	status := http.StatusOK
	if o.has("status") {
		status = o.status("status")
	}
	body := r.stubBody(o)
	head := stubHeaders(o)
	waits := o.millis("fixedDelayMilliseconds") + r.stubDelay(o)
	drip := o.child("chunkedDribbleDelay")
	if drip.has("totalDuration") {
		waits += drip.millis("totalDuration")
		r.note(drip.node, "chunkedDribbleDelay", "becomes one wait before the answer")
	}
	drip.skip("numberOfChunks")
	drip.end()
	o.leave("the status line has the usual words", "statusMessage")
	o.leave("nothing is passed on to a server", "proxyBaseUrl", "additionalProxyRequestHeaders", "removeProxyRequestHeaders", "proxyUrlPrefixToRemove")
	if n := o.get("transformers"); n != nil {
		r.note(n, "the template of a response", "is sent as it is written")
	}
	o.skip("transformerParameters", "fromConfiguredStub")
	fault := o.text("fault")
	o.end()
	switch {
	case fault != "":
		r.stubFault(e, o, fault, waits)
	case status >= http.StatusBadRequest:
		e.Fault, e.Args = "http_error", append([]Attr{{"status_code", status}}, head...)
		if body.Value != nil {
			e.Args = append(e.Args, body)
		}
		if waits > 0 {
			e.Args = append(e.Args, Attr{"after", wait(waits)})
		}
	default:
		e.Reply = append([]Attr{{"status_code", status}}, head...)
		if body.Value != nil {
			e.Reply = append(e.Reply, body)
		}
		if waits > 0 {
			e.Reply = append(e.Reply, Attr{"latency", wait(waits)})
		}
	}
	e.Fails, e.Again, e.Refused = e.judge()
	return e
}

// stubFaults are WireMock's words for broken answers.
var stubFaults = map[string]struct {
	kind string
	args []Attr
}{
	"CONNECTION_RESET_BY_PEER": {"connection_reset", nil},
	"EMPTY_RESPONSE":           {"stub_eof", nil},
	"MALFORMED_RESPONSE_CHUNK": {"content_length_mismatch", nil},
	"RANDOM_DATA_THEN_CLOSE":   {"garbage", nil},
}

func (r *importReader) stubFault(e *Entry, o *object, word string, after time.Duration) {
	n := o.get("fault")
	switch f, known := stubFaults[word]; {
	case !known:
		r.err = flaw.New(n.Line, "the faults are "+strings.Join(slices.Sorted(maps.Keys(stubFaults)), ", "), "%s has the unknown fault %s", o.what, strconv.Quote(flaw.Shorten(word)))
		return
	case f.kind == "stub_eof":
		// There is no kind for a connection that is closed before any byte; a
		// reset is met in the same place, with the same consequences.
		e.Fault = "connection_reset"
		r.note(n, "the fault "+word, "becomes a reset: both end the connection before any byte of an answer")
	default:
		e.Fault = f.kind
		if f.kind == "content_length_mismatch" {
			r.note(n, "the fault "+word, "becomes a body that is cut: both break off inside an answer of status 200")
		}
	}
	if after > 0 {
		e.Args = append(e.Args, Attr{"after", wait(after)})
	}
}

// stubDelay is a wait that WireMock draws at random, as its mean.
func (r *importReader) stubDelay(o *object) time.Duration {
	d := o.child("delayDistribution")
	var mean time.Duration
	switch kind := d.text("type"); kind {
	case "":
	case "uniform":
		mean = (d.millis("lower") + d.millis("upper")) / 2
	case "fixed":
		mean = d.millis("milliseconds")
	default:
		mean = d.millis("median")
	}
	if mean > 0 && d.text("type") != "fixed" {
		r.note(d.node, "a delay that is drawn at random", "becomes its mean: runs are repeatable")
	}
	d.skip("sigma", "maxValue")
	d.end()
	return mean
}

// stubBody is the body of an answer, in whichever way it is given.
func (r *importReader) stubBody(o *object) Attr {
	text, n := o.text("body"), o.get("jsonBody")
	coded, file := o.text("base64Body"), o.text("bodyFileName")
	switch {
	case n != nil:
		return Attr{"json", treeValue(n)}
	case coded != "":
		plain, err := base64.StdEncoding.DecodeString(coded)
		if err != nil && r.err == nil {
			r.err = flaw.New(o.get("base64Body").Line, "correct the file", "base64Body is no Base64: %v", err)
		}
		return r.textBody(o.get("base64Body"), string(plain))
	case file != "":
		return r.fileBody(o.get("bodyFileName"), file)
	case o.has("body"):
		return Attr{"body", text}
	}
	return Attr{}
}

func (r *importReader) fileBody(n *yaml.Node, name string) Attr {
	if r.options.Body == nil {
		r.note(n, "a body in a file", "is left out")
		return Attr{}
	}
	data, err := r.options.Body(name)
	if err != nil {
		r.note(n, "the body in "+strconv.Quote(flaw.Shorten(name)), "is left out, because the file cannot be read")
		return Attr{}
	}
	return r.textBody(n, string(data))
}

// textBody refuses bytes that a scenario file cannot hold.
func (r *importReader) textBody(n *yaml.Node, text string) Attr {
	if !isText(text) {
		r.note(n, "a body that is not text", "is left out: record it into a cassette")
		return Attr{}
	}
	return Attr{"body", text}
}

// stubHeaders are the header fields of an answer, as one attribute or none.
func stubHeaders(o *object) []Attr {
	n := o.get("headers")
	if n == nil {
		return nil
	}
	var fields []Attr
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i].Value, n.Content[i+1]
		if slices.Contains(httptext.HopByHop, http.CanonicalHeaderKey(name)) || !httptext.IsToken(name) {
			o.r.note(n.Content[i], "the field "+strconv.Quote(name), "is left out: it belongs to the connection, or is none that a server can send")
			continue
		}
		text := value.Value
		if value.Kind == yaml.SequenceNode {
			var all []string
			for _, v := range value.Content {
				all = append(all, v.Value)
			}
			text = strings.Join(all, ", ")
		}
		fields = append(fields, Attr{name, text})
	}
	if len(fields) == 0 {
		return nil
	}
	return []Attr{{"headers", fields}}
}
