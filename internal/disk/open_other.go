//go:build !unix

package disk

// noWait is nothing where opening does not wait.
const noWait = 0
