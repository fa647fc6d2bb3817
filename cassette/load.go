package cassette

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"gopkg.in/yaml.v3"
)

// sizeMax bounds a file: what is larger is no recording of tests.
const sizeMax = 256 << 20

// Load reads the cassette at path. A file that is not usable gives a
// *[LoadError]; one that cannot be read gives the error of package os.
func Load(path string) (*Cassette, error) {
	data, err := readBounded(path)
	if err != nil {
		return nil, err
	}
	return parseWith(path, data, bodiesOf(osDisk{}, linked(path)))
}

// readBounded reads a file, or so much of it that it is too large.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, sizeMax+1))
	if err != nil {
		return nil, fmt.Errorf("cassette %s: %w", path, err)
	}
	return data, nil
}

// Parse reads a cassette from data; path only names it in messages. It keeps
// no part of data. Every error is a *[LoadError]; a file with bodies beside it
// is one, as only [Load] reads those.
func Parse(path string, data []byte) (*Cassette, error) { return parseWith(path, data, nil) }

func parseWith(path string, data []byte, bodies *bodyFolder) (*Cassette, error) {
	c, err := parse(data, bodies)
	if err != nil {
		var e *LoadError
		if !errors.As(err, &e) {
			e = &LoadError{Problem: err.Error(), Err: err}
		}
		e.Path = path
		return nil, e
	}
	c.Path = path
	c.Digest = digest(data)
	return c, nil
}

// parse turns a panic of the YAML library into an error: no file may end the
// program.
func parse(data []byte, bodies *bodyFolder) (c *Cassette, err error) {
	defer func() {
		if p := recover(); p != nil {
			c, err = nil, flaw(0, hintRestore, "the file cannot be read as YAML: %v", p)
		}
	}()
	if len(data) > sizeMax {
		return nil, flaw(0, "split the recording by scenario", "the file has more than %d MiB", sizeMax>>20)
	}
	root := jsonTree(data)
	isJSON := root != nil
	if !isJSON {
		if root, err = rootNode(data); err != nil {
			return nil, err
		}
	}
	switch {
	case isOwn(root):
		return parseOwn(root, data, bodies)
	case isVCRPy(firstItem(lookup(root, "interactions"))):
		return parseVCRPy(root, data)
	case isJSON && isAgentLoom(root):
		return parseAgentLoom(root)
	}
	if err := refuseOthers(root); err != nil {
		return nil, err
	}
	return parseForeign(root, data)
}

// rootNode returns the top-level mapping of the file.
func rootNode(data []byte) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		problem := "the file is not valid YAML: "
		if looksOwn(data) {
			problem = "cassette truncated or damaged: "
		}
		e := flaw(yamlLine(err), hintRestore, "%s%s", problem, yamlText(err))
		e.Err = err
		return nil, e
	}
	if len(doc.Content) == 0 {
		return nil, flaw(0, hintRestore, "the file is empty")
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, flaw(root.Line, hintRestore, "a cassette is a mapping with the key \"interactions\"; this is %s", kindName(root))
	}
	return root, nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}
