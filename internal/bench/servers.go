package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/scenario-lang/scenario/internal/peak"
)

// The versions that are compared.
var packages = []string{"@copilotkit/aimock@1.43.0", "wiremock@3.13.2", "mountebank@2.9.1"}

// benchAnswer is what every server answers.
const benchAnswer = `{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"gpt-4o-mini","choices":[{"index":0,"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10}}`

// A mock is a server that answers the question as its users have it do.
type mock struct {
	name string
	// files are written for it, by name, and begin is the command that serves on a
	// port. missing says why it cannot be had.
	files   map[string]string
	begin   func(dir, port string) []string
	missing func() string
}

// ownServer is the name of ours.
const ownServer = "scenario serve"

// serve is our own server.
func (l *lab) serve() mock {
	all := l.mocks("")
	return all[slices.IndexFunc(all, func(m mock) bool { return m.name == ownServer })]
}

// mocks are what is compared, the bare server first and ours second.
func (l *lab) mocks(npm string) []mock {
	inPackage := func(path ...string) string { return filepath.Join(append([]string{npm, "node_modules"}, path...)...) }
	needs := func(program, file string) func() string {
		return func() string {
			if _, err := exec.LookPath(program); err != nil {
				return "there is no " + program
			}
			if found, _ := filepath.Glob(file); len(found) == 0 {
				return "npm could not install it"
			}
			return ""
		}
	}
	return []mock{
		{name: "bare net/http", begin: func(_, port string) []string { return []string{l.own, peerWord, "http", port} }},
		{
			name:  ownServer,
			files: map[string]string{"a.scenario.hcl": "provider \"openai\" \"llm\" {}\n\nscenario \"s\" {\n  on \"llm\" {\n    reply {\n      content = \"hello\"\n      times   = \"*\"\n    }\n  }\n}\n"},
			begin: func(dir, port string) []string {
				return []string{l.scenario, "serve", "-q", filepath.Join(dir, "a.scenario.hcl"), "--listen", "llm=" + port}
			},
		},
		{
			name:  "aimock",
			files: map[string]string{"a.json": `{"fixtures":[{"match":{"userMessage":"why?"},"response":{"content":"hello"}}]}`},
			begin: func(dir, port string) []string {
				return []string{"node", inPackage("@copilotkit", "aimock", "dist", "cli.js"), "--port", port, "--fixtures", dir, "--log-level", "silent"}
			},
			missing: needs("node", inPackage("@copilotkit", "aimock", "dist", "cli.js")),
		},
		{
			name: "WireMock",
			files: map[string]string{"mappings/a.json": `{"request":{"method":"POST","urlPath":"` + chatPath + `","bodyPatterns":[{"matchesJsonPath":"$.messages[?(@.content == 'why?')]"}]},
				"response":{"status":200,"headers":{"Content-Type":"application/json"},"body":` + strconv.Quote(benchAnswer) + `}}`},
			begin: func(dir, port string) []string {
				jars, _ := filepath.Glob(inPackage("wiremock", "build", "*.jar"))
				return []string{"java", "-jar", jars[0], "--port", port, "--bind-address", "127.0.0.1", "--root-dir", dir, "--disable-banner"}
			},
			missing: needs("java", inPackage("wiremock", "build", "*.jar")),
		},
		{
			name: "mountebank",
			files: map[string]string{"a.json": `{"imposters":[{"port":PORT,"protocol":"http","recordRequests":true,"stubs":[{"predicates":[{"equals":{"method":"POST","path":"` + chatPath + `"}},{"contains":{"body":"why?"}}],
				"responses":[{"is":{"statusCode":200,"headers":{"Content-Type":"application/json","Connection":"keep-alive"},"body":` + strconv.Quote(benchAnswer) + `}}]}]}]}`},
			begin: func(dir, port string) []string {
				return []string{"node", inPackage("mountebank", "bin", "mb"), "start", "--localOnly", "--nologfile", "--loglevel", "error", "--port", other(port), "--configfile", filepath.Join(dir, "a.json"), "--pidfile", filepath.Join(dir, "mb.pid")}
			},
			missing: needs("node", inPackage("mountebank", "bin", "mb")),
		},
	}
}

// other is the port of what controls a server on a port.
func other(string) string {
	port, err := freePort()
	if err != nil {
		return "2525"
	}
	return port
}

// freePort is a port that nothing listens on now.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port), nil
}

// A running server is one that has answered once.
type running struct {
	address string
	child   *peak.Child
	first   time.Duration // from its start to its first answer
	used    peak.Used     // once it was stopped
}

// start begins a server and asks until it answers.
func (m mock) start(dir string) (*running, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	for name, text := range m.files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "PORT", port)), 0o666); err != nil {
			return nil, err
		}
	}
	args := m.begin(dir, port)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	r := &running{address: "127.0.0.1:" + port}
	if r.child, err = peak.Start(cmd); err != nil {
		return nil, err
	}
	for time.Since(r.child.Began) < 30*time.Second {
		if err = once(r.address); err == nil {
			r.first = time.Since(r.child.Began)
			return r, nil
		}
		time.Sleep(200 * time.Microsecond)
	}
	_, _ = r.stop() // what it did not do is the error
	return nil, fmt.Errorf("%s does not answer: %w", m.name, err)
}

// once asks over a connection of its own.
func once(address string) error {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.Write([]byte(requestText(address, "first"))); err != nil {
		return err
	}
	return answered(bufio.NewReader(conn))
}

// stop ends a server, and returns the most memory that it had, in MB.
func (r *running) stop() (most float64, err error) {
	_ = r.child.Process.Signal(syscall.SIGTERM)
	ended := make(chan error, 1)
	go func() {
		var err error
		r.used, err = r.child.Wait()
		ended <- err
	}()
	select {
	case err = <-ended:
	case <-time.After(5 * time.Second):
		_ = r.child.Process.Kill()
		err = <-ended
	}
	return megabytes(r.used.Peak), err
}

// cpu is what a server that was stopped had, in milliseconds.
func (r *running) cpu() float64 {
	return millis(r.used.CPU)
}

// install has npm put the packages of the others into a folder.
func (l *lab) install() (dir, why string) {
	dir = filepath.Join(l.dir, "npm")
	if known := os.Getenv("SCENARIO_NODE_MODULES"); known != "" {
		return filepath.Dir(known), ""
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return dir, "there is no npm"
	}
	args := append([]string{"install", "--no-audit", "--no-fund", "--silent", "--ignore-scripts", "--prefix", dir}, packages...)
	if out, err := exec.Command("npm", args...).CombinedOutput(); err != nil {
		return dir, errors.Join(err, errors.New(firstLines(string(out), 2))).Error()
	}
	return dir, ""
}
