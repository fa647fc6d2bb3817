// Package aside finds checks that look among the attempts of a program for what is no
// attempt: COMMIT, the handshake of MCP, OPTIONS. A scenario answers these beside the calls
// of a service, so that such a check is the same whatever the program does.
package aside
