// Package clients shows what real clients do under each fault: it lets the
// libraries that programs use meet every kind of fault over their protocol, in
// process, in a testing/synctest bubble and over sockets, and compares how often
// they ask, how long they wait and what their callers get with
// testdata/expected.txt. docs/clients.md is written from that table.
package clients
