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
// statements that they make up. So a mutant that cannot be compiled is possible, and
// Broken tells it by what the program wrote.
//
// Where the changes of an operator are made, for the most part:
//
//	condition    condition.go
//	statement    statement.go finally.go classes.go apart.go
//	order        once.go; neighbours are swapped where statements are left out
//	argument     argument.go
//	together     everywhere.go pure.go shelltogether.go, with package group
//	call         call.go limits.go constantly.go; of sums sums.go loopsums.go rounders.go
//	related      related.go relatedkey.go relatedtext.go alias.go joined.go renewed.go
//	format       format.go
//	compare      values.go
//	number, arithmetic, boolean, text    as compare
//	part         silent.go, with package part; of commands of a shell, package commands
//	shape        all of it is in package shape
//	declaration   all of it is in package declared, and of texts that choose in package selector
//	next         all of it is in package simpler, which also makes some of together
//	all of a script of a shell           shellcommand.go relatedshell.go innershell.go
//	all of a text in another language    innertext.go, with package inner
//
// The rest reads: source.go begins, language.go has what is known of each, token.go the
// tokens, statements.go braces.go ruby.go shell.go the statements, classify.go what they
// do, and probe.go where a run ends.
//
// Not changed are texts of logs, imports of what nothing else has, docstrings, comments, annotations that nothing reads
// and version strings, which nobody writes a scenario of. Of sums of rounded values those are
// left out whose total is a whole number (int(math.Round(…)) in Go, Math.round(…) in Java
// with nothing such as / 100.0 behind it), loops in which the total is set anew, loops of
// one statement without braces, forEach, streams, Ruby and the shell.
package source
