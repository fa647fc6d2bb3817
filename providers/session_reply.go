package providers

import "github.com/scenario-lang/scenario/wire"

// A SessionServer is an adapter of a protocol in which clients also ask for what is no
// call: to open a session, what there is, whether somebody is there. A service
// that a scenario plays answers that by itself.
type SessionServer interface {
	// SessionReply is the answer to such a request, as [Reader] has read it; ok is false
	// for a call.
	SessionReply(in Input, offers []Offer) (b SessionReply, ok bool)
	// Gate is the answer to a request that the scenario has none for, in words
	// that end it. in may be what could not be read.
	Gate(in Input, message string) wire.Response
}

// A SessionReply is the answer to what is no call.
type SessionReply struct {
	wire.Response
	// What names the request for people who read a trace.
	What string
	// A match names such a request where it has this field and the field has this
	// word in it: then it is a call after all.
	Field, Word string
}

// An Offer is something that a service has by the words of its scenario: the
// method that uses it, and its name.
type Offer struct{ Method, Name string }
