// Package instant moves the dates in header fields of an answer to the time of a
// replay, so that what was two minutes ahead when it was recorded is two minutes
// ahead again:
//
//	if instant.In(name) {
//		moved, ok := instant.Shift(value, now.Sub(recorded))
//	}
package instant
