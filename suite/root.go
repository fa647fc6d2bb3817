package suite

import "path/filepath"

// suiteRoot is the directory that nothing a scenario file in home may leave: the nearest parent with .git or go.mod, else the working
// directory, else, for a file outside of that, home itself. Home is a real
// name.
func (s *Source) suiteRoot(home string) string {
	for dir := home; ; dir = filepath.Dir(dir) {
		if s.exists(filepath.Join(dir, ".git")) || s.exists(filepath.Join(dir, "go.mod")) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if cwd := s.system.real("."); within(cwd, home) {
		return cwd
	}
	return home
}

func (s *Source) exists(path string) bool {
	_, err := s.system.lstat(path)
	return err == nil
}

// within reports whether a real name lies in a directory of a real name, or is
// it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
