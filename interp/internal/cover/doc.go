// Package cover says of a scenario what can strike it, what did in a run, what its
// policies did about it, and which of its expressions no run came to. Runs beside
// it, without a strike, show what its checks notice.
package cover
