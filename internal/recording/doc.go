// Package recording keeps what live runs meet in the cassettes that their
// scenarios name, compares it with them, and makes scenarios of the failures
// among it. It has no flags and no terminal; whoever runs the scenarios hands
// their results in.
//
//	set := &recording.Set{}
//	err := set.Open(files, plans, recording.Options{At: now})
//	result := interp.RunLive(plan, interp.RunOptions{}, interp.Live{Recorder: set.Recorder(plan)})
//	set.Ran(plan, result)
//	committed, err := set.Commit("")
package recording
