// Package flaw has the one error that says where a file is wrong, and why.
package flaw
