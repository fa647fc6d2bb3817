package dsl

import (
	"strings"
	"testing"
)

// What cannot stand on one line is written over several, with nothing lost, whatever
// the line ends; a file with another mistake is left as it is.
func TestUnfolded(t *testing.T) {
	const folded = "scenario \"s\" {\n  on \"a\" { fault \"http_error\" { status_code = 503, times = 2 } reply { content = \"x { y\" } }\n  expect \"a\" { content = \"b\" status = \"success\" }\n}\n"
	const want = `scenario "s" {
  on "a" {
    fault "http_error" {
      status_code = 503
      times       = 2
    }
    reply {
      content = "x { y"
    }
  }
  expect "a" {
    content = "b"
    status  = "success"
  }
}
`
	for _, end := range []string{"\n", "\r\n"} {
		got, ok := Unfolded("a", []byte(strings.ReplaceAll(folded, "\n", end)))
		if got = Format(got); !ok || string(got) != strings.ReplaceAll(want, "\n", end) {
			t.Errorf("with %q: %v\n%s", end, ok, got)
		}
	}
	for _, other := range []string{folded + "x = \n", "a \"b\" { c = 1 d = $ }\n"} {
		if got, ok := Unfolded("a", []byte(other)); ok || string(got) != other {
			t.Errorf("%s\nbecame\n%s", other, got)
		}
	}
}
