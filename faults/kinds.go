package faults

import "slices"

// kinds is the catalogue, in the order of the reference; a new kind is one
// line here.
var kinds = slices.Concat([]*Kind{
	timeout,
	httpError,
	malformedResponse,
	streamTruncate,
	connectionReset,
	partialResponse,
	connectionRefused,
	dnsError,
	tlsError,
	slowStream,
	delay,
	emptyResponse,
	wrongContentType,
	errorIn200,
	badGzip,
	contentLengthMismatch,
	redirectLoop,
	garbage,
	streamErrorEvent,
	exception,
	hang,
	crash,
	refuse,
	bookkeeping,
	staleClient,
	toolError,
	protocolError,
	sessionExpired,
	idMismatch,
	dbDown,
	dbSlow,
	dbError,
	poolExhausted,
}, liars())

// Kinds lists the kinds in the order of the reference. The slice and what it
// points to are shared and must not be changed.
func Kinds() []*Kind { return kinds }

// Lookup returns the kind of that name, or nil.
func Lookup(name string) *Kind {
	for _, k := range kinds {
		if k.Name == name {
			return k
		}
	}
	return nil
}
