// Package vacuous finds what a file asks for and what holds of everything:
// gates that no answer can break, expectations of empty objects, calls of tools
// that no step has, or with arguments that it does not declare, and answers that no
// server of a database gives.
//
//	diags = append(diags, vacuous.Expected(attr)...)
package vacuous
