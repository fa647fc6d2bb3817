//go:build !linux && !darwin

package keys

import "io"

// A Keyboard has no keys on this system.
type Keyboard struct{}

// Open gives nil.
func Open(io.Reader) *Keyboard { return nil }

// C never has a key.
func (k *Keyboard) C() <-chan byte { return nil }

// Listen does nothing.
func (k *Keyboard) Listen() {}

// Rest does nothing.
func (k *Keyboard) Rest() {}

// Close does nothing.
func (k *Keyboard) Close() {}
