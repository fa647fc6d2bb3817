package search

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/explore"
)

// A knownBreak is a set of faults that breaks something, as an earlier exploration told of
// it.
type knownBreak struct {
	explore.Told
	breaks string
}

// knownFinds are those of an earlier exploration.
type knownFinds map[knownBreak]bool

// knownMax bounds a line of the file of --baseline.
const knownMax = 64 << 20

// readKnown reads what an earlier --json wrote; nothing where no file is named.
func readKnown(path string) (knownFinds, error) {
	if path == "" {
		return nil, nil
	}
	f, err := disk.Open(path)
	if err != nil {
		return nil, cli.Usagef("it is what scenario explore --json printed earlier", "--baseline %s cannot be read: %s", filepath.ToSlash(path), disk.Cause(err))
	}
	defer f.Close()
	known := knownFinds{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, knownMax)
	empty := true
	for n := 1; lines.Scan(); n++ {
		var line struct {
			Schema string
			Type   string
			explore.Told
			Breaks []string
		}
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.Schema != explore.Schema {
			return nil, cli.Usagef("it is what scenario explore --json printed earlier", "--baseline %s, line %d: %s", path, n, notBaseline(err))
		}
		empty = false
		if line.Type == "find" && len(line.Breaks) == 0 {
			return nil, cli.Usagef("write it again: scenario explore --json", "--baseline %s, line %d: a find that does not say under which faults it was found", path, n)
		}
		for _, b := range line.Breaks {
			known[knownBreak{line.Told, b}] = true
		}
	}
	if err := lines.Err(); err != nil {
		return nil, cli.Usagef("it is what scenario explore --json printed earlier", "--baseline %s cannot be read: %s", filepath.ToSlash(path), err)
	}
	if empty {
		return nil, cli.Usagef("write it again: scenario explore --json", "--baseline %s is empty, and a search that found nothing writes an account", filepath.ToSlash(path))
	}
	return known, nil
}

func notBaseline(err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("no object of schema %q", explore.Schema)
}
