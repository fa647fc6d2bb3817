// Package collect gathers the results of a run in their order: spool.go keeps them in a
// file as they come, entries.go makes of them what reports are made of, and status.go
// tells how far a run is.
package collect
