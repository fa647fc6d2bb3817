package cassette

import (
	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/cassette/redact"
)

// hiddenAlike reports whether a request is the recorded one but for secrets,
// which were hidden before the recording was written. Who replays need not know
// them: a placeholder holds a sum by which its secret is recognised. A program that
// was given a dummy for its key sends that one.
func (p *Player) hiddenAlike(it *Interaction, actual match.Request) bool {
	if !p.cassette.Own {
		return false
	}
	recorded := p.recorded(it)
	if !redact.HasPlaceholder(string(recorded.Body)) && !redact.HasPlaceholder(recorded.URL) {
		return false
	}
	candidates := []match.Request{actual, match.Request((*redact.Redactor)(nil).Request(redact.Request(actual)))}
	if p.options.Shown != nil {
		candidates = append(candidates, match.Request(p.options.Shown(redact.Request(actual))))
	}
	for _, c := range candidates {
		c.Body = []byte(redact.Veiled(string(recorded.Body), string(c.Body), p.options.Dummy))
		c.URL = redact.Veiled(recorded.URL, c.URL, p.options.Dummy)
		if p.same(recorded, c) {
			return true
		}
	}
	return false
}
