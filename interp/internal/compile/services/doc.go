// Package services compiles the actors, locks and registries of a file: what a
// call, a forward or a chaos event may name, and in which order modules start.
package services
