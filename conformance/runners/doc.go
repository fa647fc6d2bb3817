// Package runners holds the helper of examples/node against a test runner that
// people use, vitest, and against the compiler of TypeScript.
package runners
