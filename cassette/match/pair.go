package match

import "reflect"

// A pair is an element of each of two lists, by its index; -1 where the other list has none
// that belongs to it.
type pair struct{ a, b int }

// pairsMax bounds how many pairs are tried for two lists.
const pairsMax = 1 << 12

// paired says which elements of two lists belong together, in order. Lists of one length
// are compared element by element, as are long ones that have little in common. Of others
// it is the way that changes least: an element that is left out or put in costs as much as
// one that has half of its text in common with what it is compared with.
func paired(a, b []any) []pair {
	if len(a) == len(b) {
		return inTurn(a, b)
	}
	var pairs []pair
	first := 0
	for first < min(len(a), len(b)) && reflect.DeepEqual(a[first], b[first]) {
		pairs = append(pairs, pair{first, first})
		first++
	}
	lastA, lastB := len(a), len(b)
	for lastA > first && lastB > first && reflect.DeepEqual(a[lastA-1], b[lastB-1]) {
		lastA, lastB = lastA-1, lastB-1
	}
	for _, p := range leastChange(a[first:lastA], b[first:lastB]) {
		if p.a >= 0 {
			p.a += first
		}
		if p.b >= 0 {
			p.b += first
		}
		pairs = append(pairs, p)
	}
	for i := range len(a) - lastA {
		pairs = append(pairs, pair{lastA + i, lastB + i})
	}
	return pairs
}

// inTurn pairs the elements of one index.
func inTurn(a, b []any) []pair {
	pairs := make([]pair, max(len(a), len(b)))
	for i := range pairs {
		pairs[i] = pair{i, i}
		if i >= len(a) {
			pairs[i].a = -1
		}
		if i >= len(b) {
			pairs[i].b = -1
		}
	}
	return pairs
}

// leastChange is the edit distance of two lists, and the way that has it.
func leastChange(a, b []any) []pair {
	if len(a)*len(b) > pairsMax {
		return inTurn(a, b)
	}
	textA, textB := rendered(a), rendered(b)
	// cost[i][j] is what the elements from i and j on cost.
	cost := make([][]float64, len(a)+1)
	for i := range cost {
		cost[i] = make([]float64, len(b)+1)
	}
	for i := len(a); i >= 0; i-- {
		for j := len(b); j >= 0; j-- {
			switch {
			case i == len(a):
				cost[i][j] = float64(len(b) - j)
			case j == len(b):
				cost[i][j] = float64(len(a) - i)
			default:
				cost[i][j] = min(2*change(textA[i], textB[j])+cost[i+1][j+1], 1+cost[i+1][j], 1+cost[i][j+1])
			}
		}
	}
	var pairs []pair
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && cost[i][j] == 2*change(textA[i], textB[j])+cost[i+1][j+1]:
			pairs = append(pairs, pair{i, j})
			i, j = i+1, j+1
		case i < len(a) && cost[i][j] == 1+cost[i+1][j]:
			pairs = append(pairs, pair{i, -1})
			i++
		default:
			pairs = append(pairs, pair{-1, j})
			j++
		}
	}
	return pairs
}

func rendered(list []any) []string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = render(v)
	}
	return texts
}

// change is how much of the longer of two texts is not the same in the other, at its
// beginning and its end: from 0 to 1.
func change(a, b string) float64 {
	if a == b {
		return 0
	}
	before := commonPrefix(a, b)
	after := 0
	for after < min(len(a), len(b))-before && a[len(a)-1-after] == b[len(b)-1-after] {
		after++
	}
	return 1 - float64(before+after)/float64(max(len(a), len(b)))
}

// commonPrefix is how many bytes two texts begin with alike.
func commonPrefix(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
