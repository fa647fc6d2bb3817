// Package schema holds the attribute tables of the language: one description
// of every block and attribute that drives the decoder, the reference pages,
// completion and hover. It knows neither HCL nor the engine.
package schema
