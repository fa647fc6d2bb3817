// Package wire describes one exchange with a remote service as bytes and time.
//
// Everything a client meets, in every mode, is one [WireScript]: an optional
// dial or TLS error, then operations that wait, deliver bytes and end the
// connection. A script is chosen by a [Source] and turned into an
// *http.Response or an error by [WireScript.RoundTrip], in process and without
// a goroutine, or written to a real connection by [WireScript.ServeConn]. Both
// give a client the same bytes and the same error chain as a real transport.
//
// Nothing here reads the wall clock: every wait goes through a [Clock].
package wire
