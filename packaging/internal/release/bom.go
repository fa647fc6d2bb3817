package release

import (
	"bytes"
	"debug/buildinfo"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// bom writes what the command of a system is made of, as the command itself says it,
// in the format of CycloneDX.
func (r *Release) bom(t target, bin []byte) error {
	info, err := buildinfo.Read(bytes.NewReader(bin))
	if err != nil {
		return err
	}
	components := []cdx.Component{{
		BOMRef: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"), Type: cdx.ComponentTypeLibrary,
		Name: "std", Version: strings.TrimPrefix(info.GoVersion, "go"), PackageURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"),
	}}
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		url := "pkg:golang/" + dep.Path + "@" + dep.Version
		components = append(components, cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: dep.Path, Version: dep.Version, PackageURL: url})
	}
	slices.SortFunc(components, func(a, b cdx.Component) int { return strings.Compare(a.BOMRef, b.BOMRef) })
	doc := cdx.NewBOM()
	doc.Metadata = &cdx.Metadata{
		Timestamp: r.at.Format(time.RFC3339),
		Component: &cdx.Component{
			BOMRef: "scenario", Type: cdx.ComponentTypeApplication, Name: "scenario", Version: r.Version,
			PackageURL: "pkg:golang/github.com/scenario-lang/scenario@" + r.Version,
			Licenses:   &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}},
		},
	}
	doc.Components = &components
	var b bytes.Buffer
	if err := cdx.NewBOMEncoder(&b, cdx.BOMFileFormatJSON).SetPretty(true).Encode(doc); err != nil {
		return err
	}
	return r.file("scenario_"+r.number()+"_"+t.os+"_"+t.arch+".cdx.json", b.Bytes())
}
