package drive

import (
	"hash/maphash"
	"net/http"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/wire"
)

// fieldValues know which header fields of requests carry credentials, and which values of
// those were received already: a program sends the same with every request.
type fieldValues struct {
	listened map[string]bool
	received map[string]bool
	// answered are hashes of what scripts and recordings answered with: most answers are the same each time.
	answered map[uint64]bool
}

// seed is that of the hashes.
var seed = maphash.MakeSeed()

// receivedMax bounds what a run remembers.
const receivedMax = 1000

// Given is told the environment that the program is given.
func (r *Run) Given(environment []string) {
	values := redact.EnvironmentCredentials(environment)
	if h := r.plan.Secrets.Received; h != nil {
		h.Keep(values)
		r.tellSecrets(values)
	}
}

// Received is told of header fields that are no part of a request.
func (r *Run) Received(h http.Header) {
	if r.plan.Secrets.Received != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.received(redact.FieldCredentials(nil, h))
	}
}

func (r *Run) tellSecrets(values []string) {
	if r.options.OnSecret != nil && len(values) > 0 {
		r.options.OnSecret(values)
	}
}

// hear learns the credentials in the head of a request, whatever becomes of that.
func (r *Run) hear(a *Asked) {
	if r.plan.Secrets.Received == nil {
		return
	}
	r.makeRoom()
	var values []string
	for name, list := range a.Request.Header {
		if !r.fields.listens(name) {
			continue
		}
		for _, v := range list {
			if !r.fields.received[v] {
				r.fields.received[v] = true
				values = append(values, redact.FieldCredentials(nil, http.Header{name: {v}})...)
			}
		}
	}
	if u := a.Request.URL; u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		values = redact.AddressCredentials(values, u.String())
	} else {
		values = redact.AddressCredentials(values, u.EscapedPath())
	}
	r.received(values)
}

// makeRoom forgets values where too much is remembered.
func (r *Run) makeRoom() {
	if r.fields.listened == nil || len(r.fields.listened) > receivedMax || len(r.fields.received) > receivedMax || len(r.fields.answered) > receivedMax {
		r.fields = fieldValues{map[string]bool{}, map[string]bool{}, map[uint64]bool{}}
	}
}

// hearBody learns the credentials in the body of a request.
func (r *Run) hearBody(a *Asked) {
	if r.plan.Secrets.Received != nil && len(a.plain) > 0 {
		r.received(redact.BodyCredentials(nil, a.Request.Header.Get("Content-Type"), a.plain))
	}
}

// gives learns the credentials in what a script or a recording answers with, before the program has them. Programs
// print them, as they do those of a real service.
func (r *Run) gives(s wire.WireScript) {
	if r.plan.Secrets.Received == nil || s.Through != nil {
		return
	}
	r.makeRoom()
	text := exchange.Answered(s)
	if sum := maphash.Bytes(seed, text); !r.fields.answered[sum] {
		r.fields.answered[sum] = true
		r.received(exchange.Credentials(text))
	}
}

// answeredWith is told of what a real service answered.
func (r *Run) answeredWith(values []string) {
	if len(values) > 0 {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.received(values)
	}
}

func (r *Run) received(values []string) {
	values = slices.DeleteFunc(values, func(v string) bool { // the key that programs have of us is no secret
		return v[strings.LastIndexByte(v, ':')+1:] == plan.PlaceholderKey
	})
	r.tellSecrets(r.plan.Secrets.Received.Receive(values))
}

// listens reports whether fields of a name may carry credentials. A session with an MCP
// server is named by that, which is us.
func (e *fieldValues) listens(name string) bool {
	is, known := e.listened[name]
	if !known {
		is = redact.MayBeSecretField(name) && !strings.EqualFold(name, "Mcp-Session-Id")
		e.listened[name] = is
	}
	return is
}
