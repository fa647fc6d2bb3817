package inner

import (
	"fmt"
	"strings"
	"time"
)

// FixedZones are the zones of a name of which the offset changes in a year: those that
// stay as in winter, and as in summer.
func FixedZones(name string) []string {
	area, city, is := strings.Cut(name, "/")
	if !is || len(name) > 40 || area == "Etc" || city == "" || area == "" || area[0] < 'A' || area[0] > 'Z' || city[0] < 'A' || city[0] > 'Z' || strings.ContainsAny(name, " .:") {
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	var all []string
	for _, month := range []time.Month{time.January, time.July} {
		_, offset := time.Date(2024, month, 15, 12, 0, 0, 0, zone).Zone()
		if offset%3600 != 0 {
			return nil
		}
		// the sign of these names is the other one
		all = append(all, fmt.Sprintf("Etc/GMT%+d", -offset/3600))
	}
	if all[0] == all[1] {
		return nil
	}
	return all
}
