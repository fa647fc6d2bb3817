package linediff

import "strings"

const (
	contextLines = 2
	maxLineTable = 1 << 20 // cells of the table of common subsequences
)

// Of shows which lines to take out of actual and put in to get expected,
// each marked with its sign, with some equal lines around them. What is
// too long for a line, shorten makes shorter.
func Of(actual, expected []string, shorten func(string) string) string {
	start := 0
	for start < len(actual) && start < len(expected) && actual[start] == expected[start] {
		start++
	}
	end := 0
	for end < len(actual)-start && end < len(expected)-start && actual[len(actual)-1-end] == expected[len(expected)-1-end] {
		end++
	}
	var lines []string
	for _, l := range actual[max(start-contextLines, 0):start] {
		lines = append(lines, "  "+l)
	}
	lines = append(lines, changes(actual[start:len(actual)-end], expected[start:len(expected)-end])...)
	for _, l := range actual[len(actual)-end : min(len(actual)-end+contextLines, len(actual))] {
		lines = append(lines, "  "+l)
	}
	for i, l := range lines {
		lines[i] = "  " + shorten(l)
	}
	return strings.Join(lines, "\n")
}

// changes keeps the longest common subsequence of lines, where the table for
// it is not too large, and else replaces everything.
func changes(actual, expected []string) []string {
	var lines []string
	out, in := "- ", "+ "
	i, j := 0, 0
	if len(actual)*len(expected) <= maxLineTable {
		common := commonLengths(actual, expected)
		for i < len(actual) && j < len(expected) {
			switch {
			case actual[i] == expected[j]:
				lines = append(lines, "  "+actual[i])
				i, j = i+1, j+1
			case common[i+1][j] >= common[i][j+1]:
				lines = append(lines, out+actual[i])
				i++
			default:
				lines = append(lines, in+expected[j])
				j++
			}
		}
	}
	for ; i < len(actual); i++ {
		lines = append(lines, out+actual[i])
	}
	for ; j < len(expected); j++ {
		lines = append(lines, in+expected[j])
	}
	return lines
}

// commonLengths[i][j] is how many lines actual[i:] and expected[j:] have in
// common, in order.
func commonLengths(actual, expected []string) [][]int {
	table := make([][]int, len(actual)+1)
	for i := range table {
		table[i] = make([]int, len(expected)+1)
	}
	for i := len(actual) - 1; i >= 0; i-- {
		for j := len(expected) - 1; j >= 0; j-- {
			table[i][j] = max(table[i+1][j], table[i][j+1])
			if actual[i] == expected[j] {
				table[i][j] = table[i+1][j+1] + 1
			}
		}
	}
	return table
}
