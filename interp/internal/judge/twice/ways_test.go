package twice

import (
	"fmt"
	"testing"
)

// Shows what a number is seen to be computed of.
func TestComputed(t *testing.T) {
	of := func(pairs ...string) (all []given) {
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, newGiven(pairs[i], pairs[i+1]))
		}
		return all
	}
	for _, c := range []struct {
		value string
		all   []given
		want  string
	}{
		{"4497", of("price", "1499", "n", "3"), "the product of price of it and n of it"},
		{"44.97", of("price", "14.99", "n", "3"), "the product of price of it and n of it"},
		{"1698", of("net", "1499", "tax", "199"), "the sum of net of it and tax of it"},
		{"4497", of("a[].price", "1499", "a[].price", "2998"), "the sum of a[].price of it"},
		{"4497", of("a[].n", "1", "a[].price", "1499", "a[].n", "2", "a[].price", "1499"), "the sum of a[].n times price of it"},
		{"4497", of("a[].n", "1", "b[].price", "1499", "a[].n", "2", "b[].price", "1499"), ""},
		{"4497", of("price", "4497", "n", "1"), ""}, // one is no factor
		{"4497", of("price", "1499", "n", "4"), ""},
		{"4497", of("price", "-1499", "n", "-3"), ""},
		{"12", of("price", "4", "n", "3"), ""}, // too short to be no chance
		{"1200", of("price", "400", "n", "3"), ""},
		{"x-4497", of("price", "1499", "n", "3"), ""},
	} {
		if got := computed(c.all, c.value); got != c.want {
			t.Errorf("%s of %v: %q, want %q", c.value, c.all, got, c.want)
		}
	}
}

func newGiven(path, value string) given { return given{lastOf(path), path, value, "it", 1, false} }

// Shows which values are told of as ones that are the same in two readings: where all of their form are, and a check
// is about them.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		values []string
		text   string
		told   bool
	}{
		{[]string{"1730000000000000000"}, "== 1730000000000000000", true},
		{[]string{"1730000000000000001"}, "== 1730000000000000001", false},
		{[]string{"1730000000000000000", "1730000000000000001"}, "== 1730000000000000000", false},
		{[]string{"1730000000000000000"}, "== 7", false},
		{[]string{"9007199254740992"}, "9007199254740992", false}, // 2^53
		{[]string{"9007199254740994"}, "9007199254740994", true},
		{[]string{"11/11/2026", "12/12/2026"}, "2026-11-11", true},
		{[]string{"11/12/2026"}, "2026-12-11", false},
		{[]string{"01.1.2026"}, "2026-01-01", true},
		{[]string{"12.34", "7.55"}, "1234", true},
		{[]string{"19.99"}, "1999", false}, // 19.99 * 100 is 1998.9999999999998
		{[]string{"12.34", "19.99"}, "1234", false},
		{[]string{"2023-03-15", "2023-07-05"}, `== "2023-W11"`, true}, // strftime: %V, %U and %W are 11, and 27
		{[]string{"2023-03-12"}, `== "2023-W10"`, false},              // a Sunday: %U is 11
		{[]string{"2021-01-04"}, `== "2021-W01"`, true},
		{[]string{"2020-01-06"}, `== "2020-W02"`, false}, // %U and %W are 1
		{[]string{"2021-01-01"}, `== "2020-W53"`, false},
		{[]string{"2023-03-15"}, `== "2023-03-15"`, false},
	} {
		r := &record{}
		for _, v := range c.values {
			r.given = append(r.given, newGiven("a", v))
		}
		list := r.alike(&set{text: c.text}, 8)
		if (len(list) > 0) != c.told || len(list) > 1 {
			t.Errorf("%q, checked by %s: %v", c.values, c.text, fmt.Sprint(list))
		}
	}
}

// Shows that a number which is written with a fraction of zeros is told of where a check is about the whole one.
func TestWholes(t *testing.T) {
	for _, c := range []struct {
		value, text string
		told        bool
	}{
		{"4497.0", "== 4497", true},
		{"-12.00", "== -12", true},
		{"4497", "== 4497", false},
		{"4497.5", "== 4497", false},
		{"4497.0", "== 12", false},
		{"v4497.0", "== 4497", false},
		{"10.0.0", "== 10", false},
	} {
		for _, r := range []*record{{sent: []sent{{step: "a", name: "n", value: c.value}}}, {made: []sent{{step: "a", name: "n", value: c.value}}}} {
			if list := r.wholes(&set{text: c.text}, 8); len(list) > 0 != c.told {
				t.Errorf("%s, checked by %s: %v", c.value, c.text, list)
			}
		}
	}
	if list := (&record{sent: []sent{{step: "a", name: "version", value: "2.0", text: quoted(`{"version":"2.0"}`, "2.0")}}}).wholes(&set{text: "== 2"}, 8); len(list) > 0 {
		t.Errorf("a text: %v", list)
	}
}
