// Wrong: the workers have one name, so nobody can tell who asks.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const workers = 8

func main() {
	var group sync.WaitGroup
	failures := make([]error, workers)
	for n := range workers {
		group.Go(func() {
			worker := strconv.Itoa(n)
			if failures[n] = repeat(worker, "/render"); failures[n] == nil {
				failures[n] = repeat(worker, "/publish")
			}
		})
	}
	group.Wait()
	if err := errors.Join(failures...); err != nil {
		log.Fatal(err)
	}
}

func repeat(worker, path string) error {
	var failure error
	for range 3 {
		wait, err := post(worker, path)
		if err == nil {
			return nil
		}
		failure = err
		time.Sleep(wait)
	}
	return fmt.Errorf("worker %s: %w", worker, failure)
}

// post asks once, and says how long to wait before the next time.
func post(worker, path string) (time.Duration, error) {
	request, err := http.NewRequest("POST", os.Getenv("IMAGES")+path, strings.NewReader(`{"worker": "`+worker+`"}`))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Worker", "images")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 50 * time.Millisecond, err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return 50 * time.Millisecond, err
	}
	if answer.StatusCode >= 300 {
		ms, _ := strconv.Atoi(answer.Header.Get("Retry-After-Ms"))
		return time.Duration(ms) * time.Millisecond, errors.New(answer.Status)
	}
	return 0, nil
}
