// Package faults is the catalogue of what a scenario can inject. A kind turns
// its arguments, and the answer it disturbs, into the wire script that a
// client meets; nothing is ever raised above the transport.
//
//	script, err := faults.Lookup(name).Script(faults.Strike{
//		Args:   args,
//		Host:   wire.HostPort(req.URL),
//		Vendor: providers.Vendor{Adapter: adapter, In: in},
//	})
package faults
