// Package coverage says which failures a suite shows to its program, which of them
// its checks notice, and what the program's policies did about them.
//
// A cell is an address and a group of faults. It is met where a run was struck so, and
// checked where a check of that scenario reads a value that is another in the world
// without the strike, or in the one in which it goes on to the end. Both worlds
// are run beside the scenario.
package coverage
