package mistakes

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// scheme is what an address without quotes begins with.
var scheme = pattern.New(`([A-Za-z_]\w*)\s*=\s*([a-z]+)$`)

// asked is a question without quotes. No value is one name alone, so it is no condition.
var asked = pattern.New(`(?:^|\{)\s*[A-Za-z_][\w-]*\s*=\s*([A-Za-z_]\w*\?)$`)

// noLetter is what is said of the strings of other languages that begin with a letter.
const noLetter = "A string has no letter in front of its quotes. One with values in it is written like any other: \"${…}\"."

// lettered reports whether a quote follows a letter that other languages put in front of some
// strings.
func lettered(e syntaxError) bool {
	return stringPrefix().MatchString(e.before) && strings.HasPrefix(e.after, `"`)
}
