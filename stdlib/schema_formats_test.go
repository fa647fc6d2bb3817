package stdlib

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zclconf/go-cty/cty"
)

func contradicts(t *testing.T, value string, schema map[string]cty.Value) string {
	t.Helper()
	v, err := schemaError([]cty.Value{cty.StringVal(value), cty.ObjectVal(schema)})
	if err != nil {
		t.Fatalf("%q: %v", value, err)
	}
	if v.IsNull() {
		return ""
	}
	return v.AsString()
}

// Shows which texts are of a format, and that the contradiction names it.
func TestFormats(t *testing.T) {
	for format, texts := range map[string]struct{ is, isNot []string }{
		"date":      {[]string{"1990-05-31", "2024-02-29", "2000-02-29"}, []string{"", "31.05.1990", "1990-31-05", "2023-02-29", "1900-02-29", "1990-04-31", "1990-5-31", "1990-05-31T00:00:00Z", "ann@shop.example"}},
		"time":      {[]string{"08:30:00Z", "08:30:00.25+02:00", "23:59:60Z"}, []string{"", "08:30", "08:30:00", "24:00:00Z", "12:00:60Z", "08:30:00+2"}},
		"date-time": {[]string{"1990-05-31T08:30:00Z", "1990-05-31t08:30:00.5-07:00"}, []string{"", "1990-05-31", "1990-05-31 08:30:00Z", "1990-05-31T08:30:00", "1990-02-30T08:30:00Z"}},
		"duration":  {[]string{"P1D", "PT1H30M", "P1Y2M3DT4H", "P2W", "PT20S"}, []string{"", "P", "PT", "1h", "P1DT", "P2W1D", "PT1H5S", "P1D2H"}},
		"email":     {[]string{"ann@shop.example", "a.b+c@x-y.co", "Ann@SHOP.example", `"a b"@x.co`, "a@[127.0.0.1]"}, []string{"", "Ann Lee", "mailto:ann@shop.example", "Ann <ann@shop.example>", "ann@", "@x.co", "a..b@x.co", "ann@shop..example", "a@b@c"}},
		"hostname":  {[]string{"shop.example", "localhost", "a-b.c1", strings.Repeat("a", 63) + ".x"}, []string{"", "-a.x", "a-.x", "a_b.x", "https://shop.example", "a..b", strings.Repeat("a", 64), strings.Repeat("abc.", 70) + "x"}},
		"ipv4":      {[]string{"127.0.0.1", "255.255.255.255"}, []string{"", "256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "::1"}},
		"ipv6":      {[]string{"::", "::1", "1::", "fe80::1:2", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"}, []string{"", ":", "1:2:3", "1::2::3", "12345::", "fe80::1%eth0", "1.2.3.4", "1:2:3:4:5:6:7:8:9"}},
		"uri":       {[]string{"https://shop.example/a?b=c#d", "mailto:ann@shop.example", "urn:isbn:1", "http://[::1]:80/", "http://u:p@h:1"}, []string{"", "/a/b", "shop.example", "https://shop.example/a b", "http://h:port/", "http://a<b>", "https://x/%zz"}},
		"uuid":      {[]string{"123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"}, []string{"", "123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g", "{123e4567-e89b-12d3-a456-426614174000}"}},
	} {
		schema := map[string]cty.Value{"type": cty.StringVal("string"), "format": cty.StringVal(format)}
		for _, text := range texts.is {
			if got := contradicts(t, text, schema); got != "" {
				t.Errorf("%s: %q: %s", format, text, got)
			}
		}
		for _, text := range texts.isNot {
			if got := contradicts(t, text, schema); got == "" || strings.Contains(got, "regular expression") || format != "hostname" && !strings.HasSuffix(got, fmt.Sprintf("format: %q is no %s", text, format)) {
				t.Errorf("%s: %q: %q", format, text, got)
			}
		}
	}
	both := map[string]cty.Value{"format": cty.StringVal("email"), "pattern": cty.StringVal("^a"), "allOf": cty.TupleVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"maxLength": cty.NumberIntVal(9)})})}
	for text, fine := range map[string]bool{"a@b.c": true, "b@b.c": false, "a": false, "a@bbbbbbbb.c": false} {
		if got := contradicts(t, text, both); (got == "") != fine {
			t.Errorf("%q: %q", text, got)
		}
	}
	if v, err := schemaError([]cty.Value{cty.NumberIntVal(1), cty.ObjectVal(map[string]cty.Value{"format": cty.StringVal("email")})}); err != nil || !v.IsNull() {
		t.Errorf("a number has no format: %v %v", v, err)
	}
}

// Shows that dates, times and addresses are those that the standard library reads.
func TestFormatsAreThoseOfTheStandardLibrary(t *testing.T) {
	date, clock, ipv6 := regexp.MustCompile(patternOf("date")), regexp.MustCompile(patternOf("date-time")), regexp.MustCompile(patternOf("ipv6"))
	for _, year := range []int{0, 4, 100, 400, 1900, 1999, 2000, 2023, 2024, 2100, 9996, 9999} {
		for month := range 14 {
			for day := range 33 {
				text := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
				if _, err := time.Parse(time.DateOnly, text); (err == nil) != date.MatchString(text) {
					t.Errorf("%s: %v", text, err)
				}
			}
		}
	}
	for second := 0; second < 26*3600; second += 59 {
		text := fmt.Sprintf("2024-02-29T%02d:%02d:%02dZ", second/3600, second/60%60, second%60)
		if _, err := time.Parse(time.RFC3339, text); (err == nil) != clock.MatchString(text) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for n := range 10 {
		groups := slices.Repeat([]string{"a1"}, n)
		for gap := range n + 1 {
			for _, last := range []string{"", ":1.2.3.4"} {
				text := strings.Join(groups[:gap], ":") + "::" + strings.Join(groups[gap:], ":") + last
				for _, text := range []string{text, strings.Join(groups, ":") + last} {
					if _, err := netip.ParseAddr(text); (err == nil && strings.Contains(text, ":")) != ipv6.MatchString(text) {
						t.Errorf("%s: %v", text, err)
					}
				}
			}
		}
	}
}
