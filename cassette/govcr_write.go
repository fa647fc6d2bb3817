package cassette

import (
	"io"

	vcr "github.com/dnaeon/go-vcr/v2/cassette"
	"gopkg.in/yaml.v3"
)

// WriteVCR1 writes what go-vcr v1 and v2 read. Interactions without an answer are
// left out.
func WriteVCR1(w io.Writer, c *Cassette) error {
	file := struct {
		Version      int               `yaml:"version"`
		Interactions []vcr.Interaction `yaml:"interactions"`
	}{Version: 1, Interactions: []vcr.Interaction{}}
	for _, it := range c.Interactions {
		if it.Error == "" {
			file.Interactions = append(file.Interactions, toV1(it))
		}
	}
	return writeYAML(w, file)
}

// A fileV2 is what go-vcr v3 and v4 read.
type fileV2 struct {
	Version      int      `yaml:"version"`
	Interactions []itemV2 `yaml:"interactions"`
}

// WriteVCR2 writes what go-vcr v3 and v4 read. Interactions without an answer are
// left out.
func WriteVCR2(w io.Writer, c *Cassette) error {
	file := fileV2{Version: 2, Interactions: []itemV2{}}
	for _, it := range c.Interactions {
		if it.Error == "" {
			file.Interactions = append(file.Interactions, toV2(it, len(file.Interactions)))
		}
	}
	return writeYAML(w, file)
}

func writeYAML(w io.Writer, file any) error {
	data, err := yaml.Marshal(file)
	if err != nil {
		return err
	}
	_, err = w.Write(append([]byte("---\n"), data...))
	return err
}
