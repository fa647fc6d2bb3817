// Package inner makes the changes of a program that stands in a text of another one: a
// query in SQL, a program of jq or of awk, a command of sed. Each is one change that
// somebody could have made by mistake: a side of WHERE that is left out, an order that
// is the other way round, a filter that lets everything pass.
//
//	for _, c := range inner.Changes("sql", query) {
//		fmt.Println(c.Change)
//		run(c.Apply(query))
//	}
//
// A text is read by a small lexer and not by a parser: what is made of it is nearly
// always a program again, but nothing checks that. What a text does not say itself,
// such as ? and $1, stays in it, as what is left out would be missed: `due <= ?` becomes
// `(due <= ? OR 1 = 1)`. So do the holes of Around, which are what the program around
// computes there, unless they are left out together with what stands around them.
package inner
