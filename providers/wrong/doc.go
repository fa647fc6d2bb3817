// Package wrong makes answers that are well-formed and say something else than they
// should, of one that is right, in ways that no kind of fault brings: half of what is no
// list, nothing at all, another type. A service that answers so
// is up, and nothing in its protocol says that something is wrong.
//
//	values, err := wrong.Reply("http", wrong.Half, &answer)
//
// What it returns are the attributes of a reply block, so that a scenario can say the
// same.
package wrong
