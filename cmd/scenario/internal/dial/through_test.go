package dial

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"
)

// Shows that a host is reached by the proxy of the environment, with its password,
// and that a refusal of the proxy is the error. The standard library reads the
// environment once in a process, so it is another one's.
func TestThrough(t *testing.T) {
	if os.Getenv("THROUGH") != "" {
		through(t)
		return
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	asked := make(chan string, 2)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				req, err := http.ReadRequest(bufio.NewReader(c))
				if err != nil {
					return
				}
				asked <- req.Method + " " + req.Host + " " + req.Header.Get("Proxy-Authorization")
				if req.Host == "no.test:443" {
					_, _ = io.WriteString(c, "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
					return
				}
				_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
				_, _ = io.Copy(c, c)
			}()
		}
	}()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run", "^TestThrough$")
	cmd.Env = append(os.Environ(), "THROUGH=1", "HTTPS_PROXY=http://user:pass@"+l.Addr().String(), "NO_PROXY=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	for _, host := range []string{"far.test:443", "no.test:443"} {
		if got, want := <-asked, "CONNECT "+host+" Basic dXNlcjpwYXNz"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func through(t *testing.T) {
	c, err := Through(context.Background(), "far.test:443")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "echo\n")
	if line, err := bufio.NewReader(c).ReadString('\n'); line != "echo\n" {
		t.Errorf("%q %v", line, err)
	}
	if _, err := Through(context.Background(), "no.test:443"); err == nil {
		t.Error("a refusal is no error")
	}
}
