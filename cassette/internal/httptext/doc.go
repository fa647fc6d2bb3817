// Package httptext reads what files say of HTTP messages: fields, statuses,
// media types, and the events into which a body falls.
package httptext
