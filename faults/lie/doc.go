// Package lie changes what an answer says without changing that it is one: the
// status, the form and the length of the protocol's own parts stay right, and
// something in the content is false. Only a program that checks what it is told
// notices.
//
//	err := lie.WrongNumbers.Tell(schema.Values{"factor": 100.0}, &content)
//
// Nothing is drawn: the same answer is always false in the same way.
package lie
