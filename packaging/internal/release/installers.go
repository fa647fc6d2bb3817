package release

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"
	"text/template"
)

//go:embed Dockerfile
var dockerfile []byte

var formula = template.Must(template.New("").Parse(`class Scenario < Formula
  desc "{{.Summary}}"
  homepage "{{.Homepage}}"
  version "{{.Version}}"
  license "Apache-2.0"
{{range .Systems}}
  on_{{.Name}} do
{{- range .Files}}
    on_{{.CPU}} do
      url "{{.URL}}"
      sha256 "{{.Sum}}"
    end
{{- end}}
  end
{{end}}
  def install
    bin.install "scenario"
    generate_completions_from_executable(bin/"scenario", "completion")
  end

  test do
    system bin/"scenario", "init", "demo"
    assert_match "1 passed, 1 failed", shell_output("#{bin}/scenario test demo", 1)
  end
end
`))

type download struct{ CPU, URL, Sum string }

func (r *Release) download(t target, cpu string) download {
	return download{cpu, downloads + "/" + r.Version + "/" + r.archive(t), r.sums[r.archive(t)]}
}

// installers writes the files of package managers that fetch an archive, of the
// systems that were built, and the Dockerfile.
func (r *Release) installers(built []target) error {
	if err := r.file("Dockerfile", dockerfile); err != nil {
		return err
	}
	type system struct {
		Name  string
		Files []download
	}
	var systems []system
	bucket := map[string]any{}
	for _, name := range []string{"macos", "linux"} {
		s := system{Name: name}
		for _, t := range built {
			if t.os == name || t.os == "darwin" && name == "macos" {
				s.Files = append(s.Files, r.download(t, map[string]string{"amd64": "intel", "arm64": "arm"}[t.arch]))
			}
		}
		if len(s.Files) > 0 {
			systems = append(systems, s)
		}
	}
	if len(systems) > 0 {
		var b bytes.Buffer
		if err := formula.Execute(&b, map[string]any{"Summary": summary, "Homepage": homepage, "Version": r.number(), "Systems": systems}); err != nil {
			return err
		}
		if err := r.file("scenario.rb", b.Bytes()); err != nil {
			return err
		}
	}
	for _, t := range built {
		if t.os == "windows" {
			d := r.download(t, "")
			bucket[map[string]string{"amd64": "64bit", "arm64": "arm64"}[t.arch]] = map[string]string{"url": d.URL, "hash": d.Sum}
		}
	}
	if len(bucket) == 0 || !slices.ContainsFunc(built, func(t target) bool { return t.os == "windows" }) {
		return nil
	}
	text, err := json.MarshalIndent(map[string]any{
		"version": r.number(), "description": summary, "homepage": homepage, "license": "Apache-2.0", "architecture": bucket, "bin": "scenario.exe",
	}, "", "  ")
	if err != nil {
		return err
	}
	return r.file("scenario.json", append(text, '\n'))
}
