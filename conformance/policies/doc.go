// Package policies holds the retry policies of std/clients against the clients
// whose behaviour they describe: both meet the same faults, and have to ask as
// often, wait as long and end the same way. A client in Go is asked in fake time,
// one in another language as a program that the command starts.
package policies
