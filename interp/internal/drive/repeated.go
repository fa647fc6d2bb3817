package drive

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/drive/circumstance"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/lint/shell"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Repeated says of a check that looks in what the program wrote for what an answer says that the program
// was given that by its command, its environment or its standard input, too, and that no check of the
// output asks for more; "" where one does, or none looks for that. The command is what was started.
func (r *Run) Repeated(command []string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	j, reads := r.rejudges()
	if !reads || !r.endedWell() || len(r.plan.SnapshotChecks) > 0 || slices.ContainsFunc(r.plan.Invariants, func(i *plan.Invariant) bool { return i.Needs.Of("sut") != nil }) {
		return ""
	}
	given, answers := onBoth(r.handed(command)), onBoth(r.answers())
	name := ""
	for _, a := range r.plan.Asserts {
		if j.holds(a.Condition, output{}) {
			continue
		}
		if !j.holds(a.Condition, given) {
			return "" // it asks for more
		}
		if name == "" && j.holds(a.Condition, answers) {
			name = a.Name
		}
	}
	if name == "" {
		return ""
	}
	return fmt.Sprintf("assert %q looks in what the program wrote for something that an answer says, and the program was given it as well, by its command, its environment or its standard input: one that only repeats what it was given passes, too.\nhint: look for what the answer alone says", name)
}

// Unwritten says of a check that it looks in standard output for what a file has that the command of the program
// shows, and that nothing has written in this run: it is of an earlier one. "" where no check needs it.
func (r *Run) Unwritten(file shell.Shown, text string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	j, reads := r.rejudges()
	written, text := r.Obs.Sut.Stdout, strings.TrimSpace(text)
	if !reads || text == "" {
		return ""
	}
	rest := output{strings.ReplaceAll(written, text, ""), r.Obs.Sut.Stderr}
	if !file.Whole {
		rest.stdout = withoutLines(written, text)
	}
	if rest.stdout == written {
		return ""
	}
	for _, a := range r.plan.Asserts {
		if !j.holds(a.Condition, rest) {
			return fmt.Sprintf("assert %q looks for what the command shows of %s, which was there before the program started and was not written in this run: it is what an earlier run left, and a program that writes nothing passes as well.\nhint: begin the command with rm -f %[2]s && …; if the program must leave the file as it is, let the command make it first, with cp", a.Name, file.File)
		}
	}
	return ""
}

// How many lines are looked for in a file of which a part is shown, and in how long a one.
const (
	linesMost = 1000
	linesSize = 64 << 10
)

// withoutLines is what a program wrote without the lines that stand in a file, such as head, sort and jq make of
// it: white space, quotes and commas do not count.
func withoutLines(written, file string) string {
	bare := strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", `"`, "", ",", "")
	lines := strings.Split(written, "\n")
	if len(lines) > linesMost || len(file) > linesSize {
		return written
	}
	file = bare.Replace(file)
	lines = slices.DeleteFunc(lines, func(line string) bool {
		line = bare.Replace(line)
		return line != "" && strings.Contains(file, line)
	})
	return strings.Join(lines, "\n")
}

// Kept says of a step that limits the silence of the server that all that this asked was answered within the
// limit; see [circumstance.Kept].
func (r *Run) Kept() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return circumstance.Kept(r.plan, r.Obs)
}

// Handed are the texts that the program was given by itself: its arguments, the values of its environment and
// its input. The command is what was started.
func (r *Run) Handed(command []string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.allHanded(command)
	return append(h.Texts, h.Stdin)
}

func (r *Run) allHanded(command []string) circumstance.Handed {
	handed := circumstance.Handed{Command: command, Texts: slices.Clone(command[min(1, len(command)):]), Stdin: r.given.Stdin}
	for _, name := range read.SortedNames(r.given.Env) {
		handed.Texts = append(handed.Texts, r.given.Env[name])
	}
	return handed
}

// Outward are the paths with .. that the program was given; see [circumstance.Outward].
func (r *Run) Outward() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return circumstance.Outward(r.plan, r.Obs, r.given.Stdin)
}

// Chosen are the words of header fields by which the server is told what is wanted; see [circumstance.ChosenBy].
func (r *Run) Chosen() []circumstance.Chosen {
	r.mu.Lock()
	defer r.mu.Unlock()
	return circumstance.ChosenBy(r.plan, r.Obs)
}

// Unoffered are the tools that were asked for and not offered; see [circumstance.Unoffered].
func (r *Run) Unoffered() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return circumstance.Unoffered(r.plan, r.Obs)
}

// FromOutput are the texts that checks rule out of what the program wrote; see [circumstance.FromOutput].
func (r *Run) FromOutput() []circumstance.RuledOut {
	r.mu.Lock()
	defer r.mu.Unlock()
	return circumstance.FromOutput(r.plan, r.Obs)
}

// Trials are what the scenario means to show, and whether the run puts it to the test; see [circumstance.Apart],
// [circumstance.Doubled], [circumstance.FailedLast], [circumstance.Signed], [circumstance.Met],
// [circumstance.KeptInOrder], [circumstance.StoppedAtWork], [circumstance.BrokenOff] and [circumstance.AnyFailure]. The command is what was started, and files are those
// that it may have read.
func (r *Run) Trials(command []string, files func() circumstance.Files) []circumstance.Trial {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := slices.Concat(circumstance.BrokenOff(r.plan, r.Obs), circumstance.AnyFailure(r.plan, r.Obs))
	if !r.endedWell() {
		return list
	}
	return slices.Concat(list, circumstance.Apart(r.plan, r.Obs), circumstance.Doubled(r.plan, r.Obs, r.allHanded(command), files), circumstance.FailedLast(r.plan, r.Obs), circumstance.Signed(r.plan, r.Obs), circumstance.Met(r.plan, r.Obs), circumstance.KeptInOrder(r.plan, r.Obs), circumstance.StoppedAtWork(r.plan, r.Obs), r.knownAlready(command, files))
}

// Zoned says of a check that it has a time of day which the program wrote or sent as one of UTC, in a zone that
// is UTC: local time is the same there. "" where the program was given a zone or the time, and where no check has
// one. The command is what was started, and zone is that of the machine.
func (r *Run) Zoned(command []string, zone *time.Location, now time.Time) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, told := r.given.Env["TZ"]
	if told || !r.endedWell() || !circumstance.IsUTC(zone, now) || slices.ContainsFunc(command, func(word string) bool { return strings.Contains(word, "TZ=") }) {
		return ""
	}
	clocks := circumstance.Clocks(r.plan.Conditions())
	if len(clocks) == 0 {
		return ""
	}
	said, asked := r.uttered()
	as := circumstance.AsUTC(clocks, said, strings.Join([]string{strings.Join(command, "\n"), r.handed(command), r.answers(), asked}, "\n"))
	if as == "" {
		return ""
	}
	return fmt.Sprintf("a check has a time of day that the program gives as one of UTC, %s, and the machine's zone is UTC, too: a program that takes its local time and calls it UTC passes as well.\nhint: give the sut another zone: env = { TZ = \"America/New_York\" }", as)
}

// uttered is what the program wrote, sent and answered, and what it was asked by the scenario.
func (r *Run) uttered() (said, asked string) {
	var out, in strings.Builder
	out.WriteString(r.Obs.Sut.Stdout + "\n" + r.Obs.Sut.Stderr + "\n")
	ours := map[string]bool{} // steps that ask the program
	for _, e := range r.Log.Events() {
		if out.Len()+in.Len() > linkedMax {
			break
		}
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			if p.Request == nil {
				continue
			}
			text := p.URL + "\n" + p.Body + "\n" + p.Statement + "\n"
			if u, err := url.QueryUnescape(p.URL); err == nil {
				text += u + "\n"
			}
			if ours[e.Step] = p.Asker == nil; ours[e.Step] {
				in.WriteString(text)
			} else {
				out.WriteString(text)
			}
		case *event.AttemptEnd:
			if ours[e.Step] {
				out.WriteString(p.Content + "\n")
			}
		}
	}
	return out.String(), in.String()
}

// onBoth is an output that has the same on both streams.
func onBoth(text string) output { return output{text, text} }

// handed is what the scenario gives a program that it may repeat: not what it is called, nor what it
// is made of, such as its source.
func (r *Run) handed(command []string) string {
	var list []string
	source := false
	for _, word := range command[min(1, len(command)):] {
		if !source && !strings.Contains(word, "/") && path.Ext(word) == "" {
			list = append(list, word)
		}
		source = slices.Contains(sources, word)
	}
	for _, name := range read.SortedNames(r.given.Env) {
		list = append(list, r.given.Env[name])
	}
	return strings.Join(append(list, r.given.Stdin), "\n")
}

// sources are the options of shells and of interpreters behind which a program stands.
var sources = []string{"-c", "-lc", "-ec", "-e", "--eval", "-p", "--print", "-r"}

// answers are what services answered a program that succeeded.
func (r *Run) answers() string {
	var list []string
	for _, n := range r.plan.Endpoints {
		s := r.Obs.Steps[n.Name]
		if s == nil {
			continue
		}
		for _, a := range s.Asked() {
			if a.End.Outcome == read.StatusSuccess {
				list = append(list, a.End.Content, strings.Join(a.End.Chunks, ""))
			}
		}
	}
	return strings.Join(list, "\n")
}
