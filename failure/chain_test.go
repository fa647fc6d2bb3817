package failure

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What lies beneath an error is listed from the nearest on, by type where the
// type says something; URLs are left out, joined errors are followed by their
// first, and a long chain ends.
func TestBeneath(t *testing.T) {
	refused := os.NewSyscallError("connect", syscall.ECONNREFUSED)
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: refused}
	for name, c := range map[string]struct {
		err  error
		want []string
	}{
		"nothing":       {errors.New("x"), nil},
		"a system call": {dial, []string{"os.SyscallError: connect: connection refused", "syscall.Errno: connection refused"}},
		"a url":         {fmt.Errorf("get: %w", &url.Error{Op: "Get", URL: "https://h/?key=secret", Err: errors.New("broken")}), []string{": broken"}},
		"joined":        {errors.Join(errors.New("first"), errors.New("second")), []string{": first"}},
	} {
		var got []string
		for _, f := range Beneath(c.err) {
			got = append(got, f.Type+": "+f.Message)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	deep := errors.New("bottom")
	for range 50 {
		deep = fmt.Errorf("above %w", deep)
	}
	if n := len(Beneath(deep)); n != chainMax {
		t.Errorf("%d errors of a chain of 50, want %d", n, chainMax)
	}
	if f := FromTransport(dial); f.Kind != Connection || len(f.Chain) != 2 {
		t.Errorf("%+v", f)
	}
}
