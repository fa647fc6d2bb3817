package texts

import (
	"regexp"
	"slices"
	"strings"
)

// Numbers are those of telephones, cards and accounts, which people write with spaces, hyphens,
// dots and brackets between their digits, or without.
const Numbers Writing = "a number"

// fewest is how many digits such a number has at least: fewer are amounts, years and codes.
const fewest = 7

// between digits of one number there may stand.
const separators = `[ \x{a0}\x{202f}\-./()]{1,3}`

var (
	number = pattern(`^\+?[(]?[0-9](?:[ \x{a0}\x{202f}\-./()]{0,3}[0-9])*$`)
	date   = pattern(`^(19|20)[0-9]{2}([ \-./]?)[01][0-9][ \-./]?[0-3][0-9]|^[0-3]?[0-9][-./][01]?[0-9][-./](19|20)[0-9]{2}$`)
	// grouped is a number that is written in groups: an international one of a telephone (ITU-T
	// E.123), or one of a card.
	grouped = pattern(`\+[0-9]{1,3}(?:` + separators + `[0-9]{2,}){2,}|\b[0-9]{4}([ -])[0-9]{4}[ -][0-9]{4}[ -][0-9]{1,4}\b`)
)

// digits are those of a text that is nothing but a number of a telephone, a card or an account, ""
// for any other. A date is none.
func digits(text string) string {
	if !number().MatchString(text) || date().MatchString(text) {
		return ""
	}
	only := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
	if len(only) < fewest {
		return ""
	}
	return only
}

// spelled is a text with a number that is sought as that is written there, nil where the text has
// it in no other way.
func spelled(text, sought string) []string {
	only := digits(sought)
	if only == "" {
		return nil
	}
	re, err := regexp.Compile(`\+?[(]?` + strings.Join(strings.Split(only, ""), `(?:`+separators+`)?`))
	if err != nil {
		return nil
	}
	for _, at := range re.FindAllStringIndex(text, -1) {
		if !isDigit(text, at[0]-1) && !isDigit(text, at[1]) {
			return []string{text[:at[0]] + sought + text[at[1]:]}
		}
	}
	return nil
}

// joined is a text without what stands between the digits of its numbers, nil where it has none in
// groups.
func joined(text string) []string {
	plain := grouped().ReplaceAllStringFunc(text, func(s string) string {
		return strings.Map(func(r rune) rune {
			if r == '+' || '0' <= r && r <= '9' {
				return r
			}
			return -1
		}, s)
	})
	if plain == text {
		return nil
	}
	return []string{plain}
}

func isDigit(text string, at int) bool {
	return 0 <= at && at < len(text) && '0' <= text[at] && text[at] <= '9'
}

// spellings reports whether some texts have one number in two ways, so that how it is written is
// what they ask.
func spellings(all []string) bool {
	as := map[string]string{}
	return slices.ContainsFunc(all, func(s string) bool {
		only := digits(s)
		if only == "" {
			return false
		}
		before, known := as[only]
		as[only] = s
		return known && before != s
	})
}
