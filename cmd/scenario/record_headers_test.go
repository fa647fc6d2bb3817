package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// headerFile asks a service twice and tells by its header whether it changed.
const headerFile = `
variable "api" {}
provider "http" "shop" { base_url = var.api }
workflow "poll" {
  provider = provider.shop
  step "http" "first" {
    method = "GET"
    path   = "/orders"
  }
  step "http" "again" {
    method  = "GET"
    path    = "/orders"
    headers = { if-none-match = step.first.headers["etag"] }
    expect_status = [200, 304]
  }
}
scenario "nothing has changed" {
  run = workflow.poll
  cassette { path = "ask.yaml" }
  assert "tagged" { condition = READS }
}
`

// Shows that the header fields which a file reads are recorded without being
// named, credentials excepted, so that the replay comes to the same verdict;
// and that a file which computes their names is told what was not kept.
func TestRecordKeepsHeadersThatAreRead(t *testing.T) {
	for reads, warned := range map[string]bool{
		`step.first.headers["x-shop-version"] == "7" && step.again.status_code == 304`:       false,
		`lookup(step.first.headers, "x-shop-version", "") == "7"`:                            false,
		`[for k in ["x-shop-version"] : step.first.headers[k]] == ["7"]`:                     true,
		`step.first.headers["set-cookie"] != "" && step.first.headers.x-shop-version == "7"`: false,
	} {
		t.Run(reads, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("ETag", `"v7"`)
				w.Header().Set("X-Shop-Version", "7")
				w.Header().Set("Set-Cookie", "session=planted-canary-0123456789")
				w.Header().Set("X-Other", "planted-canary-other")
				if r.Header.Get("If-None-Match") == `"v7"` {
					w.WriteHeader(http.StatusNotModified)
					return
				}
				fmt.Fprint(w, "orders")
			}))
			dir := t.TempDir()
			writeIn(t, dir, "ask.scenario.hcl", strings.Replace(headerFile, "READS", reads, 1))
			s := &standIn{Server: srv}
			out, code := liveIn(t, dir, s, "record", "ask.scenario.hcl")
			if code != 0 || strings.Contains(out, "Warning: ask.yaml: headers are read") != warned {
				t.Fatalf("exit %d:\n%s", code, out)
			}
			if warned && !strings.Contains(out, "X-Other, X-Shop-Version\n") {
				t.Errorf("not named:\n%s", out)
			}
			text, _ := os.ReadFile(filepath.Join(dir, "ask.yaml"))
			if strings.Contains(string(text), "planted-canary") || !strings.Contains(string(text), "Etag:") {
				t.Errorf("%s", text)
			}
			srv.Close()
			if out, code := liveIn(t, dir, s, "test", "ask.scenario.hcl"); (code == 0) == warned {
				t.Errorf("replay: exit %d:\n%s\n%s", code, out, text)
			}
		})
	}
}
