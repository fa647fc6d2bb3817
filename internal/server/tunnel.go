package server

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/internal/server/authority"
	"github.com/scenario-lang/scenario/interp"
)

// Interception is what a server needs to be asked in the place of other hosts.
type Interception struct {
	// Authority vouches for them. Without one TLS is refused.
	Authority *authority.Authority
	// Allow are hosts with ports, in which * is any run of characters, that are
	// let through untouched by Dial.
	Allow []string
	Dial  func(ctx context.Context, host string) (net.Conn, error)
}

// allows reports whether a host with its port is let through.
func (i *Interception) allows(host string) bool {
	for _, pattern := range i.Allow {
		if fits(strings.ToLower(pattern), strings.ToLower(host)) {
			return true
		}
	}
	return false
}

// fits reports whether a text is what a pattern says, in which * is any run of
// characters.
func fits(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	last := len(parts) - 1
	if last == 0 {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, parts[0])
	for _, part := range parts[1:last] {
		i := strings.Index(text, part)
		if !ok || i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return ok && strings.HasSuffix(text, parts[last])
}

// recordTLS is the first byte of a connection that begins with a handshake.
const recordTLS = 0x16

// greet finds out whether the client speaks TLS, and then does so, too. It is
// false where no request can come.
func (c *conn) greet() bool {
	limits := c.server.limits
	c.in.within(1, time.Now().Add(limits.Idle))
	first, err := c.reader.Peek(1)
	if err != nil {
		return false
	}
	ca := c.server.interception.Authority
	if first[0] != recordTLS || ca == nil || c.secure {
		return true
	}
	host := c.origin.Base.Hostname()
	if c.origin.Base.Host == "" {
		host = "localhost" // the listener of the proxy itself
	}
	c.in.within(math.MaxInt64, time.Time{})
	config, shown := ca.Config(host), false
	certificate := config.GetCertificate
	config.GetCertificate = func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		shown = true
		return certificate(hello)
	}
	secured := tls.Server(&prefixed{c.net, c.reader}, config)
	_ = c.net.SetDeadline(time.Now().Add(limits.Beginning))
	err = secured.Handshake()
	_ = c.net.SetDeadline(time.Time{})
	if err != nil {
		c.unsecured(host, shown, err)
		return false
	}
	c.secure, c.net = true, secured
	c.in = &input{net: secured}
	c.reader = bufio.NewReader(c.in)
	return true
}

// unsecured notes a handshake that failed. A client that ends one after it was
// shown the certificate does not trust that: it may say so in an alert, which by
// then not every client encrypts.
func (c *conn) unsecured(host string, shown bool, err error) {
	if errors.Is(err, net.ErrClosed) {
		return // by the end of the run
	}
	t := interp.Trouble{Provider: c.origin.Provider, Message: fmt.Sprintf("the handshake of TLS for %s failed: %v", host, err)}
	if shown && !isTimeout(err) {
		t.Warning = fmt.Sprintf("the program does not trust the certificate that was made for %s (%s).\nhint: it is told of the authority by SSL_CERT_FILE, REQUESTS_CA_BUNDLE, NODE_EXTRA_CA_CERTS and the like; a program with a list of its own needs it added, or a base URL without TLS: env = { NAME = provider.NAME.url }", host, alerted(err))
	}
	c.server.run.Noted(t)
}

// alerted is the error of a handshake that a client ended, as a person understands it: an
// alert in clear looks like a record that was damaged.
func alerted(err error) string {
	if strings.HasPrefix(err.Error(), "local error: tls: bad record MAC") {
		return "it ended the handshake when it was shown it"
	}
	return err.Error()
}

// A prefixed connection is one of which something was read already.
type prefixed struct {
	net.Conn
	from io.Reader
}

// Read implements net.Conn.
func (p *prefixed) Read(b []byte) (int, error) { return p.from.Read(b) }

// NetConn is the connection below, for resets.
func (p *prefixed) NetConn() net.Conn { return p.Conn }

// tunnel answers a CONNECT: what comes next is meant for that host. It is false
// where the connection is over.
func (c *conn) tunnel(r *http.Request) bool {
	c.received(r.Header)
	host := r.Host
	if _, _, err := net.SplitHostPort(host); err != nil {
		host = net.JoinHostPort(strings.Trim(host, "[]"), "443")
	}
	switch {
	case c.server.run.Listed(host):
	case c.server.interception.allows(host):
		c.through(host)
		return false
	default:
		c.server.run.Unlisted(host)
		c.refuse(http.StatusForbidden, fmt.Sprintf("scenario: %s is the address of no provider", host))
		return false
	}
	if !c.establish() {
		return false
	}
	c.origin = Origin{Base: &url.URL{Scheme: "http", Host: host}}
	c.secure = false
	if !c.greet() {
		return false
	}
	if c.secure {
		c.origin.Base.Scheme = "https"
	}
	c.origin.Base.Host = bareHost(c.origin.Base)
	return true
}

func (c *conn) establish() bool {
	_ = c.net.SetWriteDeadline(time.Now().Add(c.server.limits.Stalled))
	_, err := io.WriteString(c.net, "HTTP/1.1 200 Connection established\r\n\r\n")
	return err == nil
}

// bareHost is a host without the port that is its scheme's own.
func bareHost(u *url.URL) string {
	if own := map[string]string{"http": "80", "https": "443"}[u.Scheme]; u.Port() == own {
		return strings.TrimSuffix(u.Host, ":"+own)
	}
	return u.Host
}

// through joins the client to a host that is let through.
func (c *conn) through(host string) {
	far, err := c.server.interception.Dial(c.server.ctx, host)
	if err != nil {
		c.server.run.Noted(interp.Trouble{Status: http.StatusBadGateway, Message: fmt.Sprintf("%s, which allow_hosts lets through, cannot be reached: %v", host, err)})
		c.refuse(http.StatusBadGateway, fmt.Sprintf("scenario: %s cannot be reached: %v", host, err))
		return
	}
	defer far.Close()
	if !c.establish() {
		return
	}
	stop := context.AfterFunc(c.server.ctx, func() { far.Close() })
	defer stop()
	c.in.within(math.MaxInt64, time.Time{})
	var group sync.WaitGroup
	group.Go(func() {
		_, _ = io.Copy(far, c.reader)
		closeWrite(far)
	})
	_ = c.net.SetWriteDeadline(time.Time{})
	_, _ = io.Copy(c.net, far)
	closeWrite(c.net)
	_ = c.net.SetReadDeadline(time.Now().Add(c.server.limits.Stalled))
	group.Wait()
}

func closeWrite(c net.Conn) {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
}
