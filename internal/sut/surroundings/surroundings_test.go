package surroundings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// Shows which variables are told of as without effect: locales that the machine does not have, of the variables that
// win, and zones that it does not know or that always have the time of UTC. What is C or UTC by its name is meant so, an
// alias or a rule may be known, and nothing is told of a machine without such files. What is secret is not said.
func TestTold(t *testing.T) {
	zones := fstest.MapFS{}
	for _, name := range []string{"America/New_York", "Europe/London", "Asia/Tokyo", "Africa/Abidjan", "Africa/Casablanca"} {
		data, err := os.ReadFile(filepath.Join("/usr/share/zoneinfo", name))
		if err != nil {
			t.Skip("no zones here")
		}
		zones[name] = &fstest.MapFile{Data: data}
	}
	machine := Machine{locales: fstest.MapFS{"C.utf8/LC_TIME": {}, "fr_FR.utf8/LC_TIME": {}, "en_US/LC_TIME": {}}, zones: zones}
	hidden := func(text string) string { return strings.ReplaceAll(text, "hunter", "***") }
	for _, c := range []struct{ vars, told, inherits string }{
		{"LC_ALL=de_DE.UTF-8", "sut: env LC_ALL: no locale de_DE.UTF-8 on this machine, so that a program that uses the C library runs as with C", ""},
		{"LC_TIME=de_DE", "sut: env LC_TIME: no locale de_DE on", ""},
		{"LANG=fr_FR.ISO-8859-1", "sut: env LANG: no locale fr_FR.ISO-8859-1 on", ""},
		{"LANG=fr_FR.UTF-8", "", ""},
		{"LANG=fr_FR", "", ""},
		{"LANG=en_US.UTF-8", "", ""},
		{"LC_ALL=C", "", ""},
		{"LC_ALL=C.UTF-8", "", ""},
		{"LC_ALL=german", "", ""},
		{"LANGUAGE=de_DE", "", ""},
		{"LC_ALL=C.UTF-8 LANG=de_DE.UTF-8", "", ""},
		{"LC_ALL=C.UTF-8 LC_TIME=de_DE.UTF-8", "", ""},
		{"LC_ALL= LANG=de_DE.UTF-8", "sut: env LANG: no locale de_DE.UTF-8 on", ""},
		{"LC_TIME=C LANG=de_DE.UTF-8", "sut: env LANG: no locale de_DE.UTF-8 on", ""},
		{"LANG=de_DE.UTF-8", "", "LC_ALL=C.UTF-8"},
		{"LC_ALL= LANG=de_DE.UTF-8", "sut: env LANG: no locale de_DE.UTF-8 on", "LC_ALL=C.UTF-8"},
		{"LC_ALL=de_DE.UTF-8", "sut: env LC_ALL: no locale de_DE.UTF-8 on", "LANG=C.UTF-8"},
		{"LC_TIME=C", "", "LANG=de_DE.UTF-8"},
		{"LC_ALL=x_hunter", "sut: env LC_ALL: no locale x_*** on", ""},
		{"TZ=Europe/hunter", "sut: env TZ: no zone Europe/*** on", ""},
		{"TZ=Europe/Atlantis", "sut: env TZ: no zone Europe/Atlantis on this machine, so that a program that uses the C library runs as with UTC", ""},
		{"TZ=Africa/Abidjan", "sut: env TZ: Africa/Abidjan always has the time of UTC", ""},
		{"TZ=Africa/Casablanca", "", ""},
		{"TZ=Europe/London", "", ""},
		{"TZ=America/New_York", "", ""},
		{"TZ=Asia/Tokyo", "", ""},
		{"TZ=UTC", "", ""},
		{"TZ=Etc/UTC", "", ""},
		{"TZ=CET-1CEST", "", ""},
	} {
		vars := map[string]string{}
		for _, pair := range strings.Fields(c.vars) {
			name, value, _ := strings.Cut(pair, "=")
			vars[name] = value
		}
		inherited := func(name string) (string, bool) {
			value, is := strings.CutPrefix(c.inherits, name+"=")
			return value, is
		}
		got := strings.Join(machine.Told(vars, inherited, hidden), "\n")
		if c.told == "" && got != "" || !strings.HasPrefix(got, c.told) || strings.Contains(got, "hunter") {
			t.Errorf("%s: told %q, want %q", c.vars, got, c.told)
		}
		if got := Of(t.TempDir(), []string{"python3"}).Told(vars, inherited, hidden); len(got) > 0 {
			t.Errorf("%s on a machine without files: told %q", c.vars, got)
		}
	}
}

// Shows of which commands nothing is told, as they or what they start bring locales of their own.
func TestBringsOwn(t *testing.T) {
	for command, want := range map[string]bool{
		"node x.js": true, "/usr/bin/env node x.js": true, "env TZ=Asia/Tokyo node x.js": true, "env -S|node --no-warnings x.js": true,
		"npm start": true, "go run .": true, "/usr/local/go/bin/go run .": true, "dotnet run": true, "java App.java": true,
		"sh -c|cd app && exec node x.js": true, "bash -ec|go run .": true, "/bin/sh -c|(npm start)": true, "env bash -c|node x.js": true,
		"python3 x.py": false, "python3 node go": false, "sh -c|python3 x.py node.txt": false, "env python3 x.py": false, "sh run.sh node": false,
		"./server": false, "": false,
	} {
		head, text, is := strings.Cut(command, "|")
		words := strings.Fields(head)
		if is {
			words = append(words, text)
		}
		if got := bringsOwn(words); got != want {
			t.Errorf("%q: %t, want %t", words, got, want)
		}
		if m := Of("/", words); (m.locales == nil) != want {
			t.Errorf("%q: the locales are known: %t, want %t", words, m.locales != nil, !want)
		}
	}
}
