// Package source makes the mutants of a source file of a program: each is one
// change that somebody could have made by mistake. A guard that is left out, a
// limit that is off by one, a wait that is not there, an order that is not kept, a
// function that is taken for another one (related.go, relatedkey.go, relatedtext.go,
// relatedshell.go).
// Where all scenarios of a program pass with such a change, none of them looks at
// what it does.
//
// A file is read by a small lexer and not by a parser of its language: the result
// is a list of tokens with the brackets around them (token.go, lex.go, shell.go),
// and the statements they make up (statements.go, braces.go, ruby.go, shellcommand.go). A mutant that cannot be
// compiled is possible, and Broken tells it by what the program wrote.
//
//	for _, m := range source.Mutants("app.py", text) {
//		fmt.Println(m.Line, m.Change)
//		run(m.Apply(text))
//	}
//
// A sum of rounded values becomes a sum that is rounded (sums.go, loopsums.go): of
// sum(…) and of sum(map(…)) in Python, of .map(…).reduce(…) and .reduce(…) with an arrow
// function in JavaScript, and of total += … in a loop of Python, JavaScript, Go and Java.
// Left out are sums of int(math.Round(…)) in Go, and in Java those of Math.round(…) that
// nothing such as / 100.0 follows: the total is a whole number there; loops in which the total is set anew, and loops of one
// statement without braces; forEach; streams; Ruby and the shell. The weights of a mean
// are left out where Python has both sums side by side.
//
// What rounds may be a function of the file with one argument (rounders.go).
//
// What a finally does, which exceptions are caught, and what is made in each round of a
// loop is changed in finally.go and once.go, copies in alias.go, what a class overrides in
// classes.go.
//
// What keeps tasks apart that run at one time is taken away in apart.go.
//
// What stands in a text in another language is changed by package inner (innertext.go,
// innershell.go).
//
// Texts of logs, imports, docstrings, comments, type annotations and version
// strings are left alone: nobody writes a scenario of them.
package source
