// Package behind does what takes long behind those who ask for it, in their order.
package behind
