// Package release builds the files of a release. What they are called and where they
// will be found stands in names.go.
package release
