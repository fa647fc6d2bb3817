// Package excuse finds the endings that the conditions of a scenario ask for, so
// that they are no unexpected failures.
package excuse
