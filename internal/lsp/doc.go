// Package lsp is a language server for .scenario.hcl files, over standard
// input and output. What it knows of the language it takes from the schema
// tables and from the compiler, which is handed in: a word that is added there
// is completed, explained and checked here without a change.
//
//	err := lsp.Serve(os.Stdin, os.Stdout, lsp.Options{Check: validate, Names: names})
package lsp
