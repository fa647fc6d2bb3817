package main

import (
	"io"
	"net/http"
)

// serveBare answers the question on a port with the standard library alone, and
// does not look at what it is asked.
func serveBare(port string) error {
	return http.ListenAndServe("127.0.0.1:"+port, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, benchAnswer)
	}))
}
