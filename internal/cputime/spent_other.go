//go:build !unix && !windows

package cputime

import "time"

// Spent is 0: no system here says it.
func Spent() time.Duration { return 0 }
