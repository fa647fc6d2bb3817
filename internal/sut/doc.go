// Package sut runs a scenario with the program that it is about: it listens for
// the services that the program calls, starts it, sees it to its end and has the
// run judged. The run answers the requests and the server plays the answers; what
// is here is how a program is told where they are, when it is ready, and when the
// run is over.
package sut
