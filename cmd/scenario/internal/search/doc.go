// Package search holds the commands that look for what a suite does not show:
// explore, mutate, shrink and coverage. Each is flags, output and exit code here; the
// searches are packages of their own below internal/.
package search
