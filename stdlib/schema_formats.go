package stdlib

import (
	"fmt"
	"strings"
)

// formatRules are the formats of JSON Schema (2020-12, validation section 7.3) that are checked,
// one a line: its name, and a pattern in which a word in angle brackets stands for the pattern of
// that name, which is above it. They are text, which takes less room than a table.
const formatRules = `
d2 (?:[01]\d|2[0-3])
octet (?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)
hex [\da-f]{1,4}
label [\da-z](?:[\da-z-]{0,61}[\da-z])?
word [\w!#$%&'*+/=?^{|}~\x60-]+
reg (?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})
part (?:<reg>|[:@])
clock T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)
date (?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)
time (?:<d2>:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:Z|[+-]<d2>:[0-5]\d)
date-time <date>T<time>
duration P(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:<clock>)?|<clock>)
hostname <label>(?:\.<label>)*
email (?:<word>(?:\.<word>)*|"(?:[^"\\]|\\.)*")@(?:<hostname>|\[[\da-f.:]+\])
ipv4 <octet>(?:\.<octet>){3}
last (?:<hex>:<hex>|<ipv4>)
ipv6 (?:(?:<hex>:){6}<last>|::(?:<hex>:){5}<last>|(?:<hex>)?::(?:<hex>:){4}<last>|(?:(?:<hex>:){0,1}<hex>)?::(?:<hex>:){3}<last>|(?:(?:<hex>:){0,2}<hex>)?::(?:<hex>:){2}<last>|(?:(?:<hex>:){0,3}<hex>)?::<hex>:<last>|(?:(?:<hex>:){0,4}<hex>)?::<last>|(?:(?:<hex>:){0,5}<hex>)?::<hex>|(?:(?:<hex>:){0,6}<hex>)?::)
uri [a-z][\da-z+.-]*:(?://(?:(?:<reg>|:)*@)?(?:<reg>*|\[[\da-f:.]+\])(?::\d*)?(?:/<part>*)*|/?(?:<part>+(?:/<part>*)*)?)(?:\?(?:<part>|[/?])*)?(?:#(?:<part>|[/?])*)?
uuid [\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}
`

// checkedFormats are the formats that are checked.
const (
	checkedFormats = "date, time, date-time, duration, email, hostname, ipv4, ipv6, uri, uuid"
	longestName    = 253 // characters of a hostname
)

// patternOf is what a value of a format matches, "" where the format is none that is checked.
func patternOf(format string) string {
	rules := strings.Fields(formatRules)
	for i := 0; i < len(rules); i += 2 {
		if rules[i] == format && strings.Contains(" "+checkedFormats+",", " "+format+",") {
			return "(?i)^(?:" + rules[i+1] + ")$"
		}
		for j := i + 3; j < len(rules); j += 2 {
			rules[j] = strings.ReplaceAll(rules[j], "<"+rules[i]+">", "(?:"+rules[i+1]+")")
		}
	}
	return ""
}

// checkFormat has a schema ask for the pattern of its format, which validation would pass over.
func checkFormat(s map[string]any) error {
	format, is := s["format"].(string)
	if !is {
		return nil
	}
	pattern := patternOf(format)
	if pattern == "" {
		return fmt.Errorf("format = %q is none that is checked, and would be passed over.%s Checked are %s: write a pattern for another", format, nearestWord(format, strings.ReplaceAll(checkedFormats, ",", "")), checkedFormats)
	}
	if s["pattern"] == nil {
		s["pattern"] = pattern
	} else {
		all, _ := s["allOf"].([]any)
		s["allOf"] = append(all, map[string]any{"pattern": pattern})
	}
	if n, is := s["maxLength"].(float64); format == "hostname" && (!is || n > longestName) {
		s["maxLength"] = longestName
	}
	return nil
}

// withFormat is what contradicts a schema, with the format in the place of its pattern.
func withFormat(text string) string {
	for _, format := range strings.Split(checkedFormats, ", ") {
		if before, after, is := strings.Cut(text, fmt.Sprintf(" does not match regular expression %q", patternOf(format))); is {
			return strings.Replace(before, "pattern: ", "format: ", 1) + " is no " + format + after
		}
	}
	return text
}
