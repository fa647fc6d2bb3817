// Package platforms holds the test that the whole module builds for the systems
// that it supports and is not developed on, WebAssembly included, and that the
// command works there as far as this machine can run it.
package platforms
