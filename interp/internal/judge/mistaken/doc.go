// Package mistaken tells other runs of a program from the trace of one: those of a program that makes a
// mistake which a check is there to find, and which the scenario does not let it see. It sends a request
// again whose answer was lost, writes to a database without a transaction, waits for ever, asks for all
// at once, or does not wait for an answer. A check that holds of such a program, too, shows nothing of
// that.
//
//	why := otherwise.Of(observed, mistaken.Runs).Condition(condition, needs)
package mistaken
