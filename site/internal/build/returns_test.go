package build

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Shows that return addresses become distances, each byte by hand.
func TestDistances(t *testing.T) {
	module := "00" + "2001" + "42" + "8180c000" + "370300" + "ff" + // 1<<20 + 1
		"2001" + "42" + "8280c000" + "370300" + // one more
		"2001" + "42" + "8080c000" + "370300" + // two less
		"2001" + "42" + "05" + "370308" + // stored elsewhere
		"2001" + "200142" + "8080c000" + "370300" + "2001"
	want := "35000000" + "00" + "2001" + "42" + "8180c000" + "370300" + "ff" +
		"2001" + "42" + "01" + "370300" +
		"2001" + "42" + "7e" + "370300" +
		"2001" + "42" + "05" + "370308" +
		"2001" + "200142" + "00" + "370300" + "2001"
	text, err := hex.DecodeString(module)
	if err != nil {
		t.Fatal(err)
	}
	got, err := distances(text)
	if err != nil || hex.EncodeToString(got) != want {
		t.Errorf("%x, %v and not\n%s", got, err, want)
	}
	if _, err := distances([]byte{0x20, 0x01, 0x42, 0x81, 0x00, 0x37, 0x03, 0x00}); err == nil {
		t.Error("a number with a byte too many is written again with fewer")
	}
}

// Shows that the page makes the same bytes of any distances.
func TestDistancesInThePage(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no Node")
	}
	pieces := [][]byte{beforeReturn, afterReturn, {0x20}, {0x01}, {0x42}, {0x37}, {0x80}, {0xff, 0x01}, {0x00}}
	var all []byte
	r := rand.New(rand.NewPCG(1, 1))
	for range 200_000 {
		if r.IntN(4) == 0 {
			all = append(appendSigned(append(all, beforeReturn...), r.Int64N(1<<33)-1<<32), afterReturn...)
		}
		all = append(all, pieces[r.IntN(len(pieces))]...)
	}
	// Numbers that Go would write shorter are none of its modules.
	packed := append([]byte{0, 0, 0, 0}, rewritten(all, func(at, before int64) (int64, int64) { return at - before, at })...)
	all = restored(packed)
	packed, err = distances(all)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "packed")
	if err := os.WriteFile(file, packed, 0o600); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../../playground/returns.js")
	if err != nil {
		t.Fatal(err)
	}
	run := string(script) + `
require("fs").writeFileSync(process.argv[1] + ".js", withReturns(new Uint8Array(require("fs").readFileSync(process.argv[1]))));`
	if out, err := exec.Command(node, "-e", run, file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got, err := os.ReadFile(file + ".js")
	if err != nil || !bytes.Equal(got, all) {
		t.Errorf("%v: the page makes %d other bytes of the %d", err, len(got), len(all))
	}
}
