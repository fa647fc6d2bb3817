// Package server lets a program ask a run over sockets: it listens on loopback,
// reads requests as HTTP/1.1, has the run answer them and plays the answers byte
// by byte, faults included, which a server of the standard library cannot. One
// goroutine reads a connection, and so sees its client leave; another plays.
package server
