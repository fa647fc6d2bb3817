package read

import "sort"

// The statuses of a step and of a run.
const (
	StatusSuccess   = "success"
	StatusFailed    = "failed"
	StatusTimeout   = "timeout"
	StatusSkipped   = "skipped"
	StatusCancelled = "cancelled"
	StatusAborted   = "aborted"
	StatusPartial   = "partial"
)

// SortedNames lists the keys of a map in order.
func SortedNames[T any](m map[string]T) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Contains is slices.Contains for strings.
func Contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}
