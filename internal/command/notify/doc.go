// Package notify says which files change.
package notify
