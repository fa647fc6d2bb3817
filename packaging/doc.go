// Command packaging builds a release: the command for every system, and the archives,
// packages and files by which people install it.
//
//	go run . -version v0.1.0 -o ../bin/release
//
// Equal sources and an equal version give equal files, byte for byte.
package main
