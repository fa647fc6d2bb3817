package cassette

import (
	"strings"

	"github.com/scenario-lang/scenario/cassette/match"
)

// paired lays recorded interactions beside those that came now, in the order of
// the latter; what has no partner of the recorded ones comes last. Where the
// file knows steps, partners are of one scenario, step and target; else of one
// method and path, and equal requests are paired first.
func paired(recorded, now []*Interaction, own bool) []Checked {
	place := func(it *Interaction) string { return match.Place(it.Request()) }
	if own {
		place = func(it *Interaction) string {
			return strings.Join([]string{it.Scenario, it.Step, it.Target, it.Lane}, "\x00")
		}
	}
	partner := map[*Interaction]*Interaction{}
	were, are := grouped(recorded, place), grouped(now, place)
	for name, list := range are {
		old := were[name]
		if !own {
			old, list = pairEqual(partner, old, list)
		}
		pairAligned(partner, old, list)
	}
	var out []Checked
	taken := map[*Interaction]bool{}
	for _, it := range now {
		out = append(out, Checked{Recorded: partner[it], Now: it})
		taken[partner[it]] = true
	}
	for _, it := range recorded {
		if !taken[it] {
			out = append(out, Checked{Recorded: it})
		}
	}
	return out
}

// pairEqual pairs the attempts of equal requests and returns what is left.
func pairEqual(partner map[*Interaction]*Interaction, recorded, now []*Interaction) (were, are []*Interaction) {
	m := match.Match{Profile: match.Semantic}
	key := func(it *Interaction) string { return m.Key(it.Request()) }
	old, fresh := grouped(recorded, key), grouped(now, key)
	for k, list := range fresh {
		pairAligned(partner, old[k], list)
	}
	found := map[*Interaction]bool{}
	for _, it := range now {
		if partner[it] == nil {
			are = append(are, it)
		}
		found[partner[it]] = true
	}
	for _, it := range recorded {
		if !found[it] {
			were = append(were, it)
		}
	}
	return were, are
}

// grouped are the interactions by a key, each list in its order.
func grouped(list []*Interaction, key func(*Interaction) string) map[string][]*Interaction {
	m := map[string][]*Interaction{}
	for _, it := range list {
		k := key(it)
		m[k] = append(m[k], it)
	}
	return m
}

// alignedMax bounds the table of an alignment; larger lists are paired in
// their order.
const alignedMax = 1 << 20

// pairAligned pairs the attempts of one step: as many as possible that ended
// alike, so that a refusal which comes no more does not shift the others, and
// what is left between two such pairs in its order.
func pairAligned(partner map[*Interaction]*Interaction, recorded, now []*Interaction) {
	i, j := 0, 0
	inOrder := func(toI, toJ int) {
		for ; i < toI && j < toJ; i, j = i+1, j+1 {
			partner[now[j]] = recorded[i]
		}
		i, j = toI, toJ
	}
	if len(recorded)*len(now) <= alignedMax {
		for _, p := range alignment(recorded, now) {
			inOrder(p[0], p[1])
			partner[now[j]] = recorded[i]
			i, j = i+1, j+1
		}
	}
	inOrder(len(recorded), len(now))
}

// alignment is a longest common subsequence of outcomes, as pairs of places.
func alignment(recorded, now []*Interaction) [][2]int {
	longest := make([][]int, len(recorded)+1)
	for i := range longest {
		longest[i] = make([]int, len(now)+1)
	}
	alike := func(i, j int) bool { return recorded[i].Outcome() == now[j].Outcome() }
	for i := len(recorded) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if alike(i, j) {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < len(recorded) && j < len(now); {
		switch {
		case alike(i, j):
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}
