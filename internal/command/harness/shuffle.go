package harness

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// A Shuffle is the order in which scenarios begin, where that is not the order
// of the files. Results are reported in the order of the files all the same.
// Its zero value changes nothing.
type Shuffle struct {
	// mode is "on", "off" or a seed, as it was typed.
	mode string
	On   bool
	seed uint64
}

// Register adds --shuffle. Alone it means on, as it does for go test.
func (s *Shuffle) Register(flags *pflag.FlagSet) {
	f := flags.VarPF(s, "shuffle", "", "start the scenarios in a random order: on, off, or the `seed` of an\nearlier run; results are reported in file order all the same")
	f.NoOptDefVal = "on"
}

func (s *Shuffle) String() string { return s.mode }

// Type is what the value is called where it is wrong.
func (s *Shuffle) Type() string { return "shuffle" }

// Set reads the value of the flag.
func (s *Shuffle) Set(text string) error {
	on, seed, err := text == "on", uint64(0), error(nil)
	if !on && text != "off" {
		on = true
		seed, err = strconv.ParseUint(text, 10, 64)
	}
	if err == nil {
		*s = Shuffle{mode: text, On: on, seed: seed}
	}
	return err
}

// Check refuses the seed that stands apart: the flag alone is a whole flag, so
// that what follows it is a path.
func (s *Shuffle) Check(paths []string) error {
	if s.mode != "on" {
		return nil
	}
	for _, p := range paths {
		if _, err := strconv.ParseUint(p, 10, 64); err != nil {
			continue
		}
		if _, err := os.Stat(p); err != nil {
			return cli.Usagef("to give a seed, type --shuffle="+p, "there is no file or directory %s", p)
		}
	}
	return nil
}

// Drawn is the shuffle with a seed, also where none was given.
func (s Shuffle) Drawn() Shuffle {
	if s.On && s.mode == "on" {
		s.seed = cli.AnySeed()
	}
	return s
}

// tell says how the order is had again. It is said before anything runs, so that
// it is there whatever happens.
func (s *Shuffle) tell(w io.Writer) {
	fmt.Fprintf(w, "shuffled; --shuffle=%d repeats this order\n", s.seed)
}

// Turns is the order in which n things begin that have names. It sorts them by
// a digest, so that what is left out or added moves none of the others.
func (s *Shuffle) Turns(n int, name func(i int) string) []int {
	keys, order := make([][sha256.Size]byte, n), make([]int, n)
	for i := range keys {
		keys[i] = sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, s.seed), name(i)...))
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(bytes.Compare(keys[a][:], keys[b][:]), cmp.Compare(a, b))
	})
	return order
}

// shuffledKeep is how much more source than otherwise is kept compiled where
// the order is shuffled: up to there any two scenarios can change places.
const shuffledKeep = 8

// room is the room for compiled files. A suite that is larger is run file by
// file, each as soon as it is compiled. Whether it is larger does not depend on
// which file is read first, and so the seed alone decides about the order.
func (s *Shuffle) room(files []string, keep int64) *room {
	var total int64
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			total += info.Size()
		}
	}
	if total > shuffledKeep*keep {
		return NewRoom(-1)
	}
	return NewRoom(total)
}
