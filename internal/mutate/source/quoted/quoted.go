// Package quoted knows how a text is written between its quotes.
package quoted

import (
	"slices"
	"strings"
)

// Of are the prefix and the quotes of a text.
func Of(s string) (prefix, quote string) {
	at := strings.IndexAny(s, "\"'`")
	if at < 0 {
		return s, ""
	}
	quote = s[at : at+1]
	if quote != "`" && len(s) >= at+6 && strings.HasPrefix(s[at:], quote+quote+quote) {
		quote += quote + quote
	}
	return s[:at], quote
}

// Written tells how a text is written between quotes.
func Written(quote string, raw, format bool) func(string) (string, bool) {
	return func(s string) (string, bool) {
		if raw {
			return s, !strings.Contains(s, quote) && (len(quote) == 3 || quote == "`" || !strings.Contains(s, "\n"))
		}
		s = strings.ReplaceAll(s, `\`, `\\`)
		if len(quote) == 1 {
			s = strings.ReplaceAll(s, quote, `\`+quote)
			if quote != "`" {
				s = strings.ReplaceAll(s, "\n", `\n`)
			}
		} else if strings.Contains(s, quote[:1]) {
			s = strings.ReplaceAll(s, quote[:1], `\`+quote[:1])
		}
		if quote == "`" && strings.Contains(s, "${") || quote == `"` && strings.Contains(s, "#{") {
			return "", false
		}
		if format {
			s = strings.NewReplacer("{", "{{", "}", "}}").Replace(s)
		}
		return s, true
	}
}

// Expanded tells how a text is written in which the shell puts in values.
func Expanded(quote string) func(string) (string, bool) {
	return func(s string) (string, bool) {
		s = strings.NewReplacer(`\`, `\\`, `$`, `\$`, "`", "\\`").Replace(s)
		if quote != "" {
			s = strings.ReplaceAll(s, quote, `\`+quote)
		}
		return s, true
	}
}

// Places are the places of a statement at which a value is put in, outside of its own
// texts.
func Places(s string) [][2]int {
	var all [][2]int
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '?':
			all = append(all, [2]int{i, i + 1})
		case c == '%' && i+1 < len(s) && s[i+1] == 's':
			all = append(all, [2]int{i, i + 2})
		case c == '$' && i+1 < len(s) && digit(s[i+1]):
			if int(s[i+1]-'0') != len(all)+1 || i+2 < len(s) && digit(s[i+2]) {
				return nil
			}
			all = append(all, [2]int{i, i + 2})
		}
	}
	return slices.Clip(all)
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
