package spelling

import (
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/schema"
)

var looseDuration = pattern.New(`^\s*([0-9]+(?:[.,][0-9]+)?)\s*([A-Za-zµ]*)\.?\s*$`)

// longestInSeconds is how large a number without a unit may be to be taken for seconds:
// tools that take milliseconds are given 1000 and more.
const longestInSeconds = 999

// Duration is what a text probably means that is nearly a duration, "" for
// none: a number alone is taken for seconds, and a large one for milliseconds.
func Duration(text string) string {
	if iso, ok := strings.CutPrefix(strings.ToLower(text), "pt"); ok {
		if _, ok := schema.ParseDuration(iso); ok {
			return iso // as ISO 8601 has it
		}
	}
	m := looseDuration().FindStringSubmatch(text)
	if last := text[max(0, len(text)-1):]; m == nil && last >= "0" && last <= "9" {
		for _, unit := range []string{"s", "ms"} {
			if _, ok := schema.ParseDuration(text + unit); ok {
				return text + unit
			}
		}
	}
	if m == nil {
		return ""
	}
	unit := ""
	for _, u := range []struct{ unit, words string }{
		{"ms", " ms msec msecs millis millisecond milliseconds "},
		{"s", "  s sec secs second seconds "},
		{"m", " m min mins minute minutes "},
		{"h", " h hr hrs hour hours "},
		{"d", " d day days "},
	} {
		if strings.Contains(u.words, " "+strings.ToLower(m[2])+" ") {
			unit = u.unit
			break
		}
	}
	if n, err := strconv.ParseFloat(m[1], 64); err == nil && m[2] == "" && n > longestInSeconds {
		unit = "ms"
	}
	meant := strings.ReplaceAll(m[1], ",", ".") + unit
	if _, ok := schema.ParseDuration(meant); !ok || unit == "" {
		return ""
	}
	return meant
}
