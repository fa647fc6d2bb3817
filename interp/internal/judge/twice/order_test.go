package twice

import (
	"strings"
	"testing"
)

// Shows which lists are told of as ones whose order says what the program is to find out.
func TestOrdered(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []string // of the lists of two answers, apart by "|"
		want   string
	}{
		{"the newest rate counts", []string{"2025-03-02", "2025-02-28", "2025-03-01"}, "the greatest comes first"},
		{"the newest rate counts", []string{"2025-02-28", "2025-03-01", "2025-03-02"}, "the greatest comes last"},
		{"the newest rate counts", []string{"2025-02-28", "2025-03-02", "2025-03-01"}, ""},
		{"the newest rate counts", []string{"2025-03-02", "2025-02-28", "|", "2025-03-01", "2025-02-28"}, "the greatest comes first"},
		{"the newest rate counts", []string{"2025-03-02", "2025-02-28", "|", "2025-02-27", "2025-02-28"}, ""},
		{"the newest rate counts", []string{"2025-03-02"}, ""},
		{"the newest rate counts", []string{"5", "1"}, ""},
		{"the rate counts", []string{"2025-03-02", "2025-02-28"}, ""},
		{"the latest of two zones", []string{"2025-03-02T01:00:00+02:00", "2025-03-01T23:30:00Z"}, "the greatest comes last"},
		{"the latest version", []string{"1.10.0", "1.9.0"}, "the greatest comes first"},
		{"the latest version", []string{"1.9.0", "1.10.0"}, "the greatest comes last"},
		{"the latest version", []string{"v1.9", "v1.10", "v1.2"}, ""},
		{"the oldest goes", []string{"2025-02-28", "2025-03-01"}, "the least comes first"},
		{"the cheapest offer wins", []string{"9", "10", "11"}, "the least comes first"},
		{"the cheapest offer wins", []string{"10", "9", "11"}, ""},
		{"the most expensive offer wins", []string{"9", "10", "11"}, "the greatest comes last"},
		{"jobs run by priority", []string{"1", "1", "5"}, "ascending order"},
		{"jobs run by priority", []string{"5", "1", "1"}, "descending order"},
		{"jobs run by priority", []string{"1", "5", "1"}, ""},
		{"jobs run by priority", []string{"1", "1"}, ""},
		{"jobs run by priority", []string{"b", "c"}, ""},
		{"jobs in the order of their times", []string{"2025-03-01", "2025-03-02"}, "ascending order"},
		{"each tier has its price", []string{"1000", "2000", "3000"}, "equally far apart: what has steps of 1000"},
		{"each tier has its price", []string{"1000", "2000", "|", "1000", "2500"}, ""},
		{"each tier has its price", []string{"1000", "3000"}, ""},
		{"each tier has its price", []string{"5", "4"}, ""},
		{"each tier has its price", []string{"1", "2"}, ""},
		{"each tier has its price", []string{"a", "b"}, ""},
		{"each part has its price", []string{"1000", "2000"}, ""},
		{"prices", []string{"pen", "ink", "cup"}, "in the order of skus[] in the request of a"},
		{"prices", []string{"pen", "ink", "cup", "lid"}, "in the order of skus[] in the request of a"},
		{"prices", []string{"pen", "cup"}, ""},
		{"prices", []string{"pen", "ink", "lid"}, ""},
		{"prices", []string{"ink", "pen", "cup"}, ""},
		{"prices", []string{"a7", "b8"}, "in the order of items[].sku in the inputs"},
		{"prices", []string{"later", "than"}, ""},                 // it is sent on, and was not asked for
		{"prices", []string{"ten", "two", "|", "ten", "two"}, ""}, // the first came out of nowhere
		{"prices", []string{"3", "7"}, ""},                        // small numbers
	} {
		r := &record{
			sent:  []sent{{step: "a", name: "skus[]", value: "pen"}, {step: "a", name: "skus[]", value: "ink"}, {step: "a", name: "skus[]", value: "cup"}, {step: "b", name: "skus[]", value: "later", after: 9}, {step: "b", name: "skus[]", value: "than", after: 9}, {step: "c", name: "n[]", value: "3"}, {step: "c", name: "n[]", value: "7"}},
			given: []given{{"sku", "items[].sku", "a7", "the inputs", 0, false}, {"sku", "items[].sku", "b8", "the inputs", 0, false}},
		}
		answer := 1
		for _, v := range c.values {
			if v == "|" {
				answer++
				continue
			}
			r.given = append(r.given, given{"at", "rates[].at", v, "the answer of a", answer, false})
		}
		list := r.ordered([]string{c.name}, 8)
		switch {
		case c.want == "" && len(list) > 0:
			t.Errorf("%s: %q: %v", c.name, c.values, list)
		case c.want != "" && (len(list) != 1 || !strings.Contains(list[0].Name, c.want) || list[0].Of != "the answer of a"):
			t.Errorf("%s: %q: %v, not %s", c.name, c.values, list, c.want)
		}
	}
}

// Shows that few paths are told of, and none where there is no room.
func TestOrderedAreFew(t *testing.T) {
	r := &record{}
	for _, path := range []string{"a[].x", "a[].y", "a[].z"} {
		for _, v := range []string{"1", "2"} {
			r.given = append(r.given, given{"x", path, v, "the answer of a", 1, false})
		}
	}
	names := []string{"sorted"}
	if n := len(r.ordered(names, 8)); n != mostAims {
		t.Errorf("%d are told of", n)
	}
	if n := len(r.ordered(names, -1)); n != 0 {
		t.Errorf("%d are told of where there is no room", n)
	}
	if n := len(r.ordered(names, 1)); n != 1 {
		t.Errorf("%d are told of where there is room for one", n)
	}
}
