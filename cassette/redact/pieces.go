package redact

import (
	"maps"
	"slices"
	"strings"
)

const (
	// pieceLen is how many bytes of a secret have to stand together to be a piece of it that
	// is hidden, and shortestCut how many bytes a secret has to have to be looked for in pieces.
	pieceLen    = 6
	shortestCut = 8
	// shortestDigits is how many digits alone are a piece: fewer are a count or a time.
	shortestDigits = 8
	// piecesMax is how many pieces are known at most.
	piecesMax = 1 << 17
)

// pieces are the parts by which secrets are known that a text may have alone.
type pieces struct {
	// runs have every six bytes of the secrets that somebody drew, by what they are of.
	runs map[string]string
	// words have the words of the other secrets that look like a secret themselves.
	words map[string]string
}

// Pieces is a text without the pieces of what was received, as an expression makes them that
// splits or cuts a text: each run of six bytes or more that it shares with a value that was
// drawn, and of any other value the words that look like a secret themselves, so that
// test-password does not hide every password. It is for what expressions came to, in texts
// that [Redactor.Text] has seen: in the others, equal letters are more likely to be chance.
func (r *Redactor) Pieces(text string) string {
	if r == nil || r.received == nil || len(text) < pieceLen {
		return text
	}
	return r.received.withoutPieces(r.received, text)
}

// withoutPieces is [Redactor.Pieces] for what was received.
func withoutPieces(h *Received, text string) string {
	p := h.cut()
	if p == nil {
		return text
	}
	var e edits
	for at := 0; at < len(text); {
		start, end := nextPlaceholder(text, at)
		p.find(&e, text, at, start)
		at = end
	}
	return e.apply(text)
}

// cut are the pieces of all that is known now, nil where there are none.
func (h *Received) cut() *pieces {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pieces == nil {
		h.pieces = &pieces{runs: map[string]string{}, words: map[string]string{}}
		for _, r := range []*Redactor{h.kept, h.now, h.before} {
			for _, secret := range slices.Sorted(maps.Keys(r.exact)) {
				h.pieces.add(secret)
			}
		}
	}
	if len(h.pieces.runs)+len(h.pieces.words) == 0 {
		return nil
	}
	return h.pieces
}

func (p *pieces) add(secret string) {
	for field := range strings.FieldsSeq(secret) {
		mixed := mixedIn(field)
		switch {
		case len(field) < shortestCut || len(p.runs)+len(p.words) > piecesMax:
		case isDrawn(field) || isUUID(field) || looksRandom(field):
			p.drawn(secret, field, mixed)
		default:
			eachWord(field, func(from, to int) {
				if word := field[from:to]; mixed[from] && isWorthwhile(word) {
					know(p.words, word, secret)
				}
			})
		}
	}
}

// know adds what the first secret is known by.
func know(list map[string]string, text, secret string) {
	if _, known := list[text]; !known {
		list[text] = secret
	}
}

// drawn adds the runs of a value that somebody drew, also in upper and in lower case. Most of
// a run has to be of what was drawn: what stands before it, such as github_pat_, is a name.
func (p *pieces) drawn(secret, field string, mixed []bool) {
	random := looksRandom(field)
	n := 0
	for i := range len(field) {
		if mixed[i] {
			n++
		}
		if i < pieceLen-1 {
			continue
		}
		start := i + 1 - pieceLen
		run := field[start : i+1]
		if n >= pieceLen/2 && (random || !mayBeWord(run)) {
			for _, form := range []string{run, strings.ToUpper(run), strings.ToLower(run)} {
				know(p.runs, form, secret)
			}
		}
		if mixed[start] {
			n--
		}
	}
}

// mayBeWord reports whether a run is a part of a word: letters of one case, or a capital and
// small letters.
func mayBeWord(run string) bool {
	return strings.Trim(run[1:], "abcdefghijklmnopqrstuvwxyz") == "" && isLetter(run[0]) || strings.Trim(run, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// mixedIn says of each byte whether it is in a word that nobody thought of: one with letters and
// digits or with letters of both cases in it, or many digits.
func mixedIn(field string) []bool {
	mixed := make([]bool, len(field))
	eachWord(field, func(from, to int) {
		word := field[from:to]
		n := len(word) - len(strings.Map(withoutDigits, word))
		if n > 0 && n < len(word) || n >= shortestDigits || n == 0 && word[1:] != strings.ToLower(word[1:]) && word != strings.ToUpper(word) {
			for i := from; i < to; i++ {
				mixed[i] = true
			}
		}
	})
	return mixed
}

func withoutDigits(c rune) rune {
	if '0' <= c && c <= '9' {
		return -1
	}
	return c
}

// eachWord calls do with the places of the words of a text: letters and digits without a gap.
func eachWord(text string, do func(from, to int)) {
	from := -1
	for i := 0; i <= len(text); i++ {
		is := i < len(text) && (isLetter(text[i]) || isDigit(text[i]))
		switch {
		case is && from < 0:
			from = i
		case !is && from >= 0:
			do(from, i)
			from = -1
		}
	}
}

// find adds the pieces in a part of a text.
func (p *pieces) find(e *edits, text string, at, end int) {
	part := text[at:end]
	var found []region
	if len(p.runs) > 0 {
		for i := 0; i+pieceLen <= len(part); i++ {
			if secret, is := p.runs[part[i:i+pieceLen]]; is {
				if n := len(found) - 1; n >= 0 && i <= found[n].end {
					found[n].end = i + pieceLen
				} else {
					found = append(found, region{start: i, end: i + pieceLen, secret: secret})
				}
			}
		}
		found = slices.DeleteFunc(found, func(g region) bool {
			return g.end-g.start < shortestDigits && digits(part[g.start:g.end]) == g.end-g.start
		})
	}
	if len(p.words) > 0 {
		eachWord(part, func(from, to int) {
			if secret, is := p.words[part[from:to]]; is {
				found = append(found, region{start: from, end: to, secret: secret})
			}
		})
	}
	for _, g := range sorted(found) {
		e.replace(at+g.start, at+g.end, Placeholder(g.secret))
	}
}
