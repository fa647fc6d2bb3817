package exchange

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// perConnection are the header fields between a client and whom it is connected to (RFC
// 9110, section 7.6.1), in their canonical form.
var perConnection = []string{"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

// EndToEnd leaves of a header what is for both ends of an exchange: the fields
// about one connection are removed, with those that Connection names.
func EndToEnd(h http.Header) {
	for _, value := range h.Values("Connection") {
		for name := range strings.SplitSeq(value, ",") {
			h.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range perConnection {
		h.Del(name)
	}
}

// onward is the request of a program as it goes on to the real service: with its own
// credentials, and compressed as the transport likes, which undoes that, so that a
// recording can be read.
func onward(ctx context.Context, r *http.Request, body []byte) *http.Request {
	own := r.Clone(ctx)
	EndToEnd(own.Header)
	own.Header.Del("Accept-Encoding")
	own.RequestURI, own.Close, own.TransferEncoding = "", false, nil
	providers.SetBody(own, body)
	return own
}

// redactor hides what the plan does, and the credentials that a program sent with a
// request of its own: the service may repeat them.
func (s *liveSource) redactor(r *http.Request) *redact.Redactor {
	var sent []string
	for name, values := range r.Header {
		if !s.Own || !redact.IsSecretField(name) {
			continue
		}
		for _, v := range values {
			if _, token, ok := strings.Cut(v, " "); ok { // behind its scheme, such as Bearer
				v = token
			}
			if v != plan.PlaceholderKey {
				sent = append(sent, v)
			}
		}
	}
	if sent == nil {
		return s.plan.Secrets.Redactor
	}
	known := strings.Join(sent, "\x00")
	if s.hiding[known] == nil {
		s.hiding[known] = s.plan.Hiding(sent).Secrets.Redactor
	}
	return s.hiding[known]
}

// A Relay is an exchange of a program with a real service, which is passed on to the
// program as it comes.
type Relay struct {
	*dial
	meta wire.Meta
}

// Pass is the way of a program's request that is no call to the real service, nil where
// none of those steps is dialled. What it is answered is kept beside the calls, so that a
// replay has the service's own words, such as its list of tools.
func (s *Sources) Pass(ctx context.Context, p *plan.Provider, steps []string, r *http.Request, body []byte) *Relay {
	if !slices.ContainsFunc(steps, s.live.dials) {
		return nil
	}
	transport, err := s.transport(p)
	if err != nil {
		return nil
	}
	call := s.sessionCall(p, r, body)
	o := cassette.TakeOptions{Scenario: s.plan.Name, Now: s.clock.Now, Redactor: (&liveSource{Sources: s, Asked: Asked{Own: true}}).redactor(r), Keep: s.plan.KeptHeaders()}
	d := &dial{clock: s.clock, transport: transport, sent: onward(ctx, r, body), onSecret: s.onSecret}
	if s.live.Recorder != nil && (s.player == nil || !s.live.Missing && !s.live.Drifted || s.player.SessionAgain(call) == nil) {
		d.take = s.live.Recorder.Begin(call, o)
	} else {
		d.take = cassette.NewTake(call, o)
	}
	return &Relay{d, wire.Meta{Step: call.Step, By: byLive}}
}

// Passed is what the service answered to a program's request that is no call when it was
// recorded; ok is false where it was not.
func (s *Sources) Passed(ctx context.Context, p *plan.Provider, r *http.Request, body []byte) (script wire.WireScript, ok bool) {
	if s.player == nil || s.plan.Responses != nil {
		return script, false
	}
	call := s.sessionCall(p, r, body)
	if s.player.SessionAgain(call) == nil {
		return script, false
	}
	it, err := s.player.TakeSession(ctx, call)
	if err != nil {
		it = s.player.SessionAgain(call) // every one has been played
	}
	if restore(p.Adapter, it) != nil {
		return script, false
	}
	return s.player.Script(call, it), true
}

// sessionCall is a program's request that is no call, as it is recorded.
func (s *Sources) sessionCall(p *plan.Provider, r *http.Request, body []byte) wire.Call {
	return wire.Call{Scenario: s.plan.Name, Step: cassette.SessionStep(p.Name), Attempt: 1, Round: 1, Target: p.Name, Request: r, Body: body}
}

// Take is the recording of what the service answers.
func (r *Relay) Take() *cassette.Take { return r.take }

// Refused reports whether the service has said all of a refusal: an answer with a
// status of 400 or more.
func (r *Relay) Refused() bool { return r.take.Refused() }

// RelayOf is the relay of an answer that is to come from a real service, nil for
// another answer.
func RelayOf(s wire.WireScript) *Relay {
	if d, ok := s.Through.(*dial); ok {
		return &Relay{d, s.Meta}
	}
	return nil
}

// Dial asks the service. The body of the response is to be read by one goroutine, to
// its end or until nobody wants more.
func (r *Relay) Dial() (*http.Response, error) {
	resp, err := r.take.RoundTrip(r.transport, r.sent)
	if err == nil {
		r.listen(resp)
	}
	return resp, err
}

// Script is what the service answered so far, as a replay would have it: what ended
// in the middle is followed by silence.
func (r *Relay) Script() wire.WireScript {
	it := r.take.Recorded()
	if !r.take.Ended() {
		it.Response.End = wire.EndHang
	}
	return it.Script(r.meta)
}

// Drain reads what a response has, for an answer that is needed as a whole.
func Drain(resp *http.Response) {
	_, _ = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
}
