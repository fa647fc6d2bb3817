//go:build unix

package cputime

import (
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// Work of the process counts, and so does that of a program once it was waited for. The
// expected values are what the system says of each.
func TestSpent(t *testing.T) {
	from := Spent()
	for Spent()-from < 30*time.Millisecond {
	}
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	if own, all := time.Duration(u.Utime.Nano()+u.Stime.Nano()), Spent(); own < 30*time.Millisecond || all < own {
		t.Errorf("%s in all, %s of its own", all, own)
	}
	cmd := exec.Command("sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done")
	before := Spent()
	if err := cmd.Run(); err != nil {
		t.Skip(err)
	}
	if its, got := cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), Spent()-before; got < its {
		t.Errorf("%s, of which a program had %s", got, its)
	}
}
