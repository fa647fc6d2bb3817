//go:build !unix

package cli

import (
	"os"
	"syscall"
)

// endings are the signals that end a suite, with the codes they end it with.
var endings = map[os.Signal]ExitCode{os.Interrupt: ExitInterrupt, syscall.SIGTERM: ExitTerminate}

// watched are those of them that are listened to.
func watched() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// SurvivePipes has nothing to do here: writing to a pipe that nobody reads
// fails anyway.
func SurvivePipes() {}

// unread is not known here.
func unread(error) bool { return false }
