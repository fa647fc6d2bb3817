// Package mistakes says what the parser of HCL found wrong in the words of the
// language: what was probably meant and what to write instead, once for each
// mistake of the author, and nothing of what only follows from it.
//
//	_, diags := hclsyntax.ParseConfig(src, path, hcl.InitialPos)
//	diags = mistakes.Causes(mistakes.Rewrite(diags, src), src)
package mistakes
