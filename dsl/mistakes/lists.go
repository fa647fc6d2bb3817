package mistakes

import (
	"fmt"

	"github.com/scenario-lang/scenario/internal/pattern"
)

var (
	// lastValue is the value of an attribute, which ends before a comma.
	lastValue = pattern.New(`([A-Za-z_][\w-]*)\s*=\s*("[^"]*"|[A-Za-z_][\w.]*|[0-9]+)\s*$`)
	// moreValues follow the comma, and none of them is an attribute.
	moreValues = pattern.New(`^,\s*((?:"[^"]*"|[A-Za-z_][\w.]*|[0-9]+)(?:\s*,\s*(?:"[^"]*"|[A-Za-z_][\w.]*|[0-9]+))*)\s*,?\s*\}?\s*$`)
	fraction   = pattern.New(`^[0-9]+$`)
)

// listed explains values that are separated by commas: a number with a decimal comma, or a list
// without its brackets; "" for anything else.
func listed(e syntaxError) string {
	first, more := lastValue().FindStringSubmatch(e.before), moreValues().FindStringSubmatch(e.after)
	if first == nil || more == nil {
		return ""
	}
	if fraction().MatchString(first[2]) && fraction().MatchString(more[1]) {
		return fmt.Sprintf("A number has a decimal point, and no comma: write %s.%s.", first[2], more[1])
	}
	if simpleName().MatchString(first[2]) {
		return ""
	}
	return fmt.Sprintf("A list stands in brackets: `%s = [%s, %s]`.", first[1], first[2], more[1])
}
