package sut

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// What bounds the directories from which a path is followed.
const fromMost = 200

// leadsNowhere tells of a path with .. that the program was given and that leads to no file, from wherever in its
// directories it is followed: a program that looks at no path fails in the same way. "" for none, and where another
// one leads to a file.
func (r *run) leadsNowhere() string {
	paths := r.outside.Outward()
	if len(paths) == 0 {
		return ""
	}
	var from []string
	add := func(dir string) {
		if len(from) < fromMost {
			from = append(from, dir)
		}
	}
	roots := []string{r.dir}
	for _, value := range slices.Sorted(maps.Values(r.given)) {
		if info, err := os.Stat(under(r.dir, value)); value != "" && err == nil && info.IsDir() {
			roots = append(roots, under(r.dir, value))
		}
	}
	for _, root := range roots {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || len(from) == fromMost {
				return fs.SkipAll
			}
			if d.IsDir() {
				add(path)
			}
			return nil
		})
	}
	written := ""
	for _, p := range paths {
		// In a request the path may stand behind what leads to the program's part for files.
		for at := 0; at >= 0; at = nextPart(p, at) {
			if slices.ContainsFunc(from, func(dir string) bool {
				file := filepath.Join(dir, filepath.FromSlash(p[at:]))
				info, err := os.Lstat(file)
				if err == nil && info.Mode().IsRegular() && info.ModTime().After(r.began) && written == "" && isOutside(r.dir, file) {
					written = p
				}
				return err == nil
			}) && written == "" {
				return ""
			}
		}
	}
	if written != "" {
		return fmt.Sprintf("%q leads out of the directory of the scenario, to a file that was written in this run, and no check looks there.\nhint: let the command show what is there as well, or fail if it is: such as && test ! -e FILE", r.outside.Hidden(written))
	}
	return fmt.Sprintf("%q leads to no file, from whichever directory of the program it is followed: one that does not look where a path leads finds nothing there either, so a refusal does not show.\nhint: let it lead to a file that is there, such as one beside the scenario, and check that what it says is not answered", r.outside.Hidden(paths[0]))
}

// isOutside reports whether a file lies outside of a directory.
func isOutside(dir, file string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && (rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)))
}

// nextPart is where the next part of a path begins, -1 behind the last.
func nextPart(path string, at int) int {
	i := strings.IndexByte(path[at:], '/')
	if i < 0 || at+i+1 >= len(path) {
		return -1
	}
	return at + i + 1
}

// nothingToCall tells of a tool that a model asked for, that the program had not offered, and whose name none of its
// files has: there is nothing that could be called. "" for none.
func (r *run) nothingToCall() string {
	names := r.outside.Unoffered()
	if len(names) == 0 || r.path == "" {
		return ""
	}
	s := search{names: names, left: searchedSize}
	if !s.command(r.path, r.command, r.dir) || !s.tree(r.dir) || len(s.names) < len(names) {
		return ""
	}
	return fmt.Sprintf("the model asks for %q, which the program does not offer, and which no file of the program has: there is nothing that it could call, so a program that calls whatever it is asked for fails as well.\nhint: ask for a function that the program has and does not offer", r.outside.Hidden(names[0]))
}

// elsewhereWritten tells of a text that a check rules out of what the program wrote, and that a file has which was
// written in the run. "" for none.
func (r *run) elsewhereWritten() string {
	all := r.outside.FromOutput()
	if len(all) == 0 {
		return ""
	}
	why, files, left := "", 0, int64(nearAll)
	_ = filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || why != "" || files == nearMost {
			return fs.SkipAll
		}
		if d.IsDir() && path != r.dir && (strings.HasPrefix(d.Name(), ".") || slices.Contains(libraries, d.Name())) {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil || !d.Type().IsRegular() || info.ModTime().Before(r.began.Truncate(time.Second)) || info.Size() > left || strings.HasSuffix(path, ".hcl") {
			return nil
		}
		files++
		left -= info.Size()
		text, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		for _, o := range all {
			if strings.Contains(string(text), o.Text) {
				name, _ := filepath.Rel(r.dir, path)
				why = fmt.Sprintf("assert %q rules out a text of what the program writes, and %s, which it wrote in this run, has it.\nhint: look there as well: end the command with && cat %[2]s, or let the program write its log to standard error", o.Check, name)
				return fs.SkipAll
			}
		}
		return nil
	})
	return why
}

// libraries are directories of what is not the program's own.
var libraries = []string{"node_modules", "vendor", "venv", "__pycache__"}

// presetMost bounds the values that are looked for.
const presetMost = 32

// presets are lines for the options of the command that have the value which the program takes without them, as far
// as its files say so: it may as well not read them.
func (r *run) presets(files func() []string) (lines []string) {
	for i, word := range r.command {
		value := ""
		if i > 0 && strings.HasPrefix(r.command[i-1], "--") && !strings.Contains(r.command[i-1], "=") && !strings.HasPrefix(word, "-") {
			value = word
		} else if name, of, has := strings.Cut(word, "="); has && strings.HasPrefix(name, "--") {
			value = of
		}
		if len(value) < 2 || len(value) > 100 || len(lines) == presetMost || !isPreset(value, files()) {
			continue
		}
		what := word
		if value == word {
			what = r.command[i-1] + " " + word
		}
		lines = append(lines, "sut: "+r.outside.Hidden(what)+" (which the program takes without it)")
	}
	return lines
}

// chosen are lines for the words of header fields that the program takes without them, as far as its files say so.
func (r *run) chosen(files func() []string) (lines []string) {
	for _, c := range r.outside.Chosen() {
		if len(c.Value) >= 2 && len(c.Value) <= 100 && len(lines) < presetMost && isPreset(c.Value, files()) {
			lines = append(lines, fmt.Sprintf("%s: header %s %s (which the program takes without it)", c.By, c.Field, r.outside.Hidden(c.Value)))
		}
	}
	return lines
}

// isPreset reports whether a source says of a value that it is taken where none is given.
func isPreset(value string, sources []string) bool {
	v := `["'` + "`" + `]?` + regexp.QuoteMeta(value) + `["'` + "`" + `]?`
	re, err := regexp.Compile(`(?i:default)\w*\s*[=:(]\s*` + v + `\s*[,)\n;}]|(?:\|\||\?\?|\bor)\s*` + v + `\s*[,)\n;}]|get(?:env)?\([^()\n]*,\s*` + v + `\s*\)|:-` + v + `\}|flag\.\w+\([^()\n]*,\s*` + v + `\s*,`)
	return err == nil && slices.ContainsFunc(sources, re.MatchString)
}
