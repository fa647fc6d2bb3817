// Package plain decides conditions of the forms that most invariants have:
// attributes of results compared with what is written out, counts and quantifiers
// over a list, joined by && and ||. It reads of a run what it compares, and builds
// nothing else. Whatever it is not sure of is left to the whole evaluation, so it
// only ever saves work: a condition that is not of these forms has no [Condition],
// and one of them that meets a value it does not know is [Unsure].
package plain
