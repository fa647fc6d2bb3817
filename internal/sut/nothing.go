package sut

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
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
	add := func(t tree) {
		for _, p := range t.places {
			if p.IsDir() && len(from) < fromMost {
				from = append(from, p.path)
			}
		}
	}
	add(r.own())
	for _, value := range slices.Sorted(maps.Values(r.given)) {
		if value != "" && len(from) < fromMost {
			add(treeOf(under(r.dir, value), true))
		}
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

// elsewhereWritten tells of a text that a check rules out of what the program wrote, and that stands in a stream that
// no check reads, or in a file that was written in the run. "" for none.
func (r *run) elsewhereWritten() string {
	all := r.outside.FromOutput()
	if len(all) == 0 {
		return ""
	}
	for _, o := range all {
		if o.Unread != "" {
			return fmt.Sprintf("assert %q rules out a text of what the program writes, and it wrote that on %s, which no check reads.\nhint: rule it out there as well: !strcontains(sut.%s, \"…\")", o.Check, o.Unread.Called(), o.Unread)
		}
	}
	files, left := 0, int64(nearAll)
	for _, p := range r.own().places {
		if !p.Type().IsRegular() || strings.HasSuffix(p.path, ".hcl") {
			continue
		}
		info, err := p.Info()
		if err != nil || info.ModTime().Before(r.began.Truncate(time.Second)) || info.Size() > left {
			continue
		}
		if files++; files > nearMost {
			break
		}
		left -= info.Size()
		text, err := os.ReadFile(p.path)
		if err != nil {
			continue
		}
		for _, o := range all {
			if strings.Contains(string(text), o.Text) {
				name, _ := filepath.Rel(r.dir, p.path)
				return fmt.Sprintf("assert %q rules out a text of what the program writes, and %s, which it wrote in this run, has it.\nhint: look there as well: end the command with && cat %[2]s, or let the program write its log to standard error", o.Check, name)
			}
		}
	}
	return ""
}
