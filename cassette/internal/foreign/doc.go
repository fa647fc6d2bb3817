// Package foreign tells which tool wrote a file.
package foreign
