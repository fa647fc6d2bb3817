// Package circumstance tells what a scenario that passes owes to something that it does not say: to the time
// zone of the machine, to services that answer faster than a limit, or to requests and inputs among which none
// puts the program to the test.
package circumstance

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// IsUTC reports whether local time and UTC are the same in a zone, in summer and in winter.
func IsUTC(zone *time.Location, now time.Time) bool {
	for _, at := range []time.Time{now, now.AddDate(0, 6, 0)} {
		if _, offset := at.In(zone).Zone(); offset != 0 {
			return false
		}
	}
	return true
}

// clocksMost bounds the times of day that are looked for.
const clocksMost = 32

// clock is a time of day, with its seconds where it has some.
var clock = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^\d:.])((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)`)
})

// Clocks are the times of day in the texts that conditions have.
func Clocks(conditions []hclsyntax.Expression) (list []string) {
	for _, e := range conditions {
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			v, written := dsl.Literal(e)
			if !written || v.IsNull() || v.Type() != cty.String {
				return
			}
			for _, found := range clock().FindAllStringSubmatch(v.AsString(), -1) {
				if len(list) < clocksMost && !slices.Contains(list, found[1]) {
					list = append(list, found[1])
				}
			}
		})
	}
	return list
}

// AsUTC is the first of some times of day that a text has as one of UTC, with what says so: 10:00:00Z. "" for
// none. One that was given is no time that the program has worked out.
func AsUTC(clocks []string, text, given string) string {
	for _, c := range clocks {
		if !strings.Contains(text, c) || strings.Contains(given, c) {
			continue
		}
		found := regexp.MustCompile(`(?:^|[^\d:.])(` + c + `(?::[0-5]\d)?(?:[.,]\d+)? ?(?:Z|UTC|GMT|\+00:?00))(?:\W|$)`).FindStringSubmatch(text)
		if found != nil {
			return found[1]
		}
	}
	return ""
}
