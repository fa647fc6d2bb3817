// Package cputime tells how much processor time the process has had, which says what work
// costs better than a clock does on a machine that does other things, too:
//
//	from := cputime.Spent()
//	work()
//	fmt.Println(cputime.Spent() - from)
package cputime
