package schema

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// MaxDuration is the longest time that may be written: 100 years of virtual
// time.
const MaxDuration = 100 * 365 * 24 * time.Hour

// ParseDuration reads "5s", "250ms", "1h30m", "2d" or "1d12h"; a day has 24
// hours. ok is false for anything else and for more than [MaxDuration].
func ParseDuration(text string) (d time.Duration, ok bool) {
	if text == "" {
		return 0, false
	}
	rest, days := text, 0.0
	if i := strings.IndexByte(text, 'd'); i >= 0 {
		n, err := strconv.ParseFloat(text[:i], 64)
		if err != nil {
			return 0, false
		}
		rest, days = text[i+1:], n
	}
	if rest != "" {
		var err error
		if d, err = time.ParseDuration(rest); err != nil {
			return 0, false
		}
	}
	total := days*24*float64(time.Hour) + float64(d)
	if !(math.Abs(total) <= float64(MaxDuration)) { // also not a number
		return 0, false
	}
	if days != 0 {
		d = time.Duration(total)
	}
	return d, true
}
