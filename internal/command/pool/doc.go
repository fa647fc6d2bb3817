// Package pool does pieces of work on several goroutines and hands out their
// results in order.
package pool
