// Package language holds the tables of the language: every block and attribute
// of a .scenario.hcl file with its type, its default and its sentence for the
// reference. What follows from them is decoded, checked and explained by package
// dsl, written by internal/docgen and completed by internal/lsp.
//
//	retry := language.File().Block("retry")
package language
