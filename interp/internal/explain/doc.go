// Package explain tells a run in words, event by event: why a call was retried,
// refused, replaced or given up.
package explain
