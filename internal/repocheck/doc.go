// Package repocheck holds the tests that keep the repository's promises about
// itself: which package may import which, what an engine package never calls,
// what go.mod may require, how large a package is, that the code in its comment
// compiles, and what every file, name, comment and link looks like.
//
// It exports nothing. Every check is a function over files, so that each has a
// test with a planted offender beside the one that reads the tree.
package repocheck
