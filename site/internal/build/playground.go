package build

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// An Example is a file that the playground offers.
type Example struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// EngineName is the file of the engine. It is compressed by zstd, which makes it a
// quarter smaller than gzip does.
const EngineName = "playground/scenario.wasm.zst"

// playground writes the page, its examples and, where it is wanted, its engine.
func (s *Site) playground() ([]Example, error) {
	for _, name := range []string{"index.html", "play.css", "play.js", "worker.js", "returns.js", "vendor/zstddec.mjs", "vendor/zstddec.LICENSE"} {
		text, err := os.ReadFile(filepath.Join(s.Root, "site", "playground", filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		if err := s.file("playground/"+name, text); err != nil {
			return nil, err
		}
	}
	examples, err := Examples(s.Root)
	if err != nil {
		return nil, err
	}
	list, err := json.Marshal(examples)
	if err != nil {
		return nil, err
	}
	if err := s.file("playground/examples.js", fmt.Appendf(nil, "window.SCENARIO_EXAMPLES = %s;\n", list)); err != nil {
		return nil, err
	}
	if !s.Engine {
		return examples, nil
	}
	return examples, s.engine()
}

// Examples are those of the playground: the first scenario of the tutorial's kind,
// then the cookbook in the order of its names.
func Examples(root string) ([]Example, error) {
	names := []string{filepath.Join(root, "scenarios", "first.scenario.hcl")}
	cookbook, err := filepath.Glob(filepath.Join(root, "scenarios", "cookbook", "*.scenario.hcl"))
	if err != nil {
		return nil, err
	}
	var all []Example
	for _, name := range append(names, cookbook...) {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		base := filepath.Base(name)
		title := strings.ReplaceAll(strings.TrimSuffix(base, ".scenario.hcl"), "_", " ")
		all = append(all, Example{Name: base, Title: strings.ToUpper(title[:1]) + title[1:], Text: string(text)})
	}
	return all, nil
}

// engine builds the WebAssembly. Without inlining it is a sixth smaller, but for packages
// whose tables are made when a program starts, unless what makes them is inlined. One source is
// the same bytes in every checkout: a few other ones change what it is packed to by a
// hundredth. It reaches no network, so HTTP/2 is left out.
func (s *Site) engine() error {
	dir, err := os.MkdirTemp("", "engine")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "scenario.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags=nethttpomithttp2", "-gcflags=all=-l", "-gcflags=net/...=", "-ldflags=-s -w -buildid=", "-o", file, "./wasm")
	cmd.Dir = filepath.Join(s.Root, "site")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=-trimpath")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the engine: %w\n%s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	packed, err := distances(text)
	if err != nil {
		return err
	}
	packed, err = pack(packed)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Log, "engine: %d bytes, %d to load\n", len(text), len(packed))
	if err := s.file(EngineName, packed); err != nil {
		return err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	return s.file("playground/wasm_exec.js", glue)
}

// windowMax is the largest window that the engine is compressed with, 64 MiB: all of it.
const windowMax = 1 << 26

// pack compresses the engine: by the program zstd where there is one, which is slower
// and better, else by a library. Its search for long matches makes it 0.5 % smaller or
// 1 % larger, as it happens, so that a few lines of code could cost as much as a library.
func pack(text []byte) ([]byte, error) {
	if program, err := exec.LookPath("zstd"); err == nil {
		cmd := exec.Command(program, "-q", "--ultra", "-22", "--zstd=wlog=26", "--no-check", fmt.Sprintf("--stream-size=%d", len(text)), "-c")
		cmd.Stdin = bytes.NewReader(text)
		return cmd.Output()
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(windowMax), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, err
	}
	return w.EncodeAll(text, nil), nil
}
