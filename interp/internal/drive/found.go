package drive

import "github.com/scenario-lang/scenario/interp/internal/exchange"

// Found says by which rules a request got what it got, for people who wonder: of
// several rules that could decide, the one that did. What is "" was not looked for.
type Found struct {
	// Provider is the address, the listener, the longest path, the API of the request
	// or its model.
	Provider string
	// Endpoint is a header field or a path that names it, its match, the provider where
	// that has no other, or a refusal that all endpoints of a database have due.
	Endpoint string
	// Lane is a header field or the expression of the endpoint, Call what the attempts
	// of one have in common, and Entry how the answer was chosen.
	Lane, Call, Entry string
}

// String is the rules in one line.
func (f Found) String() string {
	text := ""
	for _, part := range []struct{ what, by string }{{"provider", f.Provider}, {"endpoint", f.Endpoint}, {"lane", f.Lane}, {"call", f.Call}, {"entry", f.Entry}} {
		if part.by == "" {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += part.what + " by " + part.by
	}
	return text
}

// entryRule is how an answer was chosen.
func entryRule(a exchange.Answer) string {
	switch e := a.Entry; {
	case e == nil && a.Script.Meta.By == "cassette":
		return "recorded order"
	case e == nil:
		return ""
	case !e.Match.Empty():
		return "match"
	case e.Turn > 0:
		return "turn"
	case e.Target != "":
		return "target"
	}
	return "order"
}

// callRule is what put an attempt into its call.
func (x *Exchange) callRule(c *call) string {
	switch {
	case c.attempts == 1:
		return "a new request"
	case x.request.http.Header.Get("Idempotency-Key") != "":
		return "Idempotency-Key"
	case x.connects():
		return "a new session"
	}
	return "the same request"
}
