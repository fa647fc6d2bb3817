package release

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// wheelVersion is the version as Python writes it (PEP 440): v1.2.3-rc.1 is 1.2.3rc1,
// and one that names a commit is 0.0.0.dev with its time.
func (r *Release) wheelVersion() string {
	number, pre, ok := strings.Cut(r.number(), "-")
	if !ok {
		return number
	}
	if digits, _, _ := strings.Cut(pre, "-"); len(digits) == 14 {
		return number + ".dev" + digits
	}
	return number + strings.ReplaceAll(strings.Replace(strings.Replace(pre, "alpha", "a", 1), "beta", "b", 1), ".", "")
}

// wheel writes the package for Python that carries the command to one system, in the
// format of PEP 427.
func (r *Release) wheel(t target, bin []byte) error {
	version := r.wheelVersion()
	stem := wheelName + "-" + version
	readme, err := os.ReadFile(filepath.Join(r.Root, "README.md"))
	if err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(r.Root, "LICENSE"))
	if err != nil {
		return err
	}
	var tags strings.Builder
	for tag := range strings.SplitSeq(t.wheel, ".") {
		fmt.Fprintf(&tags, "Tag: py3-none-%s\n", tag)
	}
	entries := []entry{
		{stem + ".data/scripts/" + t.binary(), 0o755, bin},
		{stem + ".dist-info/METADATA", 0o644, fmt.Appendf(nil, "Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: %s\nHome-page: %s\nLicense: Apache-2.0\nRequires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n%s", strings.ReplaceAll(wheelName, "_", "-"), version, summary, homepage, readme)},
		{stem + ".dist-info/LICENSE", 0o644, license},
		{stem + ".dist-info/WHEEL", 0o644, []byte("Wheel-Version: 1.0\nGenerator: scenario packaging\nRoot-Is-Purelib: false\n" + tags.String())},
	}
	var record strings.Builder
	for _, e := range entries {
		sum := sha256.Sum256(e.content)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", e.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(e.content))
	}
	name := stem + ".dist-info/RECORD"
	entries = append(entries, entry{name, 0o644, []byte(record.String() + name + ",,\n")})
	content, err := zipped(entries, r.at)
	if err != nil {
		return err
	}
	return r.file(fmt.Sprintf("%s-py3-none-%s.whl", stem, t.wheel), content)
}
