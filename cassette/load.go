package cassette

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/scenario-lang/scenario/cassette/agentloom"
	"github.com/scenario-lang/scenario/cassette/internal/disk"
	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/foreign"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"gopkg.in/yaml.v3"
)

// Load reads the cassette at path. A file that is not usable gives a
// *[LoadError]; one that cannot be read gives the error of package os.
func Load(path string) (*Cassette, error) {
	data, err := disk.Read(path)
	if err != nil {
		return nil, err
	}
	return parseWith(path, data, bodiesOf(disk.OS{}, disk.Target(path)))
}

// Parse reads a cassette from data; path only names it in messages. It keeps
// no part of data. Every error is a *[LoadError]; a file with bodies beside it
// is one, as only [Load] reads those.
func Parse(path string, data []byte) (*Cassette, error) { return parseWith(path, data, nil) }

func parseWith(path string, data []byte, bodies *bodyFolder) (*Cassette, error) {
	c, err := parse(data, bodies)
	if err != nil {
		e := loadErrorOf(err)
		e.Path = path
		return nil, e
	}
	c.Path = path
	c.Digest = digest(data)
	return c, nil
}

func loadErrorOf(err error) *LoadError {
	var e *LoadError
	if !errors.As(err, &e) {
		e = &LoadError{Problem: err.Error(), Err: err}
	}
	return e
}

// parse turns a panic of the YAML library into an error: no file may end the
// program.
func parse(data []byte, bodies *bodyFolder) (c *Cassette, err error) {
	defer func() {
		if p := recover(); p != nil {
			c, err = nil, flaw.New(0, flaw.Restore, "the file cannot be read as YAML: %v", p)
		}
	}()
	if len(data) > disk.SizeMax {
		return nil, flaw.New(0, "split the recording by scenario", "the file has more than %d MiB", disk.SizeMax>>20)
	}
	root := yamlnode.FromJSON(data)
	isJSON := root != nil
	if !isJSON {
		if root, err = rootNode(data); err != nil {
			return nil, err
		}
	}
	switch {
	case isOwn(root):
		return parseOwn(root, data, bodies)
	case isVCRPy(yamlnode.FirstItem(yamlnode.Lookup(root, "interactions"))):
		return parseVCRPy(root, data)
	case isJSON && foreign.IsAgentLoom(root):
		return loomCassette(root)
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
		e := flaw.New(yamlnode.ErrorLine(err), flaw.Restore, "%s%s", problem, yamlnode.ErrorText(err))
		e.Err = err
		return nil, e
	}
	if len(doc.Content) == 0 {
		return nil, flaw.New(0, flaw.Restore, "the file is empty")
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, flaw.New(root.Line, flaw.Restore, "a cassette is a mapping with the key \"interactions\"; this is %s", yamlnode.KindName(root))
	}
	return root, nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// loomCassette is a response file of AgentLoom as a cassette without
// interactions.
func loomCassette(root *yaml.Node) (*Cassette, error) {
	scripts, warnings, err := agentloom.Parse(root)
	if err != nil {
		return nil, err
	}
	return &Cassette{Format: "agentloom", Whole: true, Scripts: scripts, Warnings: warnings}, nil
}

// A LoadError says why a file is no usable cassette: the file, the line, what
// is wrong and what to do next. The file was only read.
type LoadError = flaw.Error
