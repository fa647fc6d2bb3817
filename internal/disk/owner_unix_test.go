//go:build unix

package disk

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Shows that a file which is replaced keeps its owner, its group and its mode,
// whoever runs the command.
func TestReplacedFileKeepsOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, 4321, 1234); err != nil {
		t.Skipf("a file cannot be given away here: %v", err)
	}
	if err := Write(path, []byte("new"), 0o666); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	is := info.Sys().(*syscall.Stat_t)
	if is.Uid != 4321 || is.Gid != 1234 || info.Mode() != 0o640 {
		t.Errorf("it belongs to %d:%d with mode %s, want 4321:1234 with -rw-r-----", is.Uid, is.Gid, info.Mode())
	}
}
