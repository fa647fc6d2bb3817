package clients

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// The libraries for Node, as npm has them.
var (
	openaiNode    = client{name: "openai-node", of: "6.49", speaks: "openai", path: "/v1", meets: overHTTP, program: node("openai")}
	anthropicNode = client{name: "anthropic-node", of: "1.11", speaks: "anthropic", meets: overHTTP, program: node("anthropic")}
)

// urllib is that of Python's standard library.
var urllib = client{name: "urllib", speaks: "openai", path: "/v1", meets: overHTTP, program: func(t *testing.T) (args []string, missing string) {
	python, err := exec.LookPath("python3")
	if err != nil {
		return nil, "there is no python3"
	}
	script, err := filepath.Abs("python/meet.py")
	if err != nil {
		t.Fatal(err)
	}
	return []string{python, script}, ""
}}

// curl is the program, told to try again.
var curl = client{name: "curl --retry 2", speaks: "openai", path: "/v1", meets: overHTTP, ask: func(ctx context.Context, at place, stream bool) outcome {
	body := fmt.Sprintf(`{"model":"m","stream":%t,"messages":[{"role":"user","content":"why?"}]}`, stream)
	text, err := exec.CommandContext(ctx, "curl", "--silent", "--fail", "--retry", "2", "--max-time", patience.String()[:3], "--json", body, at.base+"/chat/completions").Output()
	var ended *exec.ExitError
	switch {
	case errors.As(err, &ended) && stream:
		return outcome{contentOf(text), fmt.Sprint("exit ", ended.ExitCode())}
	case errors.As(err, &ended):
		return outcome{err: fmt.Sprint("exit ", ended.ExitCode())}
	case err != nil:
		return outcome{err: err.Error()}
	}
	return outcome{text: contentOf(text)}
}, missing: func() string {
	if _, err := exec.LookPath("curl"); err != nil {
		return "there is no curl"
	}
	return ""
}}

// packages is a directory with what the programs for Node need, installed once by
// npm.
var packages = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "clients"); err != nil {
		return "", err
	}
	installed = dir
	for _, name := range []string{"package.json", "meet.mjs"} {
		text, err := os.ReadFile(filepath.Join("node", name))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return "", err
		}
	}
	install := exec.Command("npm", "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return dir, nil
})

// installed is the directory of the packages, "" where no test needed it.
var installed string

// node is a program that asks with a library.
func node(library string) func(*testing.T) ([]string, string) {
	return func(t *testing.T) ([]string, string) {
		if testing.Short() {
			return nil, "packages are installed"
		}
		for _, name := range []string{"node", "npm"} {
			if _, err := exec.LookPath(name); err != nil {
				return nil, "there is no " + name
			}
		}
		dir, err := packages()
		if err != nil {
			return nil, fmt.Sprintf("the libraries for Node cannot be installed: %v", err)
		}
		return []string{"node", filepath.Join(dir, "meet.mjs"), library}, ""
	}
}
