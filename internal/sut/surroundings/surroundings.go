// Package surroundings finds what the environment of a program says without effect on this machine: a locale that is not
// installed, for which the C library takes C without a word, and a time zone with the time of UTC.
//
//	for _, line := range surroundings.Of("/", program).Told(map[string]string{"LC_ALL": "de_DE.UTF-8"}, "s", began) {
//		fmt.Println(line) // sut: env LC_ALL: no locale de_DE.UTF-8 on this machine, so that it runs as with C
//	}
package surroundings

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
)

// A Machine is one that has locales and zones, below a root directory.
type Machine struct{ locales, zones fs.FS }

// Of is the machine on which programs run by a command run, with nothing known where it has no C library that reads
// these files, or where the command is one that brings its own.
func Of(root string, command []string) Machine {
	if len(command) > 0 && slices.Contains([]string{"node", "deno", "bun", "java"}, filepath.Base(command[0])) {
		return Machine{}
	}
	return Machine{locales: os.DirFS(filepath.Join(root, "usr/lib/locale")), zones: os.DirFS(filepath.Join(root, "usr/share/zoneinfo"))}
}

// archive is a file with all locales of a machine, which only its own command reads.
const archive = "locale-archive"

// patience bounds how long that command may take.
const patience = 2 * time.Second

// Told are lines for the variables of a program that have no effect here. A scenario that is named after days is told
// of a zone in which it was the same day as in UTC.
func (m Machine) Told(vars map[string]string, title string, at time.Time) (lines []string) {
	for _, name := range []string{"LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MONETARY", "LC_NUMERIC", "LC_TIME", "LANG"} {
		if value := vars[name]; value != "" && vars["LOCPATH"] == "" && m.lacks(value) {
			lines = append(lines, fmt.Sprintf("sut: env %s: no locale %s on this machine, so that it runs as with C", name, value))
		}
	}
	if why := m.zone(vars["TZ"], title, at); why != "" {
		lines = append(lines, "sut: env TZ: "+why)
	}
	return lines
}

// lacks reports whether a machine has no locale of a name. It does not where that cannot be known.
func (m Machine) lacks(name string) bool {
	if m.locales == nil || name == "POSIX" || name == "C" || strings.HasPrefix(name, "C.") || !strings.Contains(name, "_") || strings.Contains(name, "/") {
		return false // one without a country may be an alias
	}
	entries, err := fs.ReadDir(m.locales, ".")
	if err != nil || len(entries) == 0 {
		return false
	}
	var known []string
	for _, e := range entries {
		if e.Name() == archive {
			ctx, stop := context.WithTimeout(context.Background(), patience)
			out, err := exec.CommandContext(ctx, "locale", "-a").Output()
			stop()
			if err != nil {
				return false
			}
			known = append(known, strings.Fields(string(out))...)
			continue
		}
		known = append(known, e.Name())
	}
	return !slices.ContainsFunc(known, func(k string) bool { return same(k, name) })
}

// same reports whether a locale that there is, is one that is asked for: the coding may be written in several ways, and
// may be left out.
func same(known, name string) bool {
	of, coding, modifier := parts(known)
	other, asked, by := parts(name)
	return of == other && (by == modifier || modifier == "") && (coding == asked || coding == "" || asked == "")
}

func parts(name string) (of, coding, modifier string) {
	of, modifier, _ = strings.Cut(name, "@")
	of, coding, _ = strings.Cut(of, ".")
	return of, strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, coding), modifier
}

// days are words of scenarios about days.
var days = []string{"day", "days", "date", "dates", "daily", "today", "tomorrow", "yesterday", "midnight"}

// zone says of a time zone why it has no effect, "" where it has one, or where that cannot be known.
func (m Machine) zone(name, title string, at time.Time) string {
	name = strings.TrimPrefix(name, ":")
	if m.zones == nil || !strings.Contains(name, "/") || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "Etc/") || strings.ContainsAny(name, ",<>") {
		return "" // UTC by its name is meant, and EST5EDT is a rule
	}
	if _, err := fs.Stat(m.zones, "."); err != nil {
		return ""
	}
	data, err := fs.ReadFile(m.zones, name)
	if err != nil {
		return fmt.Sprintf("no zone %s on this machine, so that it runs as with UTC", name)
	}
	zone, err := time.LoadLocationFromTZData(name, data)
	if err != nil {
		return ""
	}
	here, utc := at.In(zone), at.UTC()
	if _, offset := here.Zone(); offset == 0 {
		return fmt.Sprintf("%s has the time of UTC at %s", name, utc.Format("2006-01-02"))
	}
	words := strings.FieldsFunc(strings.ToLower(title), func(c rune) bool { return !unicode.IsLetter(c) })
	if here.YearDay() == utc.YearDay() && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(days, w) }) {
		return fmt.Sprintf("in %s it was the same day as in UTC, at %s", name, utc.Format("15:04"))
	}
	return ""
}
