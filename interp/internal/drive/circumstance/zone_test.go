package circumstance

import (
	"strconv"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Shows that a zone is that of UTC only if it is in summer and in winter.
func TestIsUTC(t *testing.T) {
	now := time.Date(2026, time.January, 15, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		zone *time.Location
		want bool
	}{
		"UTC":         {time.UTC, true},
		"an offset":   {time.FixedZone("x", 3600), false},
		"none":        {time.FixedZone("x", 0), true},
		"before noon": {time.FixedZone("y", -5*3600), false},
	} {
		if got := IsUTC(c.zone, now); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	london, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Skip("no time zones are installed")
	}
	if IsUTC(london, now) || IsUTC(london, now.AddDate(0, 6, 0)) {
		t.Error("London is UTC in its summer")
	}
}

// Shows which times of day a condition has, and which of them a text has as ones of UTC.
func TestAsUTC(t *testing.T) {
	for _, c := range []struct{ written, text, given, want string }{
		{"2025-07-01T10:00:00Z", `{"at": "2025-07-01T10:00:00Z"}`, "1751364000", "10:00:00Z"},
		{"10:00", "due 2025-07-01T10:00:30.125Z\n", "", "10:00:30.125Z"},
		{"due at 10:00 UTC", "due at 10:00 UTC\n", "", "10:00 UTC"},
		{"2025-07-01T10:00:00", "2025-07-01T10:00:00+00:00", "", "10:00:00+00:00"},
		{"Tue, 01 Jul 2025 10:00:00", "Tue, 01 Jul 2025 10:00:00 GMT", "", "10:00:00 GMT"},
		{"a at 09:30, b at 10:00", "09:30 10:00Z", "", "10:00Z"},

		{"2025-07-01T10:00:00Z", "2025-07-01T10:00:00Z", `{"at": "2025-07-01 10:00:00"}`, ""}, // it was given
		{"2025-07-01T10:00:00", "2025-07-01T10:00:00+02:00", "", ""},
		{"at 10:00", "at 10:00\n", "", ""},
		{"at 10:00", "at 10:00 Zurich\n", "", ""},
		{"2025-07-01", "2025-07-01T10:00:00Z", "", ""},
		{"aa:10:20:30:40", "aa:10:20:30:40Z", "", ""},
		{"77:10 and 10:99", "77:10Z 10:99Z", "", ""},
		{"10:00", "", "", ""},
	} {
		e, diags := hclsyntax.ParseExpression([]byte("strcontains(sut.stdout, "+strconv.Quote(c.written)+")"), "a", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		if got := AsUTC(Clocks([]hclsyntax.Expression{e}), c.text, c.given); got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.written, c.text, got, c.want)
		}
	}
}
