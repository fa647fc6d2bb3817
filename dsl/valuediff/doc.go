// Package valuediff says where two values of the language differ:
//
//	valuediff.Of(actual, expected) // .attempts[1].at_ms: 2000, want 1000
package valuediff
