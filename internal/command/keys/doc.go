// Package keys reads single keys from a terminal, for a command that waits for
// something else meanwhile. The terminal is as it was whenever the command does not
// wait: while it works, when it is stopped and when it ends.
package keys
