// Command site builds the web site into a directory: the pages of docs/, a search that
// works without a server, and the playground.
//
//	go run . -o public
//
// Nothing of the result names another host but links that a reader follows.
package main
