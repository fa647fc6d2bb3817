package release

import (
	_ "embed"
	"encoding/json"
	"strings"
)

//go:embed npm.js
var npmScript []byte

// A manifest is a package.json.
type manifest struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Description  string            `json:"description"`
	License      string            `json:"license"`
	Homepage     string            `json:"homepage"`
	Bin          map[string]string `json:"bin,omitempty"`
	OS           []string          `json:"os,omitempty"`
	CPU          []string          `json:"cpu,omitempty"`
	Files        []string          `json:"files"`
	Engines      map[string]string `json:"engines,omitempty"`
	Optional     map[string]string `json:"optionalDependencies,omitempty"`
	PreferUnplug bool              `json:"preferUnplugged,omitempty"`
}

func (r *Release) manifest(name string) manifest {
	return manifest{Name: name, Version: r.number(), Description: summary, License: "Apache-2.0", Homepage: homepage}
}

// npm writes the package that carries the command to one system.
func (r *Release) npm(t target, bin []byte) error {
	m := r.manifest(npmName + "-" + t.npm)
	system, cpu, _ := strings.Cut(t.npm, "-")
	m.OS, m.CPU, m.Files, m.PreferUnplug = []string{system}, []string{cpu}, []string{"bin"}, true
	return r.npmPackage(m, t.npm, entry{"package/bin/" + t.binary(), 0o755, bin})
}

// npmMain writes the package that people install: it finds the one of their system.
func (r *Release) npmMain() error {
	m := r.manifest(npmName)
	m.Bin, m.Files = map[string]string{"scenario": "bin/scenario.js"}, []string{"bin"}
	m.Engines, m.Optional = map[string]string{"node": ">=18"}, map[string]string{}
	for _, t := range targets {
		m.Optional[npmName+"-"+t.npm] = r.number()
	}
	return r.npmPackage(m, "", entry{"package/bin/scenario.js", 0o755, npmScript})
}

func (r *Release) npmPackage(m manifest, suffix string, file entry) error {
	entries, err := r.documents()
	if err != nil {
		return err
	}
	for i := range entries {
		entries[i].name = "package/" + entries[i].name
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	entries = append([]entry{{"package/package.json", 0o644, append(text, '\n')}}, append(entries, file)...)
	content, err := tarball(entries, r.at)
	if err != nil {
		return err
	}
	name := "scenario-cli-npm-" + r.number()
	if suffix != "" {
		name = "scenario-cli-" + suffix + "-npm-" + r.number()
	}
	return r.file(name+".tgz", content)
}
