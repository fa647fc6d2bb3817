// Package serve plays the scripts of a database to real clients: whatever their
// driver sends first, they get the messages that the script holds, in the order
// in which the protocol has them.
//
//	err := serve.Conn(clock, conn, func() (wire.WireScript, error) { return script, nil })
package serve
