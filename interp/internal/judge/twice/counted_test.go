package twice

import (
	"fmt"
	"strings"
	"testing"
)

// Shows which members are told of as ones that a program can count by itself: those that grow steadily from answer to
// answer, and that are sent on.
func TestCounted(t *testing.T) {
	for _, c := range []struct {
		name string
		// run is what was given and sent, in order: "<version 3" is given, "+id 2" with the one before it, and
		// ">if-match 3" is sent.
		run, want string
	}{
		{"versions", "<version 3|>if-match 3|<version 4|>if-match 4|<version 5", "version, which is 3, then 4, and is sent on as if-match"},
		{"one is left out", "<version 3|>if-match 3|<version 5|>if-match 5", ""},
		{"one is left out later", "<version 3|>if-match 3|<version 4|>if-match 4|<version 7|>if-match 7", ""},
		{"it goes down", "<left 3|>left 3|<left 2|>left 2", ""},
		{"sent on once", "<version 3|>if-match 3|<version 4", ""},
		{"not sent on", "<version 3|<version 4|<version 5", ""},
		{"sent under two names", "<version 3|>a 3|<version 4|>b 4", ""},
		{"entity tags", `<ETag "v7"|>if-match "v7"|<ETag W/"v8"|>if-match "v8"`, "ETag, which is v7, then v8"},
		{"tags of other texts", `<ETag "v7"|>if-match "v7"|<ETag "w8"|>if-match "w8"`, ""},
		{"offsets", "<next 100|>offset 100|<next 200|>offset 200", "next, which is 100, then 200"},
		{"steps of three", "<next 110|>offset 110|<next 210|>offset 210|<next 310", "next, which is 110, then 210"},
		{"steps of two", "<next 110|>offset 110|<next 210|>offset 210", ""},
		{"what the answer repeats", ">page 1|<page 1|>page 2|<page 2|>page 3", ""},
		{"what the answer repeats, and is sent again", ">n 1|<n 1|>n 1|>n 2|<n 2|>n 2", ""},
		{"of a list", "<a[].id 1|>id 1|<a[].id 2|>id 2", "id, which is 1, then 2, and is sent on as id"},
		{"of a list, from 3 on", "<a[].id 3|>id 3|<a[].id 4|>id 4", ""},
		{"of a list, under another name", "<a[].id 1|>amount 1|<a[].id 2|>amount 2", ""},
		{"all of a list", "<a[].id 1|+a[].id 2|+a[].id 3|>the path 1|>the path 2|>the path 3", "id, which is 1, then 2, and is sent on as the path"},
		{"some of a list", "<a[].id 1|+a[].id 2|+a[].id 3|>the path 1|>the path 3", ""},
		{"a list with a gap", "<a[].id 1|+a[].id 2|+a[].id 4|>the path 1|>the path 2", ""},
		{"the last of each page", ">a number of its text 0|<id 1|+id 2|>a number of its text 2|<id 3|+id 4|>a number of its text 4|<id 5", "id, which is 1, then 2, and is sent on as a number of its text"},
		{"keys that are sent later", "<id 1|<id 2|>order_id 1|>order_id 2", "id, which is 1, then 2, and is sent on as order_id"},
		{"keys that were chosen by who asks", ">id 1|<id 1|>id 2|<id 2|>id 1|>id 2", ""},
		{"links", "<next /a?page=2&n=9|>its address /a?page=2&n=9|<next /a?page=3&n=9|>its address /a?page=3&n=9", "next, which is /a?page=2&n=9, then /a?page=3&n=9, and is sent on as its address"},
		{"links with their host", "<next https://a.example/b?page=2|>its address /v1/b?page=2|<next https://a.example/b?page=3|>its address /v1/b?page=3", "next, which is https://a.example/b?page=2"},
		{"links of which two numbers grow", "<next /a?page=2&from=20|>its address /a?page=2&from=20|<next /a?page=3&from=40|>its address /a?page=3&from=40", "next, which is /a?page=2&from=20"},
		{"links of which one number jumps", "<next /a?page=2&from=20|>its address /a?page=2&from=20|<next /a?page=3&from=57|>its address /a?page=3&from=57", ""},
		{"links to another place", "<next /a?page=2|>its address /b?page=2|<next /a?page=3|>its address /b?page=3", ""},
		{"links with a cursor", "<next /a?after=f7|>its address /a?after=f7|<next /a?after=k2|>its address /a?after=k2", ""},
		{"fields", `<Link </a?page=2>; rel="next"|>its address /a?page=2|<Link </a?page=3>; rel="next"|>its address /a?page=3`, "Link, which is /a?page=2, then /a?page=3"},
		{"in a header field", "<n 3|>header x-state n 3|<n 4|>header x-state n 4", "n, which is 3, then 4, and is sent on as header x-state"},
		{"words", "<cursor b|>cursor b|<cursor c|>cursor c", ""},
		{"with zeros before", "<cursor 007|>cursor 007|<cursor 008|>cursor 008", ""},
	} {
		r := &record{program: true}
		for part := range strings.SplitSeq(c.run, "|") {
			at := strings.LastIndexByte(part, ' ')
			if i := strings.Index(part, " <"); i > 0 {
				at = i
			} else if strings.Contains(part, "x-state") {
				at = strings.Index(part, "x-state") + len("x-state")
			}
			turn := len(r.moments) + 1
			if part[0] == '+' {
				turn = r.moments[len(r.moments)-1].turn
			}
			r.moments = append(r.moments, moment{sent: part[0] == '>', by: "a", name: part[1:at], text: part[at+1:], turn: turn})
		}
		list := r.counted(8)
		if got := fmt.Sprint(list); c.want == "" && len(list) > 0 || c.want != "" && (len(list) != 1 || !strings.HasPrefix(list[0].Name, c.want)) {
			t.Errorf("%s: %s, want %q", c.name, got, c.want)
		}
		if list := r.counted(0); len(list) > 0 {
			t.Errorf("%s: there is no room for %v", c.name, list)
		}
	}
}

// Shows that steps of a workflow give one count together, and endpoints of a program one each.
func TestCountedTogether(t *testing.T) {
	r := &record{moments: []moment{{by: "read", name: "version", text: "3"}, {sent: true, by: "write", name: "version", text: "3"}, {by: "write", name: "version", text: "4"}, {sent: true, by: "again", name: "version", text: "4"}}}
	if list := r.counted(8); len(list) != 1 || list[0].Of != "read" {
		t.Errorf("of a workflow: %v", list)
	}
	if r.program = true; len(r.counted(8)) > 0 {
		t.Errorf("of a program: %v", r.counted(8))
	}
}

// Shows when requests are told of as ones that come in the order of a list: where all of them stand in it, each once.
func TestWalked(t *testing.T) {
	const jobs = `[{"id": "a", "of": "x"}, {"id": "b", "of": "y"}, {"id": "c", "of": "x"}, {"id": "d", "of": "y"}]`
	for _, c := range []struct{ name, title, text, sent, want string }{
		{"as they stand", "tenants take turns", jobs, "a b c d", "id, which comes in the order of [].id in it"},
		{"some of them", "tenants take turns", jobs, "a c d", "id, which comes in the order of [].id in it"},
		{"asked twice in a row", "tenants take turns", jobs, "a a b c", "id, which comes in the order of [].id in it"},
		{"in another order", "tenants take turns", jobs, "a c b d", ""},
		{"two of them", "tenants take turns", jobs, "a b", ""},
		{"nothing of an order", "all are sent", jobs, "a b c d", ""},
		{"others as well", "tenants take turns", jobs, "a b z d", ""},
		{"again", "tenants take turns", jobs, "a b c a", ""},
		{"lines", "sorted", "id,of\na,x\nb,y\nc,x\n", "a b c", "id, which comes in the order of column 1 in it"},
		{"words", "sorted", "run.py a b c", "a b c", "id, which comes in the order of it"},
		{"what comes twice", "sorted", "run.py a b c a", "a b c", ""},
	} {
		r := &record{}
		for v := range strings.FieldsSeq(c.sent) {
			r.sent = append(r.sent, sent{step: "jobs", name: "id", value: v})
		}
		var list []string
		if choosing().of(c.title) {
			for _, p := range r.walk(listsIn(Text{"it", c.text}), 8) {
				list = append(list, p.Name)
			}
		}
		if c.want == "" && len(list) > 0 || c.want != "" && (len(list) != 1 || !strings.HasPrefix(list[0], c.want+":")) {
			t.Errorf("%s: %q, want %q", c.name, list, c.want)
		}
	}
	r := &record{}
	for _, v := range []string{"jobs", "a", "jobs", "b", "jobs", "c"} {
		r.sent = append(r.sent, sent{step: "jobs", name: "the path", value: v, after: 3})
	}
	for _, v := range []string{"a", "b", "c"} {
		r.given = append(r.given, given{"id", "list[].id", v, "the answer of queue", 1, false})
	}
	if list := r.walked([]string{"by priority"}, 8); len(list) != 1 {
		t.Errorf("of paths: %v", list)
	}
	if list := r.walked([]string{"all of them"}, 8); len(list) != 0 {
		t.Errorf("without an order: %v", list)
	}
	for i := range r.sent {
		r.sent[i].after = 2 // before the list was there
	}
	if list := r.walked([]string{"by priority"}, 8); len(list) != 0 {
		t.Errorf("of what comes later: %v", list)
	}
}
