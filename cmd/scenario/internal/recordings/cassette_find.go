package recordings

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/suite"
)

// cassetteEndings are how the names of cassettes end.
var cassetteEndings = []string{".yaml", ".yml", ".json"}

// A candidate is a file that may be a cassette.
type candidate struct {
	path string
	// found says that a search came upon it: nobody claimed that it is one.
	found bool
}

// findCassettes returns the files that paths name and those of directories,
// which are searched as for scenario files.
func findCassettes(paths []string) ([]candidate, error) {
	var found []candidate
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			found = append(found, candidate{path: path})
			continue
		}
		below, err := suite.Disk().Search(path, isCassette)
		if err != nil {
			return nil, cli.UsageOf(err)
		}
		for _, p := range below {
			found = append(found, candidate{p, true})
		}
	}
	return found, nil
}

func isCassette(name string) bool { return slices.Contains(cassetteEndings, filepath.Ext(name)) }

// peekMax bounds how much of a file is looked at for the words of cassettes.
const peekMax = 1 << 20

// meantAsCassette tells a damaged cassette from a file of another kind by the
// words that cassettes have. A file that cannot be read counts as damaged.
func meantAsCassette(path string) bool {
	text, err := disk.Read(path, peekMax)
	return err != nil || slices.ContainsFunc([]string{"interactions", "x-scenario", `"_version"`}, func(word string) bool {
		return bytes.Contains(text, []byte(word))
	})
}
