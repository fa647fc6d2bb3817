package program

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Directories are those of the source files that a command names which is run in dir: as words of its own, and in
// what a shell is given behind -c, also behind a cd in that.
func Directories(dir string, words []string) (dirs []string) {
	add := func(name string) {
		if IsSource(name) && !slices.Contains(dirs, filepath.Dir(name)) {
			dirs = append(dirs, filepath.Dir(name))
		}
	}
	shell := false
	for i, word := range words {
		add(filepath.Join(dir, word))
		if shell && i > 0 && strings.HasPrefix(words[i-1], "-") && strings.HasSuffix(words[i-1], "c") {
			namedInShell(dir, word, add)
		}
		shell = shell || slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh"}, path.Base(filepath.ToSlash(word)))
	}
	return dirs
}

// namedInShell tells of the files that a text of a shell may name. Behind a cd whose directory is not known, nothing
// is.
func namedInShell(dir, text string, add func(name string)) {
	for _, sign := range []string{";", "&", "|", "(", ")", "{", "}", "<", ">"} {
		text = strings.ReplaceAll(text, sign, " "+sign+" ")
	}
	words := strings.Fields(strings.ReplaceAll(text, "\n", " ; "))
	for i := 0; i < len(words) && dir != ""; i++ {
		word := strings.Trim(words[i], `"'`)
		if word != "cd" || i > 0 && strings.Trim(words[i-1], ";&|({") != "" {
			if !filepath.IsAbs(word) { // what lies anywhere is seldom the program
				add(filepath.Join(dir, word))
			}
			continue
		}
		if i++; i < len(words) && words[i] == "--" {
			i++
		}
		if i == len(words) {
			return
		}
		switch to := strings.Trim(words[i], `"'`); {
		case to == "-" || strings.ContainsAny(to, "$`~*"):
			dir = ""
		case filepath.IsAbs(to):
			dir = to
		default:
			dir = filepath.Join(dir, to)
		}
	}
}
