// Package words finds in one pass which of many words a text has.
package words

// A Search finds in one pass which of many words a text has, whatever the
// case of its letters: the automaton of Aho and Corasick (1975). It is not
// changed once it was made.
type Search struct {
	// class is the column of a byte; letters of both cases have the same.
	class [256]uint8
	width int
	// next is the state that follows one for a class of bytes.
	next []int32
	// ends are the words that end in a state, by their number.
	ends [][]int32
	// Words are the words, by their number.
	Words []string
}

// New is a search for words in lower case, of which none is empty.
func New(words []string) *Search {
	s := &Search{width: 1, Words: words}
	for _, w := range words {
		for i := range len(w) {
			if c := w[i]; s.class[c] == 0 {
				s.class[c] = uint8(s.width)
				s.width++
			}
		}
	}
	for c := 'a'; c <= 'z'; c++ {
		s.class[c-'a'+'A'] = s.class[c]
	}
	s.state()
	for n, w := range words {
		at := 0
		for i := range len(w) {
			edge := at*s.width + int(s.class[w[i]])
			if s.next[edge] == 0 {
				s.next[edge] = int32(s.state())
			}
			at = int(s.next[edge])
		}
		s.ends[at] = append(s.ends[at], int32(n))
	}
	s.link()
	return s
}

// state adds a state without edges.
func (s *Search) state() int {
	s.next = append(s.next, make([]int32, s.width)...)
	s.ends = append(s.ends, nil)
	return len(s.ends) - 1
}

// link fills in the edges of what does not go on as a word does: they are those
// of the longest other beginning of a word that the text ends with there.
func (s *Search) link() {
	fail := make([]int32, len(s.ends))
	var queue []int32
	for c := range s.width {
		if to := s.next[c]; to != 0 {
			queue = append(queue, to)
		}
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		s.ends[at] = append(s.ends[at], s.ends[fail[at]]...)
		for c := range s.width {
			edge, other := int(at)*s.width+c, s.next[int(fail[at])*s.width+c]
			if to := s.next[edge]; to != 0 {
				fail[to] = other
				queue = append(queue, to)
			} else {
				s.next[edge] = other
			}
		}
	}
}

// Each calls found with the number of each word in the text and where it ends.
func (s *Search) Each(text string, found func(word, end int)) {
	at := int32(0)
	for i := range len(text) {
		at = s.next[int(at)*s.width+int(s.class[text[i]])]
		if at != 0 {
			for _, w := range s.ends[at] {
				found(int(w), i+1)
			}
		}
	}
}
