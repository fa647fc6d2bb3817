package nodeproxy

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:embed preload.cjs
var preload []byte

// Variables are the environment variables for programs in Node, beside those that
// name the proxy. The file that they load is written into dir, which has to
// outlive the program. Lookup reads the program's environment: what NODE_OPTIONS
// says there is kept.
func Variables(dir string, lookup func(string) (string, bool)) (map[string]string, error) {
	path, err := filepath.Abs(filepath.Join(dir, "proxy.cjs"))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(path, preload, 0o600); err != nil {
		return nil, fmt.Errorf("cannot write what Node loads for a proxy: %w", err)
	}
	options, _ := lookup("NODE_OPTIONS")
	return map[string]string{
		"NODE_USE_ENV_PROXY": "1",
		"NODE_OPTIONS":       strings.TrimSpace(options + " --require " + quoted(path)),
	}, nil
}

// quoted is one word of NODE_OPTIONS.
func quoted(word string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(word) + `"`
}
