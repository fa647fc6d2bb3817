package keys

import "syscall"

const (
	getMode = syscall.TIOCGETA
	setMode = syscall.TIOCSETA
)
