//go:build unix

package cli

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// endings are the signals that end a suite, with the codes they end it with.
var endings = map[os.Signal]ExitCode{os.Interrupt: ExitInterrupt, syscall.SIGTERM: ExitTerminate, syscall.SIGHUP: ExitHangup}

// watched are those of them that are listened to: under nohup a closed terminal
// ends nothing.
func watched() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// SurvivePipes has writing to a pipe that nobody reads fail, in the place of
// ending the process before it has written its reports. Programs that it starts
// keep the usual behaviour.
func SurvivePipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// unread reports whether nobody is left to read what is written.
func unread(err error) bool { return errors.Is(err, syscall.EPIPE) }
