package release

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/apk" // its packager
	_ "github.com/goreleaser/nfpm/v2/deb" // its packager
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // its packager
)

// packages writes those of Linux distributions.
func (r *Release) packages(t target, bin []byte) error {
	if t.os != "linux" {
		return nil
	}
	dir, err := os.MkdirTemp("", "packages")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	command := filepath.Join(dir, "scenario")
	if err := os.WriteFile(command, bin, 0o755); err != nil {
		return err
	}
	for _, format := range []string{"deb", "rpm", "apk"} {
		content, name, err := r.packaged(t, format, command)
		if err != nil {
			return err
		}
		if err := r.file(name, content); err != nil {
			return err
		}
	}
	return nil
}

// packaged is one package and its name.
func (r *Release) packaged(t target, format, command string) ([]byte, string, error) {
	owned := func(mode os.FileMode) *files.ContentFileInfo {
		return &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: r.at}
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "scenario", Arch: t.arch, Platform: "linux", Version: r.number(), VersionSchema: "semver",
		Section: "devel", Priority: "optional", Maintainer: vendor + " <noreply@scenario-lang.invalid>", Vendor: vendor,
		Description: summary, Homepage: homepage, License: "Apache-2.0", MTime: r.at,
		Overridables: nfpm.Overridables{
			Contents: files.Contents{
				{Source: command, Destination: "/usr/bin/scenario", FileInfo: owned(0o755)},
				{Source: filepath.Join(r.Root, "LICENSE"), Destination: "/usr/share/doc/scenario/copyright", FileInfo: owned(0o644)},
			},
			RPM: nfpm.RPM{BuildHost: "localhost"},
		},
	})
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return nil, "", err
	}
	packager, err := nfpm.Get(format)
	if err != nil {
		return nil, "", err
	}
	var b bytes.Buffer
	if err := packager.Package(info, &b); err != nil {
		return nil, "", err
	}
	return b.Bytes(), packager.ConventionalFileName(info), nil
}
