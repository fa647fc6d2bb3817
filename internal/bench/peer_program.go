package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// programURL is the variable in which a program under test finds whom to ask; it
// asks nobody where there is none.
const programURL = "BENCH_URL"

// program is a program under test, which asks once. It writes into a file when it
// began and when it was about to end, in nanoseconds of the system's clock.
func program(path string) error {
	began := time.Now()
	if url := os.Getenv(programURL); url != "" {
		answer, err := http.Get(url + "/x")
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if err != nil {
			return err
		}
	}
	return os.WriteFile(path, fmt.Appendf(nil, "%d %d", began.UnixNano(), time.Now().UnixNano()), 0o666)
}
