package surroundings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// Shows which variables are told of as without effect: locales that the machine does not have, zones that it does not
// know or in which it is as late as in UTC, and the same day for a scenario about days. What is C or UTC by its name is
// meant so, an alias or a rule may be known, and nothing is told of a machine without such files.
func TestTold(t *testing.T) {
	zones := fstest.MapFS{}
	for _, name := range []string{"America/New_York", "Europe/London", "Asia/Tokyo"} {
		data, err := os.ReadFile(filepath.Join("/usr/share/zoneinfo", name))
		if err != nil {
			t.Skip("no zones here")
		}
		zones[name] = &fstest.MapFile{Data: data}
	}
	machine := Machine{locales: fstest.MapFS{"C.utf8/LC_TIME": {}, "fr_FR.utf8/LC_TIME": {}, "en_US/LC_TIME": {}}, zones: zones}
	noon := time.Date(2026, 1, 20, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, value, title string
		at                 time.Time
		told               string
	}{
		{"LC_ALL", "de_DE.UTF-8", "s", noon, "sut: env LC_ALL: no locale de_DE.UTF-8 on this machine, so that it runs as with C"},
		{"LC_TIME", "de_DE", "s", noon, "sut: env LC_TIME: no locale de_DE on"},
		{"LANG", "fr_FR.ISO-8859-1", "s", noon, "sut: env LANG: no locale fr_FR.ISO-8859-1 on"},
		{"LANG", "fr_FR.UTF-8", "s", noon, ""},
		{"LANG", "fr_FR", "s", noon, ""},
		{"LANG", "en_US.UTF-8", "s", noon, ""},
		{"LC_ALL", "C", "s", noon, ""},
		{"LC_ALL", "C.UTF-8", "s", noon, ""},
		{"LC_ALL", "german", "s", noon, ""},
		{"LANGUAGE", "de_DE", "s", noon, ""},
		{"TZ", "Europe/Atlantis", "s", noon, "sut: env TZ: no zone Europe/Atlantis on this machine, so that it runs as with UTC"},
		{"TZ", "Europe/London", "s", noon, "sut: env TZ: Europe/London has the time of UTC at 2026-01-20"},
		{"TZ", "Europe/London", "s", noon.AddDate(0, 6, 0), ""},
		{"TZ", "America/New_York", "it counts for its day", noon, "sut: env TZ: in America/New_York it was the same day as in UTC, at 12:00"},
		{"TZ", "America/New_York", "it counts for its day", noon.Add(-9 * time.Hour), ""},
		{"TZ", "America/New_York", "it counts", noon, ""},
		{"TZ", "Asia/Tokyo", "it counts for its day", noon.Add(6 * time.Hour), ""},
		{"TZ", "UTC", "s", noon, ""},
		{"TZ", "Etc/UTC", "s", noon, ""},
		{"TZ", "CET-1CEST", "s", noon, ""},
	} {
		got := strings.Join(machine.Told(map[string]string{c.name: c.value}, c.title, c.at), "\n")
		if c.told == "" && got != "" || !strings.HasPrefix(got, c.told) {
			t.Errorf("%s=%s at %s: told %q, want %q", c.name, c.value, c.at, got, c.told)
		}
		if got := Of(t.TempDir(), []string{"python3"}).Told(map[string]string{c.name: c.value}, c.title, c.at); len(got) > 0 {
			t.Errorf("%s=%s on a machine without files: told %q", c.name, c.value, got)
		}
	}
}
