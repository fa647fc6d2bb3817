package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// Shows that no text of --shard is taken for a part that does not exist.
func FuzzShard(f *testing.F) {
	for _, s := range []string{"1/1", "2/3", "0/1", "4/3", "/", "1/", "-1/2", "1/2/3", "99999999999/1", "+1/2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		i, n, err := parseShard(text)
		if err == nil && (i < 1 || i > n) {
			t.Errorf("%q is part %d of %d", text, i, n)
		}
	})
}

// Shows that a file of variables is refused or read, whatever it holds, and
// that every value that was read can be handed to the compiler as text.
func FuzzVariableFile(f *testing.F) {
	for _, s := range []string{"a = 1", "a = \"x\"\nb = { c = [1, true, null] }", "a = null", "a {}", "a = b", "a = \"${", strings.Repeat("[", 2000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "x.vars")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		a := &app{stderr: io.Discard, env: func(string) (string, bool) { return "", false }}
		v, err := (&variableFlags{files: []string{path}}).read(a)
		if err != nil {
			return
		}
		for name, value := range v.fromFile {
			for _, declared := range []string{"string", "number", "any"} {
				if asText(value, declared) == "" && !value.RawEquals(cty.StringVal("")) {
					t.Errorf("%s has no text as %s", name, declared)
				}
			}
		}
	})
}
