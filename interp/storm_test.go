package interp

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// Shows that the standard library says of a program that asks for one thing hundreds of times
// in a few seconds that it does, and that no check of it grows beyond its bounds.
func TestStormsAreJudged(t *testing.T) {
	const source = `
import = ["std/resilience"]
provider "http" "api" { base_url = "https://api.test" }
scenario "s" {
  on "api" {
    fault "http_error" {
      status_code = 503
      times       = "*"
    }
  }
  expect "run" { status = "success" }
}
`
	synctest.Test(t, func(t *testing.T) {
		o := NewOutside(mustCompile(t, source)[0], OutsideOptions{Clock: wire.System(), Way: Exec})
		for range 120 {
			askPath(t, o, "/stock?"+strings.Repeat("a", 2_000))
			time.Sleep(5 * time.Millisecond)
		}
		r, _ := o.Finish("success")
		if got := told(r); !strings.Contains(got, "asks for the same as ten others within 50 ms") || strings.Contains(got, "Too much") {
			t.Error(got)
		}
	})
}
