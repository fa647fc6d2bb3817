// Package programs holds the commands that play services to programs: exec, serve
// and bridge.
package programs
