package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// The versions that are compared.
const (
	aimockPackage   = "@copilotkit/aimock@1.43.0"
	wireMockPackage = "wiremock@3.13.2"
)

// install puts both packages into a folder, by npm.
func install(dir string) error {
	cmd := exec.Command("npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix", dir, aimockPackage, wireMockPackage)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install: %w\n%s", err, out)
	}
	return nil
}

// A server is a recorder that runs as a process of its own and is a proxy.
type server struct {
	packages string
	cmd      *exec.Cmd
	base     string
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

// run starts a process and waits until it listens.
func (s *server) run(port, name string, args ...string) error {
	s.base = "http://127.0.0.1:" + port
	s.cmd = exec.Command(name, args...)
	if err := s.cmd.Start(); err != nil {
		return err
	}
	for range 300 {
		if conn, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			return conn.Close()
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.close()
	return fmt.Errorf("%s does not listen", name)
}

func (s *server) close() {
	if s.cmd != nil && s.cmd.Process != nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait() // it was killed
		s.cmd = nil
	}
}

func (s *server) record(behaviour) (doer, string, error) { return &http.Client{}, s.base, nil }

func (s *server) client(behaviour) (doer, string, error) { return &http.Client{}, s.base, nil }

// packagesDir is where npm put the packages.
func packagesDir(dir string) string { return filepath.Join(filepath.Dir(dir), "npm") }

type aimock struct {
	server
	dir string
}

func (a *aimock) cli() string {
	return filepath.Join(a.packages, "node_modules", "@copilotkit", "aimock", "dist", "cli.js")
}

func startAIMock(dir, upstream string) (session, error) {
	a := &aimock{server{packages: packagesDir(dir)}, dir}
	if _, err := os.Stat(a.cli()); err != nil {
		return nil, errors.New("the package could not be installed")
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	return a, a.run(port, "node", a.cli(), "--port", port, "--record", "--provider-openai", upstream, "--fixtures", dir, "--log-level", "silent")
}

func (a *aimock) replay() error {
	time.Sleep(time.Second) // what it records is written behind the answer
	a.close()
	port, err := freePort()
	if err != nil {
		return err
	}
	return a.run(port, "node", a.cli(), "--port", port, "--fixtures", a.dir, "--log-level", "silent", "--strict")
}

type wireMock struct{ server }

func startWireMock(dir, upstream string) (session, error) {
	w := &wireMock{server{packages: packagesDir(dir)}}
	jars, _ := filepath.Glob(filepath.Join(w.packages, "node_modules", "wiremock", "build", "*.jar"))
	if len(jars) == 0 {
		return nil, errors.New("the package could not be installed")
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	if err := w.run(port, "java", "-jar", jars[0], "--port", port, "--root-dir", dir, "--disable-banner"); err != nil {
		return nil, err
	}
	return w, w.post("/__admin/recordings/start", fmt.Sprintf(
		`{"targetBaseUrl": %q, "repeatsAsScenarios": true, "persist": true, "requestBodyPattern": {"matcher": "equalToJson"}}`, upstream))
}

func (w *wireMock) post(path, body string) error {
	resp, err := http.Post(w.base+path, "application/json", bytes.NewReader([]byte(body)))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if text, _ := io.ReadAll(resp.Body); resp.StatusCode >= 300 {
		return fmt.Errorf("%s: %s\n%s", path, resp.Status, text)
	}
	return nil
}

// replay ends the recording; the stubs are in use at once.
func (w *wireMock) replay() error { return w.post("/__admin/recordings/stop", "") }
