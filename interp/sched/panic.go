package sched

import (
	"fmt"
	"runtime/debug"
)

// A PanicError says that a task, or an event without one, panicked.
type PanicError struct {
	// Task names the task; it is empty for an event without one.
	Task string
	// Value is what was given to panic.
	Value any
	// Stack is the stack of the panic. It is left out of the message because
	// it holds addresses.
	Stack []byte
}

func newPanicError(task string, value any) *PanicError {
	return &PanicError{Task: task, Value: value, Stack: debug.Stack()}
}

func (e *PanicError) Error() string {
	if e.Task == "" {
		return fmt.Sprintf("an event panicked: %v", e.Value)
	}
	return fmt.Sprintf("task %q panicked: %v", e.Task, e.Value)
}

// Unwrap returns the value of the panic if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
