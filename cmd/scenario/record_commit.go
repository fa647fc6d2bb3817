package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/recording"
)

// recording is what the flags say of what is recorded.
func (f *liveFlags) recording() recording.Options {
	return recording.Options{At: now().UTC(), Steps: f.steps(), Missing: f.missing, Check: f.checks}
}

// notRecorded ends a command that cannot record what it is to. Instead is what one can
// do who wants no recording.
func notRecorded(err error, instead string) error {
	var unnamed *recording.UnnamedError
	if errors.As(err, &unnamed) {
		return usagef("add cassette { path = \"cassettes/….yaml\" } to it"+instead, "%s", unnamed)
	}
	hint := ""
	var in *recording.Error
	switch {
	case !errors.As(err, &in):
	case errors.Is(err, fs.ErrNotExist):
		hint = fmt.Sprintf("scenario record %s creates it", in.Cassette.Users[0].File)
	case errors.Is(err, cassette.ErrJournal):
		hint = fmt.Sprintf("scenario record --recover %s saves what it holds; remove the journal to discard it", in.Cassette.Users[0].File)
	}
	return &exitError{exitCassette, err.Error(), hint}
}

// commit puts the recordings in the place of the files, and says so.
func (s *invocation) commit(set *recording.Set) error {
	why := ""
	if s.halt.cause() != exitPassed {
		why = "the run was interrupted"
	}
	done, err := set.Commit(why)
	var lost error
	for i := range done {
		lost = worstError(lost, s.committed(&done[i]))
	}
	if err != nil {
		return &exitError{exitInternal, err.Error(), ""}
	}
	return lost
}

// committed says what became of one cassette. It is an error where its answers
// would have been lost.
func (s *invocation) committed(c *recording.Committed) error {
	unanswered := strings.Join(c.Unanswered, ", ")
	switch {
	case c.Broken != "":
		fmt.Fprintf(s.stderr, "%s is unchanged: %s\n", c.Path, c.Broken)
		if c.Recorded > 0 {
			fmt.Fprintf(s.stderr, "hint: scenario record --recover %s keeps %s of this recording\n", c.Users[0].File, plural(c.Recorded, "interaction"))
		}
		return nil
	case c.Lost:
		return worstError(c.Discarding, &exitError{
			exitCassette,
			fmt.Sprintf("%s is unchanged: it holds answers, and now no call reached a service (%s)", c.Path, cmp.Or(unanswered, "given up")),
			"is the service up, and is the address right? To record that nothing answers, remove the file and record again",
		})
	}
	if !s.common.quiet {
		fmt.Fprintf(s.stderr, "%s: recorded %s, %d in all\n", c.Path, plural(c.Recorded, "interaction"), c.Total)
	}
	if unanswered != "" {
		fmt.Fprintf(s.stderr, "Warning: %s: calls reached no service (%s), and a replay now gives the same\nhint: if it should have been there, record again, or restore the file from version control\n", c.Path, unanswered)
	}
	if data, err := disk.Read(c.Path, importMax); err == nil {
		s.warnOfSuspects(c.Path, data, nil, nil)
	}
	if len(c.Dropped) > 0 {
		fmt.Fprintf(s.stderr, "Warning: %s: headers are read by names that are not written in the file, so these fields of the answers were not kept: %s\nhint: list those that a replay needs in match_headers of the cassette block\n", c.Path, strings.Join(c.Dropped, ", "))
	}
	return nil
}
