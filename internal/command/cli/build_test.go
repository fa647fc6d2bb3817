package cli

import (
	"crypto/sha256"
	"fmt"
	"os"
	"testing"
)

// Shows that a version which names its commit or release stands alone, and that one which
// many builds have is told apart by the program's file.
func TestBuildOf(t *testing.T) {
	for _, c := range []struct{ version, binary, want string }{
		{"v1.2.3", "0123456789ab", "v1.2.3"},
		{"v0.0.0-20260102030405-0123456789ab", "0123456789ab", "v0.0.0-20260102030405-0123456789ab"},
		{"v0.0.0-20260102030405-0123456789ab+dirty", "ba9876543210", "v0.0.0-20260102030405-0123456789ab+dirty, binary sha256:ba9876543210"},
		{"(devel)", "ba9876543210", "(devel), binary sha256:ba9876543210"},
		{"(devel)", "", "(devel)"},
	} {
		if got := buildOf(c.version, func() string { return c.binary }); got != c.want {
			t.Errorf("%s with the hash %q is %q, want %q", c.version, c.binary, got, c.want)
		}
	}
}

// Shows that the hash is that of the program which runs.
func TestBinary(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%x", sha256.Sum256(text))[:12]; binary() != want {
		t.Errorf("it is %s, want %s", binary(), want)
	}
}
