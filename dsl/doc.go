// Package dsl is the language of .scenario.hcl files: it parses and decodes a
// file by the tables of package schema, keeps expressions unevaluated with
// their place in the source, checks what they refer to, and says what is wrong
// as diagnostics that name the place, the reason and the next thing to try.
//
//	file, diags := dsl.Parse("support.scenario.hcl", src)
//	for _, s := range file.Body.All("scenario") {
//		fmt.Println(s.Name(), s.DefRange)
//	}
package dsl
