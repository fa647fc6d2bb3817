package sut

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/interp"
)

// What bounds the files that a program may have read: how many there are, and how large one and all of them.
const (
	nearMost = 512
	nearSize = 1 << 20
	nearAll  = 8 << 20
)

// lists and data are the ends of the names of files that have a line for each thing, and of others that are no
// program.
var (
	lists = []string{".csv", ".tsv", ".jsonl", ".ndjson", ".list", ".txt"}
	data  = []string{".json", ".yaml", ".yml", ".xml", ".toml", ".sql", ".log", ".db", ".sqlite"}
)

// nearFiles are the program's own in the directory where it ran, and those that its command names, but for files
// of scenarios, pages, the program itself where it is built, and what was written since the run began.
func nearFiles(dir string, command []string, began time.Time, own tree) (near interp.Files) {
	near.Whole = true
	seen := map[string]bool{}
	left := nearAll
	add := func(path string) {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || seen[path] || info.ModTime().After(began) {
			return
		}
		if seen[path] = true; len(seen) > nearMost || info.Size() > nearSize || int(info.Size()) > left {
			near.Whole = false
			return
		}
		text, err := os.ReadFile(path)
		if err != nil {
			near.Whole = false
			return
		}
		left -= len(text)
		switch ext := strings.ToLower(filepath.Ext(path)); {
		case bytes.IndexByte(text, 0) < 0 && slices.Contains(lists, ext):
			near.Lists, near.Data = append(near.Lists, string(text)), append(near.Data, string(text))
		case slices.Contains(lists, ext), slices.Contains(data, ext):
			near.Data = append(near.Data, string(text))
		default:
			near.Sources = append(near.Sources, string(text))
		}
	}
	for i, word := range command {
		word = under(dir, word)
		if i > 0 {
			add(word)
		} else if filepath.Ext(word) == "" {
			seen[word] = true // a program that is built, and no text
		}
	}
	for _, p := range own.places {
		if !near.Whole {
			break
		}
		if p.Type().IsRegular() && !strings.HasSuffix(p.path, ".hcl") && !strings.HasSuffix(p.path, ".md") {
			add(p.path)
		}
	}
	near.Whole = near.Whole && own.whole
	return near
}

// namedFiles are the texts of the data and the lists that a command names.
func namedFiles(dir string, command []string) (texts []string) {
	for _, word := range command[min(1, len(command)):] {
		ext := strings.ToLower(filepath.Ext(word))
		word = under(dir, word)
		if info, err := os.Stat(word); err != nil || !info.Mode().IsRegular() || info.Size() > nearSize || !slices.Contains(lists, ext) && !slices.Contains(data, ext) {
			continue
		}
		if text, err := os.ReadFile(word); err == nil {
			texts = append(texts, string(text))
		}
	}
	return texts
}

// read are the texts of the data that the program has read as far as is known: those that its command or its
// environment names, or else the only one that lies beside it.
func (r *run) read(near []string) []string {
	words := slices.Clone(r.command)
	for _, name := range slices.Sorted(maps.Keys(r.given)) {
		words = append(words, r.given[name])
	}
	if named := namedFiles(r.dir, words); len(named) > 0 {
		return named
	}
	if len(near) == 1 {
		return near
	}
	return nil
}

// under is a path of a command that is run in a directory.
func under(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
