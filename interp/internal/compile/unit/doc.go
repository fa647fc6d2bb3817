// Package unit is what a file says before anything of it runs: its variables and
// locals, what its static attributes may name and read, the files it asks for,
// and the diagnostics that compiling it collects.
package unit
