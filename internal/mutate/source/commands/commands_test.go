package commands

import (
	"slices"
	"strings"
	"testing"
)

// read are the words of a command without quotes.
func read(text string) (list []Word) {
	at := 0
	for _, w := range strings.Fields(text) {
		at += strings.Index(text[at:], w)
		it := Word{Text: w, From: at, To: at + len(w), Plain: !strings.ContainsAny(w, "\"'$")}
		if strings.ContainsAny(w[:1], "<>") {
			it.Sign = "<"
		}
		list, at = append(list, it), it.To
	}
	return list
}

// Shows what stands in the place of a command, and which options are left out.
func TestCommands(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"sort -m a b", []string{"cat a b"}},
		{"sort -k 2n a", []string{"cat a"}},
		{"sort -k2,2n a", []string{"sort -k2,2 a", "cat a"}},
		{"sort <a", []string{"cat <a"}},
		{"sort >b", nil},
		{"uniq -c a", []string{"uniq a", "cat a"}},
		{"tac a", []string{"cat a"}},
		{"tsort a", []string{"awk '{ for (i = 1; i <= NF; i++) if (!seen[$i]++) print $i }' a"}},
		{"tsort", []string{"awk '{ for (i = 1; i <= NF; i++) if (!seen[$i]++) print $i }'"}},
		{"join a b", []string{"awk 'NR == FNR { one[FNR] = $0; next } { $1 = \"\"; print one[FNR] $0 }' a b"}},
		{"join -t, a b", nil},
		{"paste a b", []string{"cat a b"}},
		{"comm a b", nil},
		{"curl --retry 3 -s u", []string{"curl -s u"}},
	} {
		var got []string
		words := read(c.text)
		command := &Command{Source: c.text, Name: words[0].Text, Words: words, Add: func(from, to int, with, change string) {
			got = append(got, c.text[:from]+with+c.text[to:])
		}}
		command.Options()
		command.Plain()
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q and not %q", c.text, got, c.want)
		}
	}
}

// Shows of which commands it is not said that they are not changed.
func TestKnown(t *testing.T) {
	for name, want := range map[string]bool{"echo": true, "curl": true, "": true, "[": true, "\"$x\"": true, "./run.sh": true, "comm": false, "tsort": false} {
		if got := Known(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
