// Package tracetest holds traces to what every trace must be, for tests.
package tracetest
