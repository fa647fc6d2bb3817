// Package readable lays bodies out in the lines in which a person reads them,
// and takes that back to the byte.
package readable
