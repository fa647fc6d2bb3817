package providers

import "unicode"

// SplitWords cuts a text into the deltas of a stream, after each word's
// trailing space. Space at the beginning goes with the first word; joined, the
// deltas are the text. An empty text has none.
func SplitWords(text string) []string {
	var words []string
	start, inWord, afterWord := 0, false, false
	for i, r := range text {
		space := unicode.IsSpace(r)
		if !space && afterWord {
			words = append(words, text[start:i])
			start = i
		}
		afterWord = space && (inWord || afterWord)
		inWord = !space
	}
	if start < len(text) {
		words = append(words, text[start:])
	}
	return words
}
