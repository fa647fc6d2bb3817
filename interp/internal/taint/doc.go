// Package taint finds what expressions make of secrets, so that it can be hidden
// like them.
//
// A [Tracker] is told of every evaluation of a file that has secrets. Where an
// expression reads one, in whatever form and wherever the value has been since (in
// an input, in the answer of a service that echoed it), it is evaluated once more
// with another secret of the same form in its place. What comes out otherwise
// depends on the secret, and its redactor learns it:
//
//	t := taint.New(redactor.Learning())
//	ctx := dsl.Followed(static, t)
//
// So it needs no list of functions, and knows nothing of what they do. What depends
// on the form of a secret alone, such as its length or where its hyphens are, comes
// out alike and is shown.
package taint
