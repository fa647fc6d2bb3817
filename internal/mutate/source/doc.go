// Package source makes the mutants of a source file of a program: each is one
// change that somebody could have made by mistake. A guard that is left out, a
// limit that is off by one, a wait that is not there, an order that is not kept, a
// function that is taken for another one.
// Where all scenarios of a program pass with such a change, none of them looks at
// what it does.
//
//	for _, m := range source.Mutants("app.py", text) {
//		fmt.Println(m.Line, m.Change)
//		run(m.Apply(text))
//	}
//
// What a caller may rely on: the same text gives the same mutants in the same order,
// that of Operators and then of lines; no two are the same edit; each changes at most
// 4 KiB of it; Change is one line. A file of a language that is not known, of more than
// 256 KiB, or whose brackets or quotes do not match has none, and no text makes anything
// panic. The work grows with the text as it does. All functions are safe for concurrent use.
//
// A file is read by a small lexer and not by a parser of its language (package
// tokens): the result is a list of tokens with the brackets around them, and the
// statements that they make up (statements.go, braces.go, ruby.go, shellcommand.go). So a
// mutant that cannot be compiled is possible, and Broken tells it by what the program
// wrote. The other files make the
// changes.
//
// Not changed are texts of logs, imports, docstrings, comments, type annotations and
// version strings, which nobody writes a scenario of. Of sums of rounded values those are
// left out whose total is a whole number (int(math.Round(…)) in Go, Math.round(…) in Java
// with nothing such as / 100.0 behind it), loops in which the total is set anew, loops of
// one statement without braces, forEach, streams, Ruby and the shell.
package source
