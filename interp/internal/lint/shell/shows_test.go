package shell

import (
	"slices"
	"testing"
)

// Shows which files a command line writes to its standard output behind a program.
func TestShows(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Shown
	}{
		{"python3 report.py && cat report.json", []Shown{{"report.json", true}}},
		{"python3 report.py; cat 'my report.json'", []Shown{{"my report.json", true}}},
		{"python3 report.py\ncat a.json b.json", []Shown{{"a.json", true}, {"b.json", true}}},
		{"cd out && python3 ../report.py && cat report.json", []Shown{{"out/report.json", true}}},
		{"python3 report.py && head -n 5 out.csv", []Shown{{"out.csv", false}}},
		{"python3 report.py && tail -3 out.csv", []Shown{{"out.csv", false}}},
		{"python3 report.py && jq -r '.items[] | .name' out.json", []Shown{{"out.json", false}}},
		{"python3 report.py && jq . out.json", []Shown{{"out.json", false}}},
		{"python3 report.py && cat out.csv | sort | head -3", []Shown{{"out.csv", false}}},
		{"python3 report.py 2>&1 | tee log && cat out.csv", []Shown{{"out.csv", true}}},
		{"node a.mjs && cat out.txt 2>/dev/null", []Shown{{"out.txt", true}}},

		{"python3 report.py", nil},
		{"cat in.json | python3 report.py", nil},
		{"npm ci && cat in.json | python3 report.py", nil},
		{"cat VERSION && python3 report.py", nil},
		{"set -e; echo begins; cat report.json", nil},
		{"rm -f x && cat report.json", nil},
		{"python3 report.py && cat a.json > b.json", nil},
		{"python3 report.py && cat \"$OUT\"", nil},
		{"python3 report.py && cat *.json", nil},
		{"python3 report.py && cat < out.json", nil},
		{"cd $DIR && python3 report.py && cat report.json", nil},
		{"if python3 report.py; then cat report.json; fi", nil},
	} {
		if got := Shows([]string{"sh", "-c", c.text}); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.text, got, c.want)
		}
	}
	if got := Shows([]string{"python3", "-c", "a && cat b"}); got != nil {
		t.Errorf("no shell: %v", got)
	}
}
