// Package unseen finds what a check asks of a run that a way of running does
// not observe: a program shows neither the breakers nor the steps inside it, and
// a workflow that is interpreted asks no endpoint.
package unseen
