package edits

// Between is the least number of edits that turn one word into the other, where a
// letter that is inserted, left out or replaced is one, and so are two neighbours
// that change places; no letter is edited twice. This is the optimal string
// alignment distance, a restriction of Damerau's ("A technique for computer
// detection and correction of spelling errors", 1964). It costs the product of both
// lengths.
func Between(a, b string) int {
	from, to := []rune(a), []rune(b)
	// The rows of the table for the letter before the last, the last and this one.
	before, last, row := make([]int, len(to)+1), make([]int, len(to)+1), make([]int, len(to)+1)
	for j := range last {
		last[j] = j
	}
	for i := range from {
		row[0] = i + 1
		for j := range to {
			replaced := last[j]
			if from[i] != to[j] {
				replaced++
			}
			row[j+1] = min(replaced, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && from[i] == to[j-1] && from[i-1] == to[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(to)]
}
