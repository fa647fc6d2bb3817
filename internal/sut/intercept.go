package sut

import (
	"fmt"
	"maps"
	"strings"

	"github.com/scenario-lang/scenario/internal/server"
	"github.com/scenario-lang/scenario/internal/server/authority"
	"github.com/scenario-lang/scenario/internal/server/nodeproxy"
)

// intercept makes the server, with a proxy that answers in the place of other
// hosts, and returns the variables that lead a program there.
func (r *run) intercept() (map[string]string, error) {
	var err error
	if r.authority, err = authority.New(r.inherited); err != nil {
		return nil, fmt.Errorf("there can be no certificates for the program: %w", err)
	}
	r.server = server.New(r.outside, server.DefaultLimits, server.Interception{Authority: r.authority, Allow: r.sut.AllowHosts, Dial: r.options.Dial})
	proxy, err := r.server.Proxy()
	if err != nil {
		return nil, fmt.Errorf("nothing can listen for the program: %w", err)
	}
	return Intercepted(proxy, r.authority, r.inherited)
}

// Intercepted are the variables that lead a program to a proxy, which answers in
// the place of other hosts, and have it trust what it finds there. Lookup reads the
// environment of the program. What a program loads is written beside the
// certificates of the authority.
func Intercepted(proxy string, ca *authority.Authority, lookup func(string) (string, bool)) (map[string]string, error) {
	vars, err := nodeproxy.Variables(ca.Dir(), lookup)
	if err != nil {
		return nil, fmt.Errorf("a program in Node cannot be led here: %w", err)
	}
	maps.Copy(vars, ca.Variables())
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		vars[name], vars[strings.ToLower(name)] = proxy, proxy
	}
	return vars, nil
}

// Sweep removes the files of all runs that are under way, for a process that is about to
// die.
func Sweep() { authority.Sweep() }

// inherited finds a variable that the program inherits.
func (r *run) inherited(name string) (string, bool) {
	for i := len(r.options.Environment) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(r.options.Environment[i], name+"="); ok {
			return value, true
		}
	}
	return "", false
}
