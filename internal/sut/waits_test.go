package sut_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/sut"
)

// Shows which waits are doubtful: fractions, what scaling rounds by more than a tenth,
// and what takes more than two minutes of real time.
func TestDoubtfulWaits(t *testing.T) {
	for _, c := range []struct {
		wait  string
		scale float64
		real  bool
		want  string // in the one warning, "" for none
	}{
		{"2", 1, false, ""},
		{"0.5", 1, false, "Write 1."},
		{"120", 1, false, ""},
		{"121", 1, false, "2m1s"},
		{"600", 10, false, ""},
		{"600", 10, true, "10m0s"},
		{"60", 60, false, ""},
		{"10", 60, false, "reads as 60 s"},
		{"95", 10, false, ""}, // 10 s, which reads as 100
		{"90", 60, false, "reads as 120 s"},
		{"3600", 10, false, "6m0s"},
		{"Sat, 01 Jan 2000 00:01:00 GMT", 1, false, ""},
		{"Sat, 01 Jan 2000 01:00:00 GMT", 1, false, "1h0m0s after the start"},
		{"Sat, 01 Jan 2000 01:00:00 GMT", 60, false, ""},
		{"Sat, 01 Jan 2000 00:01:00 GMT", 10, false, "one of them reads as 10 s"},
		{"Sat, 01 Jan 2000 00:01:00 GMT", 6, false, ""},
		{"Fri, 31 Dec 1999 00:01:00 GMT", 6, false, ""},
		{"soon", 1, false, ""},
	} {
		path := t.TempDir() + "/a.scenario.hcl"
		text := fmt.Sprintf(`provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut {
    command    = ["true"]
    time_scale = %v
  }
  on "shop" {
    fault "http_error" {
      status_code = 429
      headers     = { retry-after = %q }
    }
  }
  expect "run" { status = "success" }
}
`, c.scale, c.wait)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		diags := sut.DoubtfulWaits(planOf(t, path), c.real)
		if c.want == "" && len(diags) > 0 || c.want != "" && (len(diags) != 1 || !strings.Contains(diags[0].Why, c.want)) {
			t.Errorf("%s with time_scale %v: %v, want %q", c.wait, c.scale, diags, c.want)
		}
	}
}
