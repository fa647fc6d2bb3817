// Package nodeproxy makes programs in Node ask through the proxy that their
// environment names. Newer versions do so when they are told to; for older ones
// a file is loaded ahead of the program, which leaves the newer ones alone.
//
//	variables, err := nodeproxy.Variables(ca.Dir(), os.LookupEnv)
//	if err != nil {
//		return err
//	}
//	for name, value := range variables { // for the program
//		env = append(env, name+"="+value)
//	}
//
// It reaches fetch and the agents that the modules http and https have by
// default. A library with an agent of its own is not reached: it takes the
// address of its service from a variable or an option.
package nodeproxy
