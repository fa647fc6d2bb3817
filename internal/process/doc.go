// Package process runs programs and ends them for certain: with everything that
// they started, in bounded time.
//
// [Start] starts one, hands on what it writes as it comes, and tells when it has
// ended; [Process.Stop] ends it, politely at first. [Run] is for a program that
// is fed, bounded and waited for, as benches have them.
//
//	path, err := process.Find("python3", dir)
//	if err != nil {
//		return err // which word, where it was looked for, what to do
//	}
//	p, err := process.Start(
//		process.Command{Path: path, Args: []string{"python3", "agent.py"}, Dir: dir, Env: env},
//		process.Output{Keep: 1 << 20, Line: show},
//	)
//	if err != nil {
//		return err
//	}
//	select {
//	case <-p.Exited():
//	case <-ctx.Done():
//	}
//	end := p.Stop(5 * time.Second)
//
// On Unix a program is the first of a process group of its own: a signal to us is
// none to it, and once it is done with, nothing of the group is left: of Run that is
// its end, of Start what it left running may go on until Stop. One of Start has a
// session of its own, too, and so no terminal. Elsewhere the program alone is ended,
// at once.
package process
