// Command scenario-dist runs scenarios and benches on many workers: those of this
// process (run.go), or any number anywhere that share a queue (worker.go, submit.go,
// status.go, collect.go). What it loads, reports and exits with is that of the command
// scenario, from the same packages.
package main
