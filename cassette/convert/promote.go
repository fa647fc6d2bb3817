package convert

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/wire"
)

// The faults by which answers that failed are written down: an error status, a
// connection that ended, a stream that broke off.
const (
	StatusFault = "http_error"
	ResetFault  = "connection_reset"
	CutFault    = "stream_truncate"
)

// Promote returns a script for each step of a recorded scenario that met a
// failure: an `on` block whose entries bring about what was recorded. Failures
// are faults that can be read and changed; every other answer is replayed from
// the cassette by its number. items are the interactions of the scenario.
func Promote(items []*cassette.Interaction) []*Block {
	var steps []string
	by := map[string][]*cassette.Interaction{}
	for _, it := range items {
		if by[it.Step] == nil {
			steps = append(steps, it.Step)
		}
		by[it.Step] = append(by[it.Step], it)
	}
	var scripts []*Block
	for _, step := range steps {
		if step != "" && slices.ContainsFunc(by[step], failed) {
			on := &Block{Type: "on", Labels: []string{step}}
			for i, it := range by[step] {
				on.Blocks = append(on.Blocks, promoted(it, i+1, len(targets(by[step])) > 1))
			}
			scripts = append(scripts, on)
		}
	}
	return scripts
}

func targets(items []*cassette.Interaction) []string {
	var names []string
	for _, it := range items {
		if !slices.Contains(names, it.Target) {
			names = append(names, it.Target)
		}
	}
	return names
}

// failed reports whether an interaction is anything but a whole answer of
// success.
func failed(it *cassette.Interaction) bool {
	return it.Error != "" || it.Response.End != wire.EndNone || it.Response.Status >= http.StatusBadRequest
}

// promoteErrors are the faults for errors in the place of an answer.
var promoteErrors = map[string]string{
	"refused": "connection_refused",
	"dns":     "dns_error",
	"tls":     "tls_error",
	"reset":   "connection_reset",
	"timeout": "timeout",
}

// promoted is the entry for the nth interaction of its step.
func promoted(it *cassette.Interaction, n int, several bool) *Block {
	b := &Block{Type: "fault"}
	kind := promoteErrors[it.Error]
	body := string(it.Response.Body())
	switch {
	case kind != "":
		b.Labels = []string{kind}
	case it.Error == "" && it.Response.End == wire.EndNone && it.Response.Status >= http.StatusBadRequest && isText(body):
		b.Labels = []string{StatusFault}
		b.set("status_code", it.Response.Status)
		if fields := promotedFields(it); len(fields) > 0 {
			b.set("headers", fields)
		}
		b.set("body", body)
	default:
		b.Type = "replay"
		b.set("interaction", n)
		if failed(it) {
			b.Notes = []string{"Replayed, as no fault says it exactly: " + it.Outcome() + "."}
		}
	}
	if b.Type == "fault" && it.Duration > 0 {
		b.set("after", wait(it.Duration))
	}
	if several && it.Target != "" {
		b.set("target", it.Target)
	}
	return b
}

// promotedFields are the header fields of an answer, each once.
func promotedFields(it *cassette.Interaction) []Attr {
	var fields []Attr
	all := httptext.Header(it.Response.Header)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fields = append(fields, Attr{name, strings.Join(all[name], ", ")})
	}
	return fields
}
