package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
)

// tapeEndings are how the names of cassettes end.
var tapeEndings = []string{".yaml", ".yml", ".json"}

// A tape is a file that may be a cassette.
type tape struct {
	path string
	// found says that a search came upon it: nobody claimed that it is one.
	found bool
}

// findTapes returns the files that paths name and those of directories, which
// are searched as for scenario files.
func findTapes(paths []string) ([]tape, error) {
	var tapes []tape
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			tapes = append(tapes, tape{path: path})
			continue
		}
		var found []string
		if err := search(path, isTape, &found); err != nil {
			return nil, err
		}
		for _, p := range found {
			tapes = append(tapes, tape{p, true})
		}
	}
	return tapes, nil
}

func isTape(name string) bool { return slices.Contains(tapeEndings, filepath.Ext(name)) }

// peekMax bounds how much of a file is looked at for the words of cassettes.
const peekMax = 1 << 20

// meantAsTape tells a damaged cassette from a file of another kind by the words
// that cassettes have. A file that cannot be read counts as damaged.
func meantAsTape(path string) bool {
	text, err := readLimited(path, peekMax)
	return err != nil || slices.ContainsFunc([]string{"interactions", "x-scenario", `"_version"`}, func(word string) bool {
		return bytes.Contains(text, []byte(word))
	})
}
