// Package transaction finds checks that look among the attempts of a program for a statement
// that is no attempt: BEGIN, COMMIT and the like are answered beside the calls of a
// database, so that such a check is the same whatever the program does.
package transaction
