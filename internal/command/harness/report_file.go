package harness

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/report"
)

// A reportFile puts its file in place when the report ends.
type reportFile struct {
	report.Reporter
	file *disk.Atomic
	flag reportFlag
	// spools hold what the report writes at its end.
	spools []*disk.Spool
	// pages are its further files, nil where it can have none.
	pages *disk.Folder
}

// spool is a place for what has to wait, beside the report.
func (f *reportFile) spool() report.Spool {
	s := disk.NewSpool(filepath.Dir(f.flag.Path))
	f.spools = append(f.spools, s)
	return s
}

// morePages is where a page puts what it has no room for: report.html has a
// directory report.pages. A device or a pipe has nothing beside it, and a
// directory with something else in it stays as it is: then there is one page.
func (f *reportFile) morePages() *report.Pages {
	if f.flag.Format.Name != pageFormat || !f.file.Replaces() {
		return nil
	}
	dir := strings.TrimSuffix(f.flag.Path, filepath.Ext(f.flag.Path)) + ".pages"
	folder := disk.NewFolder(dir, f.flag.Format.Start)
	if !folder.Free() {
		return nil
	}
	f.pages = folder
	return &report.Pages{First: filepath.Base(f.flag.Path), Dir: filepath.Base(dir), Write: folder.Write}
}

// pageFormat is the format that may need more files than one.
const pageFormat = "html"

// discard takes back what is not in place yet.
func (f *reportFile) discard() {
	f.file.Discard()
	for _, s := range f.spools {
		s.Close()
	}
	if f.pages != nil {
		f.pages.Discard()
	}
}

func (f *reportFile) Add(e report.Entry) error { return f.explain(f.Reporter.Add(e)) }

func (f *reportFile) Invalid(d report.Diagnostic) error { return f.explain(f.Reporter.Invalid(d)) }

func (f *reportFile) Close(s report.Summary) error {
	defer f.discard()
	err := f.Reporter.Close(s)
	if err == nil && f.pages != nil {
		err = f.pages.Commit()
	}
	if err == nil {
		err = f.file.Commit()
	}
	return f.explain(err)
}

func (f *reportFile) explain(err error) error {
	if err == nil {
		return nil
	}
	return cli.ExitAs(cli.ExitInternal, fmt.Sprintf("cannot write the %s report to %s: %s", f.flag.Format.Name, filepath.ToSlash(f.flag.Path), disk.Cause(err)), "free some space, or name another place")
}
