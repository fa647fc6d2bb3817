// Package simpler lets a program do with what is at hand. Where it chooses one of a list by a key, a hash or the least
// load, it takes the next in turn; what it keeps apart by a key is one list; parts of a total are rounded one by one,
// and nothing is carried over; what is built aside and put in the place of what is in use is built in use. Each needs
// several places of a program to be changed at once, or a value that none of its statements has.
//
// What is in which file: simpler.go begins, state.go has what a program counts with, next.go takes what is next,
// grouped.go makes one list of several, carried.go rounds each part alone, and aside.go builds in use; doubled.go lets what doubles
// grow by the same each time; shell.go has what is done in scripts of a shell.
package simpler
