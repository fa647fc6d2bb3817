// Package given tells what a file alone decides of what its runs can observe: the target
// of a step whose gateway has one, the kind of a step, that nothing is tried again without
// a policy. A condition that is decided by that alone shows nothing.
//
// It reads values as conditions do, with unknown ones in the place of all that a run
// decides, and with other numbers of elements where a run decides how many there are:
//
//	file := given.New(observed)
//	v, why := file.At(path, ctx, given.AsMany) // why is "" where the file gives nothing of it
package given
