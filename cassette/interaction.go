package cassette

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/cassette/agentloom"
	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/wire"
)

// A Cassette is a file of recordings. It may be shared by any number of
// players at once, and is not changed once the first was made from it.
type Cassette struct {
	// Path is the file's name as it was given; "" for one that was not read.
	Path string
	// Format is "scenario 1", "go-vcr 1", "go-vcr 2", "vcrpy 1" or
	// "agentloom". The last has Scripts and no Interactions.
	Format string
	// Whole is true where the file itself proves that nothing of it is missing;
	// files of go-vcr do not.
	Whole bool
	// Own is true for our format, whose end and sums were verified.
	Own bool
	// Provider is the adapter that recorded, RecordedAt when; matching ignores
	// both. Only our format has them.
	Provider   string
	RecordedAt time.Time
	// Digest is "sha256:" and the hex sum of the file's bytes.
	Digest       string
	Interactions []*Interaction
	// Scripts are the answers of a response file, which knows no exchanges and
	// leaves their wire form to the provider's adapter. A [Player] does not
	// play them. It is nil for any other file.
	Scripts []*agentloom.Script
	// Warnings are sentences about what a reader should know but what is no
	// proof of damage, in file order.
	Warnings []string

	memo
}

// An Interaction is one recorded exchange, failures included.
type Interaction struct {
	// Index counts from 1 within the file; Line is where it begins there.
	Index, Line int
	// Scenario, Step and Target are the explicit key; foreign files have none.
	// Scenario is empty where the file serves one scenario.
	Scenario, Step, Target string
	// Lane is that of the caller, among several who asked at one time; a replay
	// gives it to callers of that lane alone.
	Lane string
	// Attempt counts from 1 within the step. It orders and does not address.
	// Round counts from 1 too; both are 0 where unknown.
	Attempt, Round int
	Method, URL    string
	RequestHeader  http.Header
	RequestBody    []byte
	// Form is what go-vcr parsed from a form body. It is kept for its readers;
	// matching uses RequestBody.
	Form url.Values
	// Response is the answer, split as wire.Response asks: one part per event
	// of a stream. Events are PartEvent, or PartDone for "data: [DONE]"; which
	// of them carry content only the vendor's adapter knows.
	Response wire.Response
	// Duration is the time from the request to the end of the answer, or to
	// the error.
	Duration time.Duration
	// RecordedAt is when the request was sent. It is known only of an answer whose
	// header says an instant, which a replay moves by it; else it is zero.
	RecordedAt time.Time
	// Chunks is when which part of the body arrived. Nil where it is unknown.
	Chunks []Chunk
	// Error names a transport error before any byte of an answer, one of
	// [ErrorNames]; Response is then empty.
	Error string
	// ErrorText and ErrorType tell errors of one name apart: the words of the
	// real one without addresses, and the name of its Go type where only that
	// is known of it. Both are "" where the name says all.
	ErrorText, ErrorType string
	// Protocol is that of the recorded response, such as "HTTP/2.0", or "".
	// A replay is always HTTP/1.1.
	Protocol string
	// Key is the canonical request key as the file has it, "" in foreign files.
	Key string
}

// A Chunk is one read while recording: when it returned, counted from the
// request, and how many bytes it brought. A first chunk of no bytes marks the
// arrival of the header; without one it came with the first byte.
type Chunk struct {
	At  time.Duration `yaml:"at"`
	Len int           `yaml:"len"`
}

// Request returns the recorded request in the form in which requests are
// compared. It shares the interaction's memory.
func (it *Interaction) Request() match.Request {
	return match.Request{Method: it.Method, URL: it.URL, Header: it.RequestHeader, Body: it.RequestBody}
}

// Clone returns a copy that shares no memory with it.
func (it *Interaction) Clone() *Interaction {
	c := *it
	c.RequestHeader = it.RequestHeader.Clone()
	c.RequestBody = slices.Clone(it.RequestBody)
	c.Form = cloneForm(it.Form)
	c.Response = it.Response.Clone()
	c.Chunks = slices.Clone(it.Chunks)
	return &c
}

func cloneForm(form url.Values) url.Values {
	c := maps.Clone(form)
	for name, values := range c {
		c[name] = slices.Clone(values)
	}
	return c
}

// memo keeps the indexes that players of one cassette share.
type memo struct {
	mu    sync.Mutex
	steps *stepIndex
	keys  map[string]*keyIndex
}
