// Package printed reads the forms in which languages print what a program holds, where values
// have no quotes: {Name:value …} and map[name:value …] of Go, Name[name=value, …] of Java
// and Name(name=value, …) of Kotlin. It knows no names: that one is of a credential is for its caller to know.
//
//	end, how := printed.End("Settings[user=ann, password=a b, timeout=3]", 26, 27) // of "a b"
//
// The package is pure, and looks at a bounded part of a text.
package printed
