//go:build !linux && !darwin

package cli

import "os"

// terminalWidth is not known here: COLUMNS says it, or it is 80.
func terminalWidth(*os.File) int { return 0 }
