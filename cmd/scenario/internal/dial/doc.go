// Package dial reaches real services on the real clock, for the commands run and
// record: over HTTP, by the protocol of a database, and over the standard input
// and output of a program. What comes back is read by the adapters that read a
// scripted answer.
package dial
