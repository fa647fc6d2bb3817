package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ownInitMax bounds, in bytes, what the packages of this module allocate before
// any command begins: 422,312 when this was written, half of it the tables of what
// expressions can read.
const ownInitMax = 450_000

var initLine = regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, (\d+) allocs`)

// Every command pays for what packages do before it begins, most of all those that
// answer in a few milliseconds.
func TestLittleIsDoneBeforeACommandBegins(t *testing.T) {
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector allocates, too")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, said.Bytes())
	}
	total, packages := 0, 0
	for _, m := range initLine.FindAllStringSubmatch(said.String(), -1) {
		if !strings.HasPrefix(m[1], "github.com/scenario-lang/scenario/") || strings.Contains(m[1], "/cmd/") {
			continue
		}
		n, _ := strconv.Atoi(m[2])
		total, packages = total+n, packages+1
	}
	if packages < 30 || total > ownInitMax {
		t.Errorf("%d packages allocate %d bytes before a command begins, and may %d at most:\n%s", packages, total, ownInitMax, said.Bytes())
	}
	t.Logf("%d packages, %d bytes", packages, total)
}
