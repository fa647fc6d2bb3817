// Package build makes the files of the web site: pages by goldmark, the index of the
// search, and the playground with its engine.
package build
