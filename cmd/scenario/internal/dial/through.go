package dial

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Through connects to a host with its port for somebody else, by the proxy that
// the environment of this process names, where it names one.
func Through(ctx context.Context, host string) (net.Conn, error) {
	dialer := &net.Dialer{}
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: &url.URL{Scheme: "https", Host: host}})
	if err != nil || proxy == nil || proxy.Scheme != "http" {
		return dialer.DialContext(ctx, "tcp", host)
	}
	c, err := dialer.DialContext(ctx, "tcp", proxy.Host)
	if err != nil {
		return nil, err
	}
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: host}, Host: host, Header: http.Header{}}
	if u := proxy.User; u != nil {
		password, _ := u.Password()
		basic := &http.Request{Header: http.Header{}}
		basic.SetBasicAuth(u.Username(), password)
		req.Header.Set("Proxy-Authorization", basic.Header.Get("Authorization"))
	}
	if err := req.Write(c); err != nil {
		c.Close()
		return nil, err
	}
	in := bufio.NewReader(c)
	resp, err := http.ReadResponse(in, req)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("the proxy %s answered %s", proxy.Host, resp.Status)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	if in.Buffered() > 0 {
		c.Close()
		return nil, fmt.Errorf("the proxy %s spoke first", proxy.Host)
	}
	return c, nil
}

// dialling is how long it may take to reach this machine.
const dialling = 5 * time.Second

// Run connects to a run that listens on this machine, and to nothing else.
func Run(address string) (*net.TCPConn, error) {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("%q is no address of this machine, such as 127.0.0.1:8080", address)
	}
	c, err := net.DialTimeout("tcp", address, dialling)
	if err != nil {
		return nil, fmt.Errorf("no run of scenario exec listens at %s: %w", address, err)
	}
	return c.(*net.TCPConn), nil
}
