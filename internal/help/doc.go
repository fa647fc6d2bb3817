// Package help explains a word of the language in a few lines: a kind of fault,
// a gate, a kind of step. What it says comes from the tables that the language is
// made of, and what a fault is observed as is found by running it.
//
//	text, ok := help.Text(help.Fault, "http_error")
package help
