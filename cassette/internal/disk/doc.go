// Package disk is what writing a cassette needs of a file system, in steps that
// a test can let fail one by one.
package disk
