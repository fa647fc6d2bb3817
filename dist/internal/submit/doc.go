// Package submit puts the scenarios or benches of a call into a queue as a run:
// units.go makes units of what was loaded, files.go a bundle of what that was loaded
// from.
package submit
