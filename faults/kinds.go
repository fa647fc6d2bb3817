package faults

import (
	"slices"

	"github.com/scenario-lang/scenario/schema"
)

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

// alike are kinds that mean much the same to services of different families.
func alike() [][]*Kind {
	return [][]*Kind{
		{dbDown, connectionRefused, refuse},
		{dbSlow, delay, hang, timeout},
		{dbError, httpError, toolError, protocolError},
		{poolExhausted, httpError},
		{connectionReset, crash},
	}
}

// Closest is the kind that means to a service of another family what this one means with its
// arguments, nil where none is closer than those that are [Kind.Alike].
func (k *Kind) Closest(args schema.Values) *Kind {
	if status, _ := args["status_code"].(int); k == httpError && status >= 502 && status <= 504 {
		return dbDown // nobody is there behind the gateway
	}
	return nil
}

// Alike are the kinds that mean much the same as this one to a service of another
// family, in the order in which they are proposed.
func (k *Kind) Alike() []*Kind {
	var all []*Kind
	for _, group := range alike() {
		if !slices.ContainsFunc(group, func(g *Kind) bool { return g.Name == k.Name }) {
			continue
		}
		for _, other := range group {
			if other.Name != k.Name && !slices.Contains(all, other) {
				all = append(all, other)
			}
		}
	}
	return all
}
