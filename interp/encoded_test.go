package interp

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
)

// gzipped is a text as a client compresses it.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Shows that what conditions look for in the body of a program's request is found below its
// compression, and that where this cannot be undone a check that found nothing is marked.
func TestCompressedRequests(t *testing.T) {
	const source = `provider "http" "track" { base_url = "https://track.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "track" {
    reply { times = "*" }
  }
  assert "x" { condition = %s }
}
`
	const jane = `{"user": "jane", "n": 1}`
	const (
		not    = `!strcontains(endpoint.track.attempts[0].request.body, "jane")`
		whole  = `!strcontains(jsonencode(endpoint.track.attempts[0].request), "jane")`
		each   = `length(endpoint.track.attempts) == 1 && alltrue([for a in endpoint.track.attempts : !regexmatch("jane|john", a.request.body)])`
		asJSON = `endpoint.track.attempts[0].request.json.user != "jane"`
		none   = `try(endpoint.track.attempts[0].request.json.user, null) == null`
		length = `length(endpoint.track.attempts[0].request.body) > 0`
		status = `endpoint.track.attempts[0].request.headers["content-encoding"] != "identity"`
	)
	zipped := gzipped(t, jane)
	cut := zipped[:len(zipped)-9]
	brotli := "\x0b\x02\x80hello\x03" // as brotli has it
	for _, c := range []struct {
		coding, body, condition string
		holds, shows            bool
	}{
		{"gzip", zipped, not, false, true},
		{"gzip", zipped, whole, false, true},
		{"gzip", zipped, each, false, true},
		{"gzip", zipped, asJSON, false, true},
		{"gzip", zipped, none, false, true},
		{"gzip", gzipped(t, `{"user": "x"}`), not, true, true},
		{"gzip", gzipped(t, `{"user": "x"}`), asJSON, true, true},
		{"gzip", gzipped(t, `{"user": null}`), none, true, true},
		{"gzip", cut, not, true, false},
		{"gzip", cut, whole, true, false},
		{"gzip", cut, each, true, false},
		{"gzip", cut, none, true, false},
		{"gzip", cut, length, true, true},
		{"br", brotli, not, true, false},
		{"br", brotli, `length(endpoint.track.attempts) == 1 && ` + not, true, false},
		{"br", brotli, not + ` || endpoint.track.status == "unused"`, true, false},
		{"br", brotli, `endpoint.track.status == "success" || ` + not, true, true},
		{"br", brotli, `split("jane", endpoint.track.attempts[0].request.body) != ["", ""]`, true, false},
		{"br", brotli, `endpoint.track.attempts[0].request.json == null`, true, false},
		{"br", brotli, status, true, true},
		{"", zipped, not, true, false},
		{"gzip", `{"user": "x"}`, not, true, true},
		{"gzip", jane, not, false, true},
		{"aws-chunked", "5\r\nhello\r\n0\r\n", not, true, true},
		{"", `{"user": "x"}`, not, true, true},
	} {
		var r *Result
		synctest.Test(t, func(t *testing.T) {
			d := drivenBy(t, fmt.Sprintf(source, c.condition))
			header := []string{"Content-Type", "application/json"}
			if c.coding != "" {
				header = append(header, "Content-Encoding", c.coding)
			}
			d.asks("https://track.test/batch", c.body, header...).End(false)
			r, _ = d.run.Finish("")
		})
		holds := !strings.Contains(fmt.Sprint(r.Problems), "does not hold")
		shows := !strings.Contains(fmt.Sprint(r.Relaxed), "could not be read")
		if holds != c.holds || shows != c.shows {
			t.Errorf("%s of %.12q under %q: holds %v, shows something %v; %s %v", c.condition, c.body, c.coding, holds, shows, told(r), r.Relaxed)
		}
	}
}

// Shows that a request is matched, and its secrets are found, below its compression.
func TestCompressedRequestsAreMatched(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
provider "openai" "llm" {}
endpoint "pay" {
  provider = provider.shop
  lane     = request.json.customer
  match {
    json = { kind = "payment" }
  }
}
endpoint "rest" { provider = provider.shop }
scenario "s" {
  sut { command = ["agent"] }
  on "pay" {
    reply {}
  }
  on "llm" {
    reply { content = "Rayleigh" }
  }
  assert "pay" { condition = length(endpoint.pay.attempts) == 1 && endpoint.pay.lanes[0].name == "7" }
  assert "rest" { condition = endpoint.rest.status == "unused" }
  assert "key" { condition = !strcontains(endpoint.pay.attempts[0].request.body, "hunter2hunter2") }
  assert "model" { condition = endpoint.llm.attempts[0].request.json.messages[0].content == "why?" }
}
`
	synctest.Test(t, func(t *testing.T) {
		d := drivenBy(t, source)
		for _, c := range [][2]string{
			{"https://shop.test/v1", `{"kind": "payment", "customer": "7", "password": "hunter2hunter2"}`},
			{chatURL, chatOf("why?")},
		} {
			d.asks(c[0], gzipped(t, c[1]), "Content-Type", "application/json", "Content-Encoding", "gzip").End(false)
		}
		if r, _ := d.run.Finish(""); strings.Contains(fmt.Sprint(r.Problems), "does not hold") || len(gatesOf(r)) > 0 {
			t.Errorf("%s", told(r))
		}
	})
}

// Shows that a header field which a program writes in ISO 8859-1, as Python's client does,
// is found as the text that it is, and one in UTF-8 too.
func TestFieldsInLatin1(t *testing.T) {
	const source = `provider "http" "track" { base_url = "https://track.test" }
endpoint "jürgen" {
  provider = provider.track
  match {
    headers = { x-user = "Jürgen" }
  }
}
endpoint "rest" { provider = provider.track }
scenario "s" {
  sut { command = ["agent"] }
  on "jürgen" {
    reply { times = "*" }
  }
  assert "found" { condition = alltrue([for a in endpoint.jürgen.attempts : a.request.headers["x-user"] == "Jürgen"]) && length(endpoint.jürgen.attempts) == 2 }
  assert "encoded" { condition = strcontains(jsonencode(endpoint.jürgen.attempts[1].request.headers), "Jürgen") }
}
`
	synctest.Test(t, func(t *testing.T) {
		d := drivenBy(t, source)
		for _, value := range []string{"Jürgen", "J\xfcrgen"} {
			d.asks("https://track.test/batch", "{}", "X-User", value).End(false)
		}
		if r, _ := d.run.Finish(""); strings.Contains(fmt.Sprint(r.Problems), "does not hold") || len(gatesOf(r)) > 0 {
			t.Errorf("%s", told(r))
		}
	})
}
