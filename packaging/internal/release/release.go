package release

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Release is what is built from where.
type Release struct {
	// Root is the repository, Out the directory that is written, Only a system that
	// alone is built for, "" for all.
	Root, Out, Only string
	// Version begins with v; "" takes one that names the commit.
	Version string
	Log     io.Writer

	at   time.Time         // of every file in an archive
	sums map[string]string // of the files that were written
}

var semantic = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$`)

// marker is in every directory that was written here, so that no other one is removed.
const marker = ".scenario-release"

// Write builds everything.
func (r *Release) Write() error {
	if err := r.begin(); err != nil {
		return err
	}
	all := slices.DeleteFunc(slices.Clone(targets), func(t target) bool { return r.Only != "" && t.String() != r.Only })
	if len(all) == 0 {
		return fmt.Errorf("there is no release for %s: the systems are %v", r.Only, targets)
	}
	for _, t := range all {
		if err := r.target(t); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	if err := r.npmMain(); err != nil {
		return err
	}
	if err := r.installers(all); err != nil {
		return err
	}
	return r.checksums()
}

// begin learns the version and the time, and makes the directory.
func (r *Release) begin() error {
	seconds, err := r.git("log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds = epoch
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("the time of the release is no number of seconds: %q", seconds)
	}
	r.at = time.Unix(n, 0).UTC()
	if r.Version == "" {
		commit, err := r.git("rev-parse", "--short=12", "HEAD")
		if err != nil {
			return err
		}
		r.Version = "v0.0.0-" + r.at.Format("20060102150405") + "-" + commit
	}
	if !semantic.MatchString(r.Version) {
		return fmt.Errorf("the version %q is not of the form v1.2.3", r.Version)
	}
	entries, err := os.ReadDir(r.Out)
	if err == nil && len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(r.Out, marker)); err != nil {
			return fmt.Errorf("%s is a directory that holds something else: name another one, or remove it", r.Out)
		}
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.RemoveAll(r.Out); err != nil {
		return err
	}
	if err := os.MkdirAll(r.Out, 0o777); err != nil {
		return err
	}
	r.sums = map[string]string{}
	return os.WriteFile(filepath.Join(r.Out, marker), nil, 0o666)
}

func (r *Release) git(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = r.Root
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// target builds the command for a system, and all that carries it there.
func (r *Release) target(t target) error {
	fmt.Fprintln(r.Log, "building for", t)
	bin, err := r.build(t)
	if err != nil {
		return err
	}
	for _, write := range []func(target, []byte) error{r.archived, r.bom, r.npm, r.wheel, r.packages} {
		if err := write(t, bin); err != nil {
			return err
		}
	}
	return nil
}

// stamped is the variable of the command that holds the version of a release.
const stamped = "github.com/scenario-lang/scenario/internal/command/cli.release"

// build is the command for a system.
func (r *Release) build(t target) ([]byte, error) {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, t.binary())
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid= -X "+stamped+"="+r.Version, "-o", file, "./cmd/scenario")
	cmd.Dir = r.Root
	cmd.Env = append(os.Environ(), "GOOS="+t.os, "GOARCH="+t.arch, "GOAMD64=v1", "GOARM64=v8.0", "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return os.ReadFile(file)
}

// file writes a file of the release and remembers its checksum.
func (r *Release) file(name string, content []byte) error {
	sum := sha256.Sum256(content)
	r.sums[name] = hex.EncodeToString(sum[:])
	return os.WriteFile(filepath.Join(r.Out, name), content, 0o666)
}

// checksums lists all files as sha256sum does.
func (r *Release) checksums() error {
	var names []string
	for name := range r.sums {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "%s  %s\n", r.sums[name], name)
	}
	return os.WriteFile(filepath.Join(r.Out, "SHA256SUMS"), []byte(b.String()), 0o666)
}
