package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/process"
	"github.com/scenario-lang/scenario/suite"
)

// ProgramAmong refuses paths for a command of which one is a program, for want of the two
// dashes before it.
func ProgramAmong(command string, paths []string) error {
	for i, p := range paths {
		interpreter := process.Interpreter(p)
		behind := func(program ...string) string {
			words := slices.Concat([]string{command}, paths[:i], []string{"--"}, program, paths[i+1:])
			return Readable(strings.Join(words, " "))
		}
		info, err := os.Stat(p)
		switch {
		case err == nil && interpreter != nil && info.Mode().IsRegular():
			return Usagef(behind(append(slices.Clone(interpreter), p)...), "%s is a program and no scenario file: two dashes and what runs it go before it", Readable(p))
		case err == nil && info.Mode().IsRegular() && programFile(p, info, i > 0 && suite.IsScenario(paths[i-1])):
			if !strings.ContainsAny(p, `/\`) {
				p = "." + string(filepath.Separator) + p
			}
			return Usagef(behind(p), "%s is a program and no scenario file: two dashes go before it", Readable(p))
		case err == nil || strings.HasSuffix(p, ".hcl"):
			continue
		}
		if _, err := process.Find(p, "."); err == nil {
			return Usagef(behind(p), "%q is a program and no scenario file: two dashes go before it", Readable(p))
		}
	}
	return nil
}

// programFile reports whether a file is meant to be started: one that may be executed, or
// one without an ending that follows a scenario file.
func programFile(p string, info os.FileInfo, follows bool) bool {
	switch ext := strings.ToLower(filepath.Ext(p)); {
	case ext == ".hcl" || ext == ".scenario":
		return false
	case ext == ".exe" || info.Mode()&0o111 != 0:
		return true
	default:
		return follows && ext == ""
	}
}
