// Package disk reads regular files with a bound and replaces them as a whole: a reader
// never sees half of what is written.
//
//	text, err := disk.Read("a.scenario.hcl", 1<<20)
//	err = disk.Write("a.scenario.hcl", text, 0o666)
package disk
