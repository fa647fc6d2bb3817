// Package recordings holds the commands that make recordings and keep them: run and
// record, whose runs reach services through package dial (live.go), import, and
// those below cassette. What a file holds alone is in others that begin like it:
// cassette_gc.go, record_check.go.
package recordings
