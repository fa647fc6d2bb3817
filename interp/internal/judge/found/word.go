package found

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/internal/pattern"
)

const (
	ofLonger = "it holds because %q stands in %q and nowhere by itself: it is a part of something else there.\nhint: %s"
	ofGlued  = "it holds, and %q stands behind %q with nothing between: what was written before was not taken back.\nhint: say how the whole text begins or what it is, such as startswith(…) or =="
	ofZero   = "it holds because %q stands in %q, which says that there are none.\nhint: look for the number as well, such as %[3]q"
)

// word says of a text that was found that it is a part of a longer word, or that it is said of nothing.
func (l *look) word(name, text, what string) string {
	if what == "" {
		return ""
	}
	if name == "strcontains" || name == "regexmatch" {
		if zero := l.saidOfNone(text, what); zero != "" {
			some := "1 " + what
			if strings.Contains(zero, "0") && !strings.HasPrefix(zero, "0") {
				some = strings.Replace(zero, "0", "1", 1)
			}
			return fmt.Sprintf(ofZero, what, zero, some)
		}
	} else if !strings.Contains(what, " ") {
		return "" // a beginning or an end is meant
	}
	longer, hint := "", ""
	for at := range occurrences(text, what) {
		end := at + len(what)
		if name == "startswith" && at > 0 || name == "endswith" && end < len(text) {
			continue
		}
		if isGlued(text, what, at) {
			return fmt.Sprintf(ofGlued, what, text[wordBegin(text, at):at])
		}
		if !goesOn(text, what, at) && !(l.isName(what) && isInWord(text, at, end)) {
			return ""
		}
		if longer == "" {
			longer, hint = text[wordBegin(text, at):wordEnd(text, end)], "word(…) finds whole words alone"
			if isOtherModel(text, what, at) {
				hint = fmt.Sprintf("compare the whole name, such as …request.json.model == %q", what)
			} else if end < len(text) && text[end] == '.' || at > 0 && text[at-1] == '.' {
				hint = "look for what has to stand around it as well"
			}
		}
	}
	if longer == "" || strings.Contains(longer, "127.0.0.1") { // the address of a listener is told of elsewhere
		return ""
	}
	return fmt.Sprintf(ofLonger, what, longer, hint)
}

// occurrences are where a text stands in another one.
func occurrences(text, what string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for at := 0; ; at += len(what) {
			i := strings.Index(text[at:], what)
			if at += i; i < 0 || !yield(at) {
				return
			}
		}
	}
}

// goesOn reports whether a number, the name of a model or that of a table goes on before or behind
// what was found.
func goesOn(text, what string, at int) bool {
	end := at + len(what)
	if isDigit(what, 0) && !isEscape(text, at) && (isDigit(text, at-1) || isFraction(text, what, at)) {
		return true
	}
	if isDigit(what, len(what)-1) && !isCode(what) && (isDigit(text, end) || hasFraction(text, end)) {
		return true
	}
	return isOtherModel(text, what, at) || end < len(text) && isIdentifier(text[end]) && table().MatchString(what)
}

// table is the end of a statement that names a table.
var table = pattern.New("(?i)\\b(from|into|update|join|table)\\s+[\"`]?[a-z_][a-z0-9_.]*$")

// isFraction reports whether the number that is sought is what stands behind the point of another one.
func isFraction(text, what string, at int) bool {
	if at < 2 || text[at-1] != '.' || !isDigit(text, at-2) {
		return false
	}
	i, k := at-2, 0
	for isDigit(text, i) {
		i--
	}
	for isDigit(what, k) {
		k++
	}
	return isAlone(text, i) && !(k < len(what)-1 && what[k] == '.' && isDigit(what, k+1))
}

// hasFraction reports whether a number that ends at a place goes on with a point and digits that are
// not all 0, and is no version or address.
func hasFraction(text string, end int) bool {
	if end >= len(text) || text[end] != '.' || !isDigit(text, end+1) {
		return false
	}
	i, k := end-1, end+1
	for isDigit(text, i) {
		i--
	}
	for isDigit(text, k) {
		k++
	}
	return isAlone(text, i) && !(k < len(text) && (text[k] == '.' && isDigit(text, k+1) || unicode.IsLetter(rune(text[k])))) && strings.Trim(text[end+1:k], "0") != ""
}

// isAlone reports whether nothing stands at a place before a number that makes it a part of a name.
func isAlone(text string, at int) bool {
	return at < 0 || strings.IndexByte(" \t\n\"'=:($", text[at]) >= 0
}

// isCode reports whether a text is the beginning of a number of a telephone, which is meant as one.
func isCode(what string) bool { return what[0] == '+' && len(what) <= 4 }

// model is what stands before the name of a model in a request.
var model = pattern.New(`"model"\s*:\s*"$`)

// isOtherModel reports whether what is sought is the beginning of the name of another model in a
// request. A date and "latest" name a version of the same.
func isOtherModel(text, what string, at int) bool {
	end := at + len(what)
	if end+1 >= len(text) || !model().MatchString(text[max(0, at-20):at]) || strings.ContainsAny(what, " \"") {
		return false
	}
	switch c := text[end]; {
	case strings.HasPrefix(text[end+1:], "latest"):
		return false
	case c == '.':
		return isDigit(text, end+1)
	default:
		return c != '"' && !isDigit(text, end+1)
	}
}

// isGlued reports whether a text of several words begins right behind a word, as it does where a
// program wrote a piece of it before. The name of an exception goes on in that way.
func isGlued(text, what string, at int) bool {
	first, _ := utf8.DecodeRuneInString(what)
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	words := strings.Fields(what)
	if len(words) < 3 || !unicode.IsUpper(first) || !isWord(before) || isEscape(text, at) {
		return false
	}
	return !strings.HasSuffix(words[0], ":") && !slices.ContainsFunc([]string{"Error", "Exception", "Warning"}, func(s string) bool { return strings.Contains(words[0], s) })
}

// isName reports whether a text is a name: one word with a capital letter that stands by itself in
// what a service answered.
func (l *look) isName(what string) bool {
	first, n := utf8.DecodeRuneInString(what)
	if !unicode.IsUpper(first) || len(what) == n || strings.ContainsFunc(what[n:], func(c rune) bool { return !unicode.IsLower(c) }) {
		return false
	}
	return slices.ContainsFunc(l.Told(), func(text string) bool {
		for at := range occurrences(text, what) {
			if !isInWord(text, at, at+len(what)) {
				return true
			}
		}
		return false
	})
}

// isInWord reports whether a letter or a digit stands right before or behind a part of a text.
func isInWord(text string, at, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return isWord(after) || isWord(before) && !isEscape(text, at)
}

// isEscape reports whether an escape of JSON ends at a place, such as \n.
func isEscape(text string, at int) bool {
	return at >= 2 && text[at-2] == '\\' || at >= 6 && text[at-6] == '\\' && text[at-5] == 'u'
}

// ofNone stands before what there is none of, isNone behind it; failing is what a program tells of.
// Of any other word, label, which may be no count, the number 0 alone says so, as a program counts.
var (
	ofNone    = pattern.New(`(?i)(?:^|[^\w.,])(?:0|no|zero|without(?: any)?)\s+$`)
	isNone    = pattern.New(`(?i)^\w*["']?\s*[:=]+\s*(?:0(?:[^\d.,]|[.,]?$|[.,]\D)|null\b|none\b|\[\])`)
	failing   = pattern.New(`(?i)^(fail|error|reject|invalid|skip|warning|lost|dropp|missing)[a-z]*$`)
	label     = pattern.New(`^\pL[\pL_-]*\pL{2}( \pL+)?$`)
	counted   = pattern.New(`(?:^|[\n,;(|]\s*|\band\s+)0\s+$`)
	isCounted = pattern.New(`^["']?\s*[:=]\s*["']?0(?:[\s;)}\]|"']|,(?:\D|$)|[.]?$|[.]\s)`)
)

// saidOfNone is what says of something that is sought that there is none: the first of several, if all
// do. "" where one says that there is some. In a request, a member that is 0 is there all the same: only
// what failed is counted there.
func (l *look) saidOfNone(text, what string) (said string) {
	word, before, after := strings.Trim(what, "\"':= "), ofNone, isNone
	if !failing().MatchString(word) {
		if before, after = counted, isCounted; !label().MatchString(word) || l.requests {
			return ""
		}
	}
	for at := range occurrences(text, what) {
		at += strings.Index(what, word)
		end := at + len(word)
		from := max(0, at-16)
		zero := before().FindString(text[from:at])
		behind := after().FindString(text[end:min(len(text), end+40)])
		if zero == "" && behind == "" {
			return ""
		}
		if said == "" {
			said = strings.TrimPrefix(strings.TrimSpace(strings.TrimLeft(zero, "([{,;|\"\n ")+text[at:wordEnd(text, end)]), "and ")
			if zero == "" {
				said = word + strings.TrimRight(behind, "\n,;}|) ")
			}
		}
	}
	return said
}

func isWord(c rune) bool { return c != utf8.RuneError && (unicode.IsLetter(c) || unicode.IsDigit(c)) }

func isDigit(text string, at int) bool {
	return 0 <= at && at < len(text) && '0' <= text[at] && text[at] <= '9'
}

// isIdentifier reports whether a sign goes on with a name.
func isIdentifier(c byte) bool {
	return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
}

// wordBegin is where the word begins that has a place, which may be the beginning of what was found.
func wordBegin(text string, at int) int {
	if isEscape(text, at) {
		return at
	}
	for at > 0 && isPart(text[at-1]) {
		at--
	}
	return at
}

// wordEnd is where the word ends that has a place.
func wordEnd(text string, at int) int {
	for at < len(text) && isPart(text[at]) {
		at++
	}
	for at > 0 && strings.IndexByte(".-", text[at-1]) >= 0 {
		at--
	}
	return at
}

// isPart reports whether a byte is one of a word or a number.
func isPart(c byte) bool { return isIdentifier(c) || c == '.' || c == '-' || c >= utf8.RuneSelf }
