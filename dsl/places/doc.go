// Package places finds the blocks of the language in which an attribute or a block would
// be right that stands in a wrong one.
//
//	places.Names(places.Inside(step, "times"), places.Of(body)) // reply, fault
package places
