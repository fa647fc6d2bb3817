package sized

import (
	"fmt"
	"strings"
	"testing"
)

// Shows of which kind a name is, whether it speaks of something without a limit, and what is told of the data then: what
// has come to the usual limits, what is small where the name only says that there is much, and names about limits that are
// meant, or in which the same words say something else, are not told of.
func TestTold(t *testing.T) {
	nested := func(n int) string { return strings.Repeat(`{"a":[`, n) + "7" + strings.Repeat("]}", n) }
	chained := func(n int) string {
		list := []string{`{"id":1,"parent":null}`}
		for i := 1; i < n; i++ {
			list = append(list, fmt.Sprintf(`{"id":%d,"parent":%d}`, i+1, i))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	list := func(n int) string { return "[" + strings.Repeat("0,", n-1) + "0]" }
	const small = `{"a":[1,2]}`
	for _, c := range []struct {
		title, data string
		told        string // how it begins, "" for nothing
	}{
		{"a tree is read at any depth", nested(40), `named after "at any depth": nested 40 deep; usual limits that this does not meet: 64 (.NET), 100 (Ruby), 128`},
		{"a thread is printed, however deep", nested(300), `named after "however deep": nested 300 deep; usual limits that this does not meet: 512 (PHP), 1000`},
		{"a thread is printed, however deep", nested(1001), ``},
		{"a thread is printed, however deep", chained(40), `named after "however deep": nested 40 deep`},
		{"a thread is printed, however deep", `[{"id":1,"to":2},{"id":2,"to":1}]`, ``}, // no depth in it
		{"answers to answers, with their depth", nested(40), `named after "depth": nested 40 deep`},
		{"answers to answers, with their depth", nested(3), ``},
		{"all pages are read, however many there are", list(7), `named after "however many": 5 requests; usual limits that this does not meet: 10, 20, 100`},
		{"any number of rows is read", list(70), `named after "any number of": 70 of them; usual limits that this does not meet: 100 (a page of GitHub), 1000`},
		{"any number of rows is read", list(1001), ``},
		{"any number of rows is read", strings.Repeat("row\n", 50), `named after "any number of": 50 of them`},
		{"no number of folders is too much", list(7), `named after "no number of": 7 of them`},
		{"a list is sorted, however long it is", list(70), `named after "however long": a list of 70`},
		{"a line is read whole, however long it is", strings.Repeat("x", 3000) + "\nx\n", `named after "however long": a line of 3001 bytes; usual limits that this does not meet: 4 KB, 8 KB`},
		{"a line is read whole, however long it is", strings.Repeat("x", 70_000) + "\nx\n", ``},
		{"a line is read whole, however long it is", `{"a":"` + strings.Repeat("x", 70_000) + `"}`, ``},
		{"a text of any length", strings.Repeat("x\n", 1500), `named after "of any length": a text of 3000 bytes`},
		{"a long text is kept", strings.Repeat("x\n", 1500), `named after "long text": a text of 3000 bytes`},
		{"a long text is kept", "x\n", ``},
		{"it waits as long as it was told", strings.Repeat("x\n", 1500), ``},
		{"the wait is too long", strings.Repeat("x\n", 1500), ``},
		{"an export of any size", strings.Repeat("x\n", 1500), `named after "of any size": a message of 3000 bytes; usual limits that this does not meet: 8 KB`},
		{"an export of any size", strings.Repeat("x\n", 600_000), ``},
		{"sums are exact, however large", `{"cents":987654321098765}`, `named after "however large": numbers up to 987654321098765; usual limits that this does not meet: 2^53`},
		{"sums are exact, however large", `{"cents":9007199254740993}`, ``},
		{"sums are exact, however large", `{"cents":1e30}`, ``},
		{"sums are exact, however large", `{"cents":123456789012345678901}`, ``},
		{"trillions are exact to the cent", `{"cents":987654321098765}`, `named after "trillions": numbers up to 987654321098765`},
		{"gigabytes are added up", "ann 1200000000\nbob 750000000\n", `named after "gigabytes": numbers up to 1200000000; usual limits that this does not meet: 2^31 (int), 2^32`},
		{"gigabytes are added up", "ann 12\nbob 75\n", ``},
		{"the model knows all that was said", list(8), `named after "all that was said": a list of 8; usual limits that this does not meet: 10, 100`},
		{"an answer that keeps it busy is read", strings.Repeat("x ", 150), `named after "keeps it busy": a text of 300 bytes`},
		{"summed up in 32 MB", strings.Repeat("x\n", 1<<20), `named after "32 MB": no text of it has more than 2 MB`},
		{"summed up in 2 MB", strings.Repeat("x\n", 1<<20), ``},
		{"parts of at most 5 MB", small, ``},
		{"a list of any length, but at most 100", list(20), ``},
		{"a price is taken, however many digits it has", `{"price":1.5}`, ``},
		{"one key, however often it is sent", small, ``},
		{"an order is taken once, whatever the database does", small, ``},
		{"an unlimited list is read", list(20), `named after "unlimited": a list of 20`},
		{"it waits however long the service takes", strings.Repeat("x\n", 1500), ``},
		{"no matter how long the outage lasts, the order is kept", strings.Repeat("x\n", 1500), ``},
		{"an outage of any length is waited for", strings.Repeat("x\n", 1500), ``},
		{"retries go on without a limit", list(20), ``},
		{"no amount of retries helps", `{"n":5}`, ``},
		{"it ends after any number of retries", list(20), ``},
		{"any number but zero is a quantity", list(20), ``},
		{"no number of an account is shown", list(20), ``},
		{"an upload of 10 MB is refused with 413", list(20), ``},
		{"an upload over 10 MB is refused", list(20), ``},
		{"an upload over 10 MB goes in parts", list(20), ``},
		{"the 5 GB plan costs 10 EUR", list(20), ``},
		{"a download runs at 5 MB/s", list(20), ``},
		{"it runs with 512 MB of memory", list(20), ``},
		{"an unlimited plan is billed", list(20), ``},
		{"all pages are read, however many there are, however long it takes", list(7), `named after "however many": 5 requests`},
		{"it waits for lists of any length", list(20), `named after "of any length": a list of 20`},
		{"a plan of any number of steps", list(20), `named after "of any number": 20 of them`},
		{"an export of 5 MB is not held in memory", list(20), `named after "5 MB": no text`},
		{"one of any size fits into 32 MB of heap", list(20), `named after "32 MB": no text`},
		{"an export is summed up in 32 MB", list(20), `named after "32 MB": no text`},
		{"trillions are exact to the cent", `{"cents":456789012345617}`, `named after "trillions"`},
		{"The total is exact to the cent, however large the amounts are", `{"cents":456789012345617}`, `named after "however large": numbers`},
		{"answers to answers to answers are all printed, in order and with their depth", nested(40), `named after "depth"`},
		{"A thread of comments is printed to its end, however deep the answers are nested", nested(40), `named after "however deep"`},
		{"a stack trace of three thousand characters in one line is read whole", strings.Repeat("x", 3000) + "\nx\n", `named after "characters in one line"`},
		{"A line of a log is read whole, however long it is", strings.Repeat("x", 3000) + "\nx\n", `named after "however long": a line`},
		{"a long text is indexed, whatever the helper writes meanwhile", strings.Repeat("x\n", 1500), `named after "long text"`},
		{"A helper program never makes it hang: a text of any length is indexed and stored", strings.Repeat("x\n", 1500), `named after "of any length": a text`},
		{"an answer that is made to keep it busy is read at once", strings.Repeat("x ", 150), `named after "keep it busy"`},
		{"gigabytes are added up right", "ann 1200000000\nbob 750000000\n", `named after "gigabytes"`},
		{"the model knows all that was said before", list(8), `named after "all that was said"`},
		{"The model is told the whole conversation with each question, however long it gets", list(8), `named after "whole conversation": a list of 8`},
		{"all pages are read, however many there are", list(7), `named after "however many": 5 requests`},
		{"There is no number of pages at which it ends early", list(7), `named after "no number of": 5 requests`},
		{"the whole answer is printed", list(20), ``},
	} {
		m := &measures{}
		m.add(c.data)
		m.count(5)
		var got string
		if l := newLexicon(); l.speaks(c.title) {
			for _, p := range l.told([]string{"s", c.title}, m) {
				got = p.String()
			}
		}
		if c.told == "" && got != "" || !strings.HasPrefix(got, c.told) {
			t.Errorf("%s, of %.40s: told %q, want %q", c.title, c.data, got, c.told)
		}
	}
}

// Shows that lists are followed once in texts that are the same, and in no more than there is time for.
func TestChainsAreBounded(t *testing.T) {
	const pair, chain = `[{"id":1,"to":2},{"id":2,"to":3}]`, `[{"id":1,"to":2},{"id":2,"to":3},{"id":3,"to":4},{"id":4,"to":5}]`
	same := &measures{}
	for range 2 * chainLists {
		same.add(pair)
	}
	if same.add(chain); same.lists != 2 || same.of[nesting] != 4 {
		t.Errorf("behind the same text: %d lists were followed, %d deep; want 2, and 4", same.lists, same.of[nesting])
	}
	one, each := &measures{}, &measures{}
	one.add("[" + strings.Repeat(pair+",", 2*chainLists) + pair + "]")
	for i := range 2 * chainLists {
		each.add(fmt.Sprintf(`[{"id":%d,"to":2}]`, i))
	}
	if one.lists != chainLists || len(each.texts) != chainLists {
		t.Errorf("%d lists of a text and %d texts were looked at, want %d", one.lists, len(each.texts), chainLists)
	}
}

// Shows that the usual limits of each kind grow, that each name of one is said once, and that enough is one of them.
func TestLimitsGrow(t *testing.T) {
	for k, kind := range kinds {
		last := int64(0)
		is := false
		for _, l := range kind.limits {
			if l.n <= last {
				t.Errorf("kind %d: %s is no more than the one before", k, l.called)
			}
			last, is = l.n, is || l.n == kind.enough
		}
		if !is {
			t.Errorf("kind %d: enough is none of its limits", k)
		}
	}
}
