// Package chat is what the adapters of language models have in common, whatever
// the vendor: how an answer begins and is refused, how a stream of deltas
// becomes an answer, how a reply gets the fields that it lacks, how a request is
// sent to an interface of the usual kind, and how one that somebody else wrote is
// taken apart.
//
// An adapter describes its interface as a [Dialect] and parses with that:
//
//	var dialect = chat.Dialect{Expected: "a message was", Streamed: providers.EventStream, Object: object, Stream: stream}
package chat
