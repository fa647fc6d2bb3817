package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// asking is a request with messages.
func asking(messages ...string) Request {
	var list []string
	for _, m := range messages {
		list = append(list, fmt.Sprintf(`{"role":"user","content":%q}`, m))
	}
	return Request{Method: "POST", URL: "https://a/x", Body: []byte(`{"messages":[` + strings.Join(list, ",") + `]}`)}
}

// Shows that for people a message which was put in, or left out, is one difference, and
// that one which was changed is compared with what it was.
func TestChangesOfLists(t *testing.T) {
	const system, question = "You answer in one sentence.", "Why so in winter?"
	asked := strings.Replace(question, "winter", "summer", 1)
	content := func(i int, a, b string) FieldDiff {
		return FieldDiff{fmt.Sprintf("body.messages[%d].content", i), fmt.Sprintf("%q", a), fmt.Sprintf("%q", b)}
	}
	whole := func(text string) string { return fmt.Sprintf(`{"content":%q,"role":"user"}`, text) }
	for _, c := range []struct {
		name string
		a, b []string
		want []FieldDiff
	}{
		{"none", []string{system, question}, []string{system, question}, nil},
		{"changed", []string{system, question}, []string{system, asked}, []FieldDiff{content(1, question, asked)}},
		{"put in at the beginning", []string{question}, []string{system, question}, []FieldDiff{{"body.messages[0]", Absent, whole(system)}}},
		{"put in between", []string{system, question}, []string{system, "So?", question}, []FieldDiff{{"body.messages[1]", Absent, whole("So?")}}},
		{"left out, and the next changed", []string{system, "So?", "Yes.", question}, []string{system, asked}, []FieldDiff{
			{"body.messages[1]", whole("So?"), Absent}, {"body.messages[2]", whole("Yes."), Absent}, content(1, question, asked),
		}},
		{"all left out", []string{system, question}, nil, []FieldDiff{{"body.messages[0]", whole(system), Absent}, {"body.messages[1]", whole(question), Absent}}},
	} {
		if d := cmp.Diff(c.want, (Match{}).Changes(asking(c.a...), asking(c.b...))); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// Shows, on random lists, that changes are none exactly where there is no difference, and
// that each list has each of its elements in one pair and in order.
func TestChangesAreDifferences(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := []string{"a", "b", "a long message that says why", "a long message that says how"}
	list := func() (out []string) {
		for range random.IntN(6) {
			out = append(out, words[random.IntN(len(words))])
		}
		return out
	}
	for range 2000 {
		a, b := list(), list()
		if changes := (Match{}).Changes(asking(a...), asking(b...)); (len(changes) == 0) != slices.Equal(a, b) {
			t.Errorf("%q and %q: %v", a, b, changes)
		}
		var of [2][]any
		for i, from := range [][]string{a, b} {
			for _, w := range from {
				of[i] = append(of[i], w)
			}
		}
		var seen [2]int
		for _, p := range paired(of[0], of[1]) {
			for i, at := range []int{p.a, p.b} {
				if at >= 0 && at != seen[i] {
					t.Fatalf("%q and %q: element %d comes for %d", a, b, at, seen[i])
				}
				if at >= 0 {
					seen[i]++
				}
			}
		}
		if seen != [2]int{len(a), len(b)} {
			t.Errorf("%q and %q: only %v are in pairs", a, b, seen)
		}
	}
}

// Shows how a difference stands in a message: in one line where that is short, else with
// both values one below the other, which begin at one place.
func TestDifferencesInMessages(t *testing.T) {
	before, after := strings.Repeat("a", 50), strings.Repeat("b", 50)
	recorded, actual := excerpts(`"`+before+"X"+after+`"`, `"`+before+"Y, and more"+after+`"`)
	for _, c := range []struct {
		d    FieldDiff
		want string
	}{
		{FieldDiff{"body.n", "1", "2"}, "body.n: recorded 1, actual 2"},
		{FieldDiff{"body.n", "1", Absent}, "body.n: recorded 1, actual (absent)"},
		{FieldDiff{"body.n", recorded, actual}, "body.n\n  recorded  …" + before[:15] + "X" + after[:44] + "…\n  actual    …" + before[:15] + "Y, and more" + after[:34] + "…"},
		{FieldDiff{"body.n", strings.Repeat("x", 60), Absent}, "body.n: only in the recording\n  recorded  " + strings.Repeat("x", 60)},
		{FieldDiff{"body.n", Absent, strings.Repeat("x", 60)}, "body.n: not in the recording\n  actual    " + strings.Repeat("x", 60)},
	} {
		if got := c.d.String(); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
	// Where one text ends, what the other has besides is seen.
	short, long := excerpts(before+before, before+before+after+after)
	if !strings.HasSuffix(short, "aaaa") || !strings.Contains(long, "abbbbbbbbbbbbbbb") {
		t.Errorf("%q, %q", short, long)
	}
}
