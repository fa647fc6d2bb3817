package schema

import (
	"strconv"
	"strings"
)

// DefaultValue is what an attribute holds that nobody gives: a string, int,
// float64, bool, [time.Duration] or []string, and nil where there is none.
func (a *Attr) DefaultValue() any {
	if a.Default == "" || a.Default == "null" {
		return nil
	}
	text := strings.Trim(a.Default, `"`)
	switch a.Type {
	case Duration:
		d, _ := ParseDuration(text)
		return d
	case Int:
		n, _ := strconv.Atoi(text)
		return n
	case Number:
		f, _ := strconv.ParseFloat(text, 64)
		return f
	case Bool:
		return text == "true"
	case String:
		return text
	case Strings:
		out := []string{}
		for _, part := range strings.Split(strings.Trim(a.Default, "[]"), ",") {
			if part = strings.Trim(strings.TrimSpace(part), `"`); part != "" {
				out = append(out, part)
			}
		}
		return out
	case Any:
		if f, err := strconv.ParseFloat(a.Default, 64); err == nil {
			return f
		}
		return text
	}
	return nil
}
