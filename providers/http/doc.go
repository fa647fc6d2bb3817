// Package http speaks plain HTTP: a request as a step describes it, and the
// answer's status, headers and body as they came. The protocol has no end
// marker of its own for streams, so a stream that ends cleanly between two
// events cannot be told from a whole one.
//
//	var a providers.Adapter = http.Adapter{}
//	req, err := a.Request(ctx, providers.Input{BaseURL: "https://api.example.com", Path: "/orders"})
package http
