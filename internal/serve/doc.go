// Package serve plays scenarios to whoever asks over sockets, and starts no
// program: one run for each session, which a request names by its path or by a
// header field. A listener of its own controls the sessions.
package serve
