// Package peak runs programs and tells what each took, its memory above all:
//
//	func main() {
//		peak.Launch() // first of all
//		used, err := peak.Run(exec.Command("scenario", "test"))
//		fmt.Println(used.Peak>>20, "MB", err)
//	}
//
// The system counts to a program what the process that started it had: on Linux the
// largest resident size survives exec, and Go starts a program in the memory of its
// parent. A test that holds 300 MB would measure 300 MB for each of its children. So the
// program is started by a small process between: the parent's own executable, in which
// Launch does nothing else. What is smaller than that one, some 10 to 20 MB, is measured
// as large as it.
//
// Systems that are not Unix start the program directly and say nothing of its memory.
package peak
