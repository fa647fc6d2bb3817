// Package declared changes what a program declares: the tags of a struct, annotations that are read when the program
// runs, the cases of a switch and the patterns of a match, modifiers, labels, where a library is imported from, and the
// flags and options of a script. No statement does any of it, so leaving out statements does not tell whether a
// scenario needs it.
//
// What is in which file: declared.go begins, cases.go has what chooses one of several, golang.go, python.go, script.go
// and java.go what one language has alone, shell.go and words.go scripts of a shell.
package declared
