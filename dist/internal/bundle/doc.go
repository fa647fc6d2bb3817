// Package bundle carries the files of a suite to workers: what its scenario files are
// compiled from and what its programs need, named by the digest of all of it.
package bundle
