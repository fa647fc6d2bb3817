package chat

import "unicode/utf8"

// Pieces are the two in which a stream has a text such as the arguments of a tool call, cut between two
// characters: whoever reads it has to put them together. A text of one byte or none is one piece.
func Pieces(text string) []string {
	cut := len(text) / 2
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	if cut == 0 {
		return []string{text}
	}
	return []string{text[:cut], text[cut:]}
}
