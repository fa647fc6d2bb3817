// Package taken knows what is easily taken for an expression of a workflow: a text that stands anywhere for one at the
// beginning, the plain form that one would have in the place of a function, a number for its text, a status at another
// limit, all of a thing for the members that are read of it.
//
//	for _, o := range taken.Conversions(expression, source, true, false) {
//		fmt.Println(o.Shown)
//		try(o.With)
//	}
//
// What it makes is the text of an expression. It neither parses nor compiles that, and knows of no block: which
// attributes may be changed, the caller decides.
package taken
