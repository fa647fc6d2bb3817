package mutate

import (
	"strings"
	"testing"
)

// Each part of a directive that says how a value is shown is left out by itself, and what says nothing of that stays.
func TestFormats(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{`format("%.2f EUR", x)`, "%.2f → %v; %.2f → %.4g"},
		{`format("%05d", x)`, "%05d → %d; %05d → %5d"},
		{`format("%q is %s or %v: 100 %%", x, y, z)`, "%q → %s"},
		{`format("%+d", x)`, "%+d → %d"},
		{`format("%-8s|%8.3f", x, y)`, "%-8s → %s; %8.3f → %.3f; %8.3f → %8v; %8.3f → %8.5g"},
		{`format("%x %08X", x, y)`, "%x → %d; %08X → %X; %08X → %08d; %08X → %8X"},
		{`format("%d %t", x, y)`, ""},
		{`format("%.3s", x)`, "%.3s → %s"},
		{`format("%.1[2]f", x, y)`, "%.1[2]f → %[2]v; %.1[2]f → %.3[2]g"},
		{`format("%#v", x)`, "%#v → %v"},
		{`format("100 %", x)`, ""},
		{`formatlist("%.1f", x)`, "%.1f → %v; %.1f → %.3g"},
		{`"${format("%.1f", x)} EUR"`, "%.1f → %v; %.1f → %.3g"},
		{`format(local.f, x)`, ""},
		{`formatdate("DD.MM.YYYY", x)`, "DD left out of DD.MM.YYYY; MM left out of DD.MM.YYYY; YYYY left out of DD.MM.YYYY"},
		{`formatdate("hh 'h'", x)`, "hh left out of hh 'h'; hh → HH in hh 'h'"},
		{`formatdate("YYYY", x)`, ""},
		{`formatdate("YYYY 'from", x)`, "YYYY left out of YYYY 'from"},
	} {
		text := "workflow \"w\" {\n  step \"value\" \"a\" {\n    value = " + c.value + "\n  }\n}\n"
		var want []string
		for w := range strings.SplitSeq(c.want, "; ") {
			if w != "" {
				want = append(want, "step.a value: "+w)
			}
		}
		if got := strings.Join(changesOf(t, text, "format"), "; "); got != strings.Join(want, "; ") {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.value, got, strings.Join(want, "; "))
		}
	}
}

// A format that stands in a local is changed there.
func TestFormatOfALocal(t *testing.T) {
	const text = "locals { f = \"%.2f\" }\nworkflow \"w\" {\n  step \"value\" \"a\" { value = format(local.f, 1) }\n}\n"
	if got := strings.Join(changesOf(t, text, "format"), "; "); got != "local.f %.2f → %v; local.f %.2f → %.4g" {
		t.Errorf("got %s", got)
	}
}
