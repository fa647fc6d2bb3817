package clients

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// listensVariable has this binary write where its parent listens into a file.
const listensVariable = "CONFORMANCE_LISTENS"

// listeners are the addresses on which a process listens, by the table of sockets
// of Linux.
func listeners(pid int) (list []net.TCPAddr, err error) {
	own := map[string]bool{}
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if to, err := os.Readlink(filepath.Join(dir, f.Name())); err == nil {
			own[strings.TrimSuffix(strings.TrimPrefix(to, "socket:["), "]")] = true
		}
	}
	for _, table := range []string{"tcp", "tcp6"} {
		f, err := os.Open(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			const listening = "0A"
			fields := strings.Fields(lines.Text())
			if len(fields) < 10 || fields[3] != listening || !own[fields[9]] {
				continue
			}
			at, err := socket(fields[1])
			if err != nil {
				return nil, err
			}
			list = append(list, at)
		}
	}
	return list, nil
}

// socket reads an address as the table has it: words of 32 bits in the order of the
// machine's bytes, then the port.
func socket(text string) (net.TCPAddr, error) {
	host, port, _ := strings.Cut(text, ":")
	ip, err := hex.DecodeString(host)
	if err != nil {
		return net.TCPAddr{}, err
	}
	for word := range slices.Chunk(ip, 4) {
		slices.Reverse(word)
	}
	n, err := strconv.ParseUint(port, 16, 16)
	return net.TCPAddr{IP: ip, Port: int(n)}, err
}

// tellListeners is this binary as a program whose parent is asked about.
func tellListeners(file string) int {
	list, err := listeners(os.Getppid())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var b strings.Builder
	for _, at := range list {
		fmt.Fprintln(&b, at.String())
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		return 1
	}
	return 0
}

// onLoopback checks addresses, and how many there are.
func onLoopback(t *testing.T, addresses []string, want int) {
	t.Helper()
	if len(addresses) != want {
		t.Errorf("there are the listeners %q, want %d", addresses, want)
	}
	for _, text := range addresses {
		host, _, err := net.SplitHostPort(text)
		if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
			t.Errorf("something listens on %s", text)
		}
	}
}

// Shows that nothing listens where another machine can reach it: no provider, proxy,
// database, bridge, telemetry or control of sessions, also with ports that are
// asked for. A listener of this test's own is found on all addresses.
func TestListenersAreLocal(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the table of sockets is that of Linux")
	}
	open, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	list, err := listeners(os.Getpid())
	if err != nil || len(list) != 1 || !list[0].IP.IsUnspecified() || list[0].Port != open.Addr().(*net.TCPAddr).Port {
		t.Fatalf("the table has %v, %v, and %s", list, err, open.Addr())
	}

	t.Run("exec", func(t *testing.T) {
		name, err := command()
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		file, told := filepath.Join(dir, "a.scenario.hcl"), filepath.Join(dir, "told")
		if err := os.WriteFile(file, []byte(`
provider "openai" "llm" {}
provider "http" "shop" { base_url = "https://shop.example" }
provider "sql" "stock" { base_url = "postgres://app@db.example/stock" }
provider "mcp" "notes" { command = ["notes-server"] }
scenario "s" {
  on "llm" {
    reply { optional = true }
  }
  on "shop" {
    reply { optional = true }
  }
  on "stock" {
    reply { optional = true }
  }
  on "notes" {
    reply { optional = true }
  }
  assert "telemetry" { condition = sut.exit_code == 0 }
}
`), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(name, "exec", file, "--listen", "shop="+freePort(t), "--", os.Args[0])
		cmd.Env = append(os.Environ(), listensVariable+"="+told)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		text, err := os.ReadFile(told)
		if err != nil {
			t.Fatal(err)
		}
		want := 6 // of each provider, the proxy and telemetry
		if six, err := net.Listen("tcp6", "[::1]:0"); err == nil {
			six.Close()
			want++ // of the provider whose port is known
		}
		onLoopback(t, strings.Fields(string(text)), want)
	})
	t.Run("serve", func(t *testing.T) {
		s := serve(t, patientScenario)
		list, err := listeners(s.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, at := range list {
			texts = append(texts, at.String())
		}
		onLoopback(t, texts, 5) // of each provider, the proxy and sessions
	})
}

// freePort is a port that nothing listens on now.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}
