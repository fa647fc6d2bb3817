// Package surroundings finds what the environment of a program says without effect on this machine: a locale that is not
// installed, for which the C library takes C without a word, and a time zone that always has the time of UTC.
//
//	for _, line := range surroundings.Of("/", program).Told(map[string]string{"LC_ALL": "de_DE.UTF-8"}, os.LookupEnv, hidden) {
//		fmt.Println(line) // sut: env LC_ALL: no locale de_DE.UTF-8 on this machine, so that a program that uses the C library runs as with C
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
	"sync"
	"time"
	"unicode"
)

// A Machine is one that has locales and zones, below a root directory.
type Machine struct{ locales, zones fs.FS }

// own are programs that bring locales and zones of their own, or start others that do.
var own = []string{
	"node", "nodejs", "deno", "bun", "bunx", "npm", "npx", "pnpm", "yarn", "corepack", "tsx", "ts-node",
	"java", "kotlin", "scala", "mvn", "gradle", "gradlew", "jbang", "dotnet", "go",
}

// shells are programs that run what stands behind -c.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "ash", "busybox"}

// Of is the machine on which programs run by a command run, with nothing known where it has no C library that reads
// these files, or where the command is one that does not read them.
func Of(root string, command []string) Machine {
	if bringsOwn(command) {
		return Machine{}
	}
	return Machine{locales: os.DirFS(filepath.Join(root, "usr/lib/locale")), zones: os.DirFS(filepath.Join(root, "usr/share/zoneinfo"))}
}

// bringsOwn reports whether a command runs a program of its own locales, also behind env or within the text of a shell.
func bringsOwn(command []string) bool {
	if len(command) == 0 {
		return false
	}
	is := func(word string) bool { return slices.Contains(own, strings.TrimSuffix(filepath.Base(word), ".exe")) }
	switch name := filepath.Base(command[0]); {
	case name == "env" || slices.Contains(shells, name) && slices.ContainsFunc(command, func(arg string) bool { return strings.HasPrefix(arg, "-") && strings.HasSuffix(arg, "c") }):
		return slices.ContainsFunc(command[1:], func(arg string) bool {
			return slices.ContainsFunc(strings.FieldsFunc(arg, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(";&|()'\"`{}", c) }), is)
		})
	default:
		return is(name)
	}
}

// archive is a file with all locales of a machine, which only its own command reads.
const archive = "locale-archive"

// patience bounds how long that command may take.
const patience = 2 * time.Second

// all are the locales of every machine that was asked for them in its archive, nil where it does not say.
var all = sync.OnceValue(func() []string {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	out, err := exec.CommandContext(ctx, "locale", "-a").Output()
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
})

// Told are lines for the variables of a program that have no effect here, with what is not to be shown hidden. Those that
// it inherits may win over them.
func (m Machine) Told(vars map[string]string, inherited func(string) (string, bool), hidden func(string) string) (lines []string) {
	value := func(name string) string {
		if v, is := vars[name]; is {
			return v
		}
		if v, is := inherited(name); is {
			return v
		}
		return ""
	}
	for _, name := range inEffect(value) {
		if vars[name] != "" && value("LOCPATH") == "" && m.lacks(vars[name]) {
			lines = append(lines, hidden(fmt.Sprintf("sut: env %s: no locale %s on this machine, so that a program that uses the C library runs as with C", name, vars[name])))
		}
	}
	if why := m.zone(vars["TZ"]); why != "" {
		lines = append(lines, hidden("sut: env TZ: "+why))
	}
	return lines
}

// inEffect are the variables that choose a locale: one for all wins over those of one category each, and these over
// the one for the rest.
func inEffect(value func(string) string) (names []string) {
	if value("LC_ALL") != "" {
		return []string{"LC_ALL"}
	}
	for _, name := range []string{"LC_COLLATE", "LC_CTYPE", "LC_MONETARY", "LC_NUMERIC", "LC_TIME", "LANG"} {
		if value(name) != "" {
			names = append(names, name)
		}
	}
	return names
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
			listed := all()
			if listed == nil {
				return false
			}
			known = append(known, listed...)
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

// zone says of a time zone why it has no effect, "" where it has one, or where that cannot be known.
func (m Machine) zone(name string) string {
	name = strings.TrimPrefix(name, ":")
	if m.zones == nil || !strings.Contains(name, "/") || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "Etc/") || strings.ContainsAny(name, ",<>") {
		return "" // UTC by its name is meant, and EST5EDT is a rule
	}
	if _, err := fs.Stat(m.zones, "."); err != nil {
		return ""
	}
	data, err := fs.ReadFile(m.zones, name)
	if err != nil {
		return fmt.Sprintf("no zone %s on this machine, so that a program that uses the C library runs as with UTC", name)
	}
	zone, err := time.LoadLocationFromTZData(name, data)
	if err != nil {
		return ""
	}
	for month := time.January; month <= time.December; month++ {
		if _, offset := time.Date(later, month, 15, 0, 0, 0, 0, zone).Zone(); offset != 0 {
			return ""
		}
	}
	return name + " always has the time of UTC"
}

// later is a year in which zones have the rules that they have now, so that what is said is the same on any day.
const later = 2036
