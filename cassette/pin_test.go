package cassette

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// go-vcr stays at v2.1.0: the one version of its path that can be required and
// whose types and default mode are known here.
func TestGoVCRPin(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root(t), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`github\.com/dnaeon/go-vcr/v2 (\S+)`).FindSubmatch(data)
	if m == nil || string(m[1]) != "v2.1.0" {
		t.Errorf("go.mod requires go-vcr %s, want v2.1.0", m)
	}
}
