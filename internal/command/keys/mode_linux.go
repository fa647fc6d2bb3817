package keys

import "syscall"

const (
	getMode = syscall.TCGETS
	setMode = syscall.TCSETS
)
