// Command wasm is the playground's engine, built with GOOS=js GOARCH=wasm by the
// command site.
package main
