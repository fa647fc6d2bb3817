package interp

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that a check which counts distinct values so that nothing is sent twice is told of where nothing was given
// twice and nothing failed, and that it is not where something was, or where the check is about something else.
func TestDuplicatesThatNothingAsksFor(t *testing.T) {
	const source = `provider "http" "list" { base_url = "https://list.test" }
provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut {
    command = ["agent"]
    stdin   = %q
  }
  on "list" {
    reply { json = %s }
    reply { times = "*" }
  }
  on "shop" {
    %s
    reply { times = "*" }
  }
  assert "once" { condition = %s }
}
`
	const (
		to       = "[for a in endpoint.shop.attempts : a.request.json.to]"
		counts   = "length(endpoint.shop.attempts) == 3 && length(distinct(" + to + ")) == 3"
		compares = "distinct(" + to + ") == " + to
		none     = "[]"
	)
	mail := func(to string) demand { return demand{method: "POST", url: "https://shop.test/mail", body: to} }
	mails := []demand{mail(`{"to": "ann@a.test", "key": "k1"}`), mail(`{"to": "bob@a.test", "key": "k2"}`), mail(`{"to": "cy@a.test", "key": "k3"}`)}
	first := demand{method: "GET", url: "https://list.test/people"}
	table := func(rows ...string) Files {
		text := strings.Join(rows, "\n") + "\n"
		return Files{Lists: []string{text}, Data: []string{text}, Whole: true}
	}
	plain := table("ann@a.test,1", "bob@a.test,2", "cy@a.test,3")
	for _, c := range []struct {
		what, stdin, list, fails, condition string
		command                             string // beside its name
		files                               Files
		asks                                []demand
		told                                bool
	}{
		{"a file", "", none, "", counts, "", plain, mails, true},
		{"compared with all", "", none, "", compares, "", plain, mails, true},
		{"compared with all, the other way", "", none, "", to + " == distinct(" + to + ")", "", plain, mails, true},
		{"compared with how many there are", "", none, "", "length(toset(" + to + ")) == length(" + to + ")", "", plain, mails, true},
		{"how many there are, expected beside it", "", none, "", "length(endpoint.shop.calls) == 3 && length(toset(" + to + ")) >= 3", "", plain, mails, true},
		{"its input", "ann@a.test\nbob@a.test\ncy@a.test\n", none, "", counts, "", Files{}, mails, true},
		{"an answer", "", `["ann@a.test", "bob@a.test", "cy@a.test"]`, "", counts, "", Files{}, append([]demand{first}, mails...), true},
		{"a source", "", none, "", counts, "", Files{Sources: []string{`for to in ("ann@a.test", "bob@a.test", "cy@a.test"): mail(to)`}, Whole: true}, mails, true},
		{"nobody", "", none, "", counts, "", Files{Whole: true}, mails, true},

		{"a file that has it twice", "", none, "", counts, "", table("ann@a.test,1", "bob@a.test,2", "Ann@A.test ,4", "cy@a.test,3"), mails, false},
		{"a line that is there twice", "", none, "", counts, "", table("c1", "c2", "c1", "c3"), mails, false},
		{"two files", "", none, "", counts, "", Files{Data: []string{"ann@a.test", "bob@a.test ann@a.test"}, Whole: true}, mails, false},
		{"a source that has it twice", "", none, "", counts, "", Files{Sources: []string{`("ann@a.test", "bob@a.test", "ann@a.test", "cy@a.test")`}, Whole: true}, mails, false},
		{"its input has it twice", "ann@a.test\nbob@a.test\nann@a.test;again\ncy@a.test\n", none, "", counts, "", plain, mails, false},
		{"its input has an element twice", `[{"id": 1}, {"id": 2}, {"id": 1}]`, none, "", counts, "", plain, mails, false},
		{"an answer has it twice", "", `[{ to = "ann@a.test" }, { to = "bob@a.test" }, { to = "ann@a.test", n = 2 }]`, "", counts, "", plain, append([]demand{first}, mails...), false},
		{"an answer has an id twice", "", `{ items = [{ id = "c1" }, { id = "c2" }, { id = "c1", n = 2 }] }`, "", counts, "", plain, append([]demand{first}, mails...), false},
		{"a program that is started twice", "", none, "", counts, "python3 p.py & python3 p.py", plain, mails, false},
		{"a program in a loop", "", none, "", counts, "for i in 1 2; do agent; done", plain, mails, false},
		{"a failure", "", none, `reply { status_code = 500 }`, compares, "", plain, mails, false},
		{"a fault", "", none, `fault "http_error" { status_code = 503 }`, compares, "", plain, mails, false},
		{"files that were not read", "", none, "", counts, "", Files{}, mails, false},
		{"nothing says how many", "", none, "", "length(distinct(" + to + ")) == 3", "", plain, mails, false},
		{"all are the same", "", none, "", "length(endpoint.shop.attempts) == 3 && length(distinct([for a in endpoint.shop.attempts : a.request.url])) == 1", "", plain, mails, false},
		{"a list that is written out", "", none, "", "length(endpoint.shop.attempts) == 3 && toset(" + to + `) == ["ann@a.test", "bob@a.test", "cy@a.test"]`, "", plain, mails, false},
		{"no part of a request", "", none, "", "length(endpoint.shop.attempts) == 3 && length(distinct([for a in endpoint.shop.attempts : a.started_at_ms])) == 3", "", plain, mails, false},
		{"a header field", "", none, "", `length(endpoint.shop.attempts) == 3 && length(distinct([for i, a in endpoint.shop.attempts : "${i}${a.request.headers["content-length"]}"])) == 3`, "", plain, mails, false},
		{"a key of each request", "", none, "", "length(endpoint.shop.attempts) == 3 && length(distinct([for a in endpoint.shop.attempts : a.request.json.request_id])) == 3", "", plain, []demand{mail(`{"request_id": "ann"}`), mail(`{"request_id": "bob"}`), mail(`{"request_id": "cy"}`)}, false},
		{"ids that a program makes up", "", none, "", counts, "", plain, []demand{mail(`{"to": "9b2f0c11-77aa-4d1b-8c00-1f2e3d4c5b6a"}`), mail(`{"to": "1c2f0c11-77aa-4d1b-8c00-1f2e3d4c5b6b"}`), mail(`{"to": "2d2f0c11-77aa-4d1b-8c00-1f2e3d4c5b6c"}`)}, false},
		{"what is only read", "", none, "", "length(endpoint.shop.attempts) == 2 && length(distinct([for a in endpoint.shop.attempts : a.request.url])) == 2", "", plain, []demand{{method: "GET", url: "https://shop.test/mail/1"}, {method: "GET", url: "https://shop.test/mail/2"}}, false},
	} {
		said := saidAtEnd(t, fmt.Sprintf(source, c.stdin, c.list, c.fails, c.condition), func(o *Outside) (said string) {
			for _, trial := range o.Trials([]string{"agent", c.command}, func() Files { return c.files }) {
				said += trial.Why
			}
			return said
		}, c.asks...)
		if told := strings.HasPrefix(said, `assert "once" counts distinct values of what the program sends to shop`); told != c.told || !c.told && said != "" {
			t.Errorf("%s: said %q", c.what, said)
		}
	}
}
