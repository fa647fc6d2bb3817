// Package jsontext writes JSON strings in one way.
package jsontext
