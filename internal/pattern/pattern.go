// Package pattern has regular expressions compiled when they are first used. A
// command needs few of those that its packages declare, and compiling them all
// is most of what a program does before it begins.
//
//	var status = pattern.New(`\b[45][0-9]{2}\b`)
//
//	if status().MatchString(text) {
//		return errStatus
//	}
package pattern

import (
	"regexp"
	"sync"
)

// New is a function that compiles the expression at its first call and returns
// the same value at every call, from any goroutine. It panics where the
// expression is none: it is written as a literal, and a test compiles all that
// the module declares. Inlined, as it would be, each of the two hundred declarations were a
// kilobyte of code in every program that embeds the module.
//
//go:noinline
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
