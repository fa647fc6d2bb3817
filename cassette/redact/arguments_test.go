package redact

import (
	"slices"
	"strings"
	"testing"
)

// Shows which values of options are credentials, however the option is written, and which are not.
func TestArguments(t *testing.T) {
	for _, c := range []struct {
		command []string
		want    []string
	}{
		{[]string{"bash", "p.sh", "--password", "Ar-gumpel-7712-ww"}, []string{"Ar-gumpel-7712-ww"}},
		{[]string{"p", "--password=Ar-gumpel-7712-ww"}, []string{"Ar-gumpel-7712-ww"}},
		{[]string{"p", "-password", "Ar-gumpel-7712-ww"}, []string{"Ar-gumpel-7712-ww"}},
		{[]string{"p", "--db-password", "Ar-gumpel-7712-ww", "--verbose"}, []string{"Ar-gumpel-7712-ww"}},
		{[]string{"p", "--token=Fl-aggle-7788-cc"}, []string{"Fl-aggle-7788-cc"}},
		{[]string{"p", "--api-key", "Ro-blimp-3344-hh"}, []string{"Ro-blimp-3344-hh"}},
		{[]string{"curl", "-u", "ann:Us-trundle-5533-kk"}, []string{"Us-trundle-5533-kk"}},
		{[]string{"curl", "--user", "ann:Us-trundle-5533-kk", "https://x.test"}, []string{"Us-trundle-5533-kk"}},
		{[]string{"sh", "-c", "p --password 'Ar-gumpel-7712-ww'; echo done"}, []string{"Ar-gumpel-7712-ww"}},
		{[]string{"bash", "-ec", "p --token=Fl-aggle-7788-cc | sort"}, []string{"Fl-aggle-7788-cc"}},
		{[]string{"p", "--password", "--force"}, nil},
		{[]string{"p", "--password"}, nil},
		{[]string{"p", "--user", "ann"}, nil},
		{[]string{"p", "--max-tokens", "1000"}, nil},
		{[]string{"p", "--output", "report.json", "--user-agent", "curl:8"}, nil},
		{[]string{"p", "password", "Ar-gumpel-7712-ww"}, nil},
	} {
		got := EnvironmentCredentials(Arguments(c.command))
		for _, want := range c.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s: %q, want %q", strings.Join(c.command, " "), got, want)
			}
		}
		if c.want == nil && len(got) > 0 {
			t.Errorf("%s: %q are no credentials", strings.Join(c.command, " "), got)
		}
	}
}
