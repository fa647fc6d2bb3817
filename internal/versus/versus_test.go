package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Every difference that a client can see is named, and equal sights are equal.
func TestCompare(t *testing.T) {
	want := sight{status: 429, retryAfter: "3", body: `{"error":{"message":"slow"}}`, end: "whole", first: 60 * time.Millisecond, last: 600 * time.Millisecond}
	for difference, change := range map[string]func(*sight){
		"as it is":                               func(*sight) {},
		"status 502, not 429":                    func(s *sight) { s.status = 502 },
		"silence":                                func(s *sight) { *s = sight{end: "silence"} },
		"no Retry-After":                         func(s *sight) { s.retryAfter = "" },
		"Retry-After 1, not 3":                   func(s *sight) { s.retryAfter = "1" },
		"the same text in other bytes":           func(s *sight) { s.body = `{"error": {"message": "slow"}}` },
		"another text":                           func(s *sight) { s.body = `{"error":{"message":"fast"}}` },
		"it ends whole, not cut":                 nil,
		"it comes at once":                       func(s *sight) { s.first, s.last = time.Millisecond, time.Millisecond },
		"the first byte comes when all is there": func(s *sight) { s.first = s.last },
	} {
		have := want
		if change != nil {
			change(&have)
			if got := compare([]sight{want}, []sight{have}); got != difference {
				t.Errorf("%q, want %q", got, difference)
			}
			continue
		}
		cut := want
		cut.end = "cut"
		if got := compare([]sight{cut, cut}, []sight{cut, have}); got != "call 2: "+difference {
			t.Errorf("%q, want %q", got, difference)
		}
	}
	reset := sight{end: "no answer: reset"}
	if got := compare([]sight{reset}, []sight{want}); got != "status 429, not a reset" {
		t.Error(got)
	}
	if reason(syscall.ECONNRESET) != "reset" || reason(errors.New("x")) != "an error of the recorder" {
		t.Error("errors are not told apart")
	}
}

// A text is the same whether it came whole or in events.
func TestText(t *testing.T) {
	stream := "data: {\"choices\":[{\"delta\":{\"content\":\"a \"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\n\ndata: [DONE]\n\n"
	if text(stream) != "a b" || text(completion("a b")) != "a b" || text("no JSON") != "" {
		t.Errorf("%q, %q", text(stream), text(completion("a b")))
	}
}

// The table goes between the marks of a page and nowhere else, again and again,
// and the page of this repository has them, with our column as it should be.
func TestIntoPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	first := "one\n" + tableStart("a") + "other\n" + tableEnd + tableStart("b") + "old\n" + tableEnd + "two\n"
	if err := os.WriteFile(path, []byte(first), 0o666); err != nil {
		t.Fatal(err)
	}
	table := tableOf([]column{{"x", map[string]string{"json": "as it is"}, map[string]string{"json": "gone"}}})
	for range 2 {
		if err := intoPage(path, "b", table); err != nil {
			t.Fatal(err)
		}
	}
	got, _ := os.ReadFile(path)
	if want := "one\n" + tableStart("a") + "other\n" + tableEnd + tableStart("b") + "\n" + table + "\n" + tableEnd + "two\n"; string(got) != want {
		t.Errorf("%s", got)
	}
	if !strings.Contains(table, "| 200 with JSON | recording | as it is |\n| | replay | gone |\n") {
		t.Error(table)
	}
	if err := os.WriteFile(path, []byte("no marks"), 0o666); err != nil || intoPage(path, "b", table) == nil {
		t.Error("a page without marks takes the table")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "comparison.md"))
	if err != nil || !strings.Contains(string(page), "| the server | seen | scenario | go-vcr v2 | aimock | WireMock |") {
		t.Errorf("docs/comparison.md has no whole table (%v): run make compare-record", err)
	}
	if !strings.Contains(string(page), "| a test says | scenario | terraform test ") || strings.Count(string(page), "| pass | cannot be said: ") != 3 {
		t.Error("docs/comparison.md has no whole table of terraform test: run make compare-record")
	}
	if n := strings.Count(string(page), " | recording | as it is |") + strings.Count(string(page), "| | replay | as it is |"); n != 2*len(behaviours) {
		t.Errorf("%d of %d cells of our column are as they should be", n, 2*len(behaviours))
	}
}
