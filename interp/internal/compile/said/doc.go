// Package said checks what a scenario asks of what its program says of itself: its
// metrics, spans and logs, by an export or by a page of metrics. The names are the
// program's own, so what can be wrong in a file is where and how it is asked.
package said
