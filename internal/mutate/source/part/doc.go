// Package part takes a part of a call in the place of the call: what it is given, or what its method is called on. A
// library call that is all of a feature has a change by it, whatever the library is. It also knows for some library
// calls the plain form that somebody would have written without the library, and lists the calls that no change of a
// file is about.
//
// What is in which file: part.go has the parts of a call, and where it has none; plain.go the plain forms of library calls;
// silent.go the calls that no change is about; words.go names that say where a part would show nothing.
package part
