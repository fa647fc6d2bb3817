package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// command builds the command once for all tests, as a user has it.
var command = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return "", err
	}
	built = dir
	name := filepath.Join(dir, "scenario")
	build := exec.Command("go", "build", "-o", name, "./cmd/scenario")
	build.Dir = ".."
	build.Stderr = os.Stderr
	return name, build.Run()
})

// built is the directory of the command, "" where no test needed it.
var built string

func TestMain(m *testing.M) {
	if os.Getenv(serves) != "" {
		serveStdio()
		return
	}
	code := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

// run calls the command in a directory; what it says must contain all of want.
func run(t *testing.T, dir string, args []string, want ...string) {
	t.Helper()
	name, err := command()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	// A build normally refuses to record.
	cmd.Env = append(os.Environ(), "CI=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("scenario %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	for _, text := range want {
		if !strings.Contains(string(out), text) {
			t.Errorf("scenario %s does not say %q:\n%s", strings.Join(args, " "), text, out)
		}
	}
}

// write makes a file of a directory.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
