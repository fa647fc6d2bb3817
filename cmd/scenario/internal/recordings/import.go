package recordings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/convert"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/recording"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// importFlags are what `scenario import` can be told.
type importFlags struct {
	format, output, trace string
	force, program        bool
}

// traceFormat is the name of the format of traces, which are drafted and not
// converted.
const traceFormat = "otlp"

func importFormats() []string { return append(convert.ImportFormats(), traceFormat) }

// ImportCommand is `scenario import`.
func ImportCommand(a *cli.App) *cobra.Command {
	f := &importFlags{}
	formats := strings.Join(importFormats(), ", ")
	cmd := &cobra.Command{
		Use:   "import path",
		Short: "Convert another tool's files to scenarios or a cassette",
		Long: "Read a HAR file, fixtures of aimock, stub mappings of WireMock or a response file;\n" +
			"for the first three also a folder of such files, which are imported as one.\n" +
			"A HAR file becomes a cassette; the others become a scenario file whose scripts give the same\n" +
			"answers, and which passes as it is. What could not be converted is reported on standard error.\n" +
			"Of a file of OpenTelemetry traces (OTLP/JSON, or the JSON of Tempo and Jaeger) the calls of one\n" +
			"trace become a scenario in which every service does what it did then: --trace chooses it, and\n" +
			"--program drafts endpoints for the program itself in the place of a workflow. It fails as the\n" +
			"program did.\n" +
			"Secrets are hidden as in a recording. Recordings of go-vcr and vcrpy need no import: a\n" +
			"cassette block plays them. docs/importing.md says what each format has.",
		RunE: func(_ *cobra.Command, args []string) error { return importFile(a, f, args) },
	}
	cmd.Flags().StringVar(&f.format, "format", "", "the `format` of the file, if it is not recognised: "+formats)
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "the `file` to write; standard output by default, or with -")
	cmd.Flags().StringVar(&f.trace, "trace", "", "the `id` of the trace, or the beginning of it, if the file has several")
	cmd.Flags().BoolVar(&f.program, "program", false, "of a trace: draft endpoints for scenario exec, in the place of a workflow")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace an existing file")
	return cmd
}

func importFile(a *cli.App, f *importFlags, args []string) error {
	formats := importFormats()
	switch {
	case len(args) != 1:
		return cli.Usagef("for example scenario import fixtures.json -o fixtures.scenario.hcl", "import takes one file or folder, not %d", len(args))
	case f.format != "" && !slices.Contains(formats, f.format):
		return cli.Usagef("the formats are "+strings.Join(formats, ", "), "unknown format %q.%s", f.format, dsl.DidYouMean(f.format, formats))
	}
	path := filepath.ToSlash(args[0])
	if done, err := importTrace(a, f, path); done || err != nil {
		return err
	}
	out, err := readImport(path, f.format)
	if err != nil {
		return err
	}
	text, err := importText(path, out)
	if err != nil {
		return err
	}
	for _, n := range out.Notes {
		fmt.Fprintln(a.Stderr, cli.Readable(n))
	}
	if out.Draft != nil {
		return writeImport(a, f, imported{text, out.Format, true, cli.Plural(len(out.Draft.Cases), "scenario")})
	}
	return writeImport(a, f, imported{text, out.Format, false, cli.Plural(len(out.Cassette.Interactions), "interaction")})
}

// imported is a file that is to be written: a scenario file, or a cassette.
type imported struct {
	text       []byte
	format     string
	isScenario bool
	holds      string
}

// readImport reads a file or a folder. Its notes say what they are about.
func readImport(path, format string) (*convert.Imported, error) {
	o := convert.ImportOptions{Format: format, Others: []string{traceFormat}, Body: bodiesNextTo(path)}
	if disk.IsDir(path) {
		o.Body = bodiesNextTo(filepath.Join(path, "file"))
		return readFolder(path, o)
	}
	data, err := importData(path)
	if err != nil {
		return nil, err
	}
	out, err := convert.Import(path, data, o)
	if err != nil {
		return nil, cli.ExitAs(cli.ExitCassette, err.Error(), "")
	}
	for i, n := range out.Notes {
		out.Notes[i] = path + ": " + n
	}
	return out, nil
}

func importData(path string) ([]byte, error) {
	data, err := disk.Read(path, importMax)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, cli.Usagef("", "there is no file %s", path)
	case err != nil:
		return nil, cli.Usagef("", "cannot read %s: %s", path, disk.Cause(err))
	}
	return data, nil
}

// fixtureEndings are how the names of files end that are imported from a
// folder.
var fixtureEndings = []string{".json", ".har"}

func readFolder(path string, o convert.ImportOptions) (*convert.Imported, error) {
	isFixture := func(name string) bool { return slices.Contains(fixtureEndings, filepath.Ext(name)) }
	names, err := suite.Disk().Search(path, isFixture)
	if err != nil {
		return nil, cli.UsageOf(err)
	}
	if len(names) == 0 {
		return nil, cli.ExitAs(cli.ExitNothing, "no files to import in "+path, "it is searched for "+strings.Join(fixtureEndings, " and ")+" files; names that begin with _ or . and node_modules are skipped")
	}
	var files []convert.ImportedFile
	size := 0
	for _, name := range names {
		data, err := importData(name)
		if err != nil {
			return nil, err
		}
		if size += len(data); size > importMax {
			return nil, cli.Usagef("import parts of it", "the files of %s are larger than %d MiB in total", path, importMax>>20)
		}
		files = append(files, convert.ImportedFile{Path: name, Data: data})
	}
	out, err := convert.ImportFolder(path, files, o)
	if err != nil {
		return nil, cli.ExitAs(cli.ExitCassette, err.Error(), "")
	}
	return out, nil
}

// importMax bounds a file that is imported.
const importMax = 256 << 20

// bodiesNextTo reads the files that WireMock keeps in the folder __files beside
// that of its mappings, and none outside of it.
func bodiesNextTo(path string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		dir := filepath.Dir(path)
		err := fmt.Errorf("no file %s", name)
		for _, d := range []string{filepath.Join(dir, "__files"), filepath.Join(dir, "..", "__files")} {
			root, opening := os.OpenRoot(d)
			if opening != nil {
				continue
			}
			defer root.Close()
			data, reading := root.ReadFile(filepath.FromSlash(name))
			if reading == nil && len(data) <= dsl.MaxFileSize {
				return data, nil
			}
		}
		return nil, err
	}
}

// importText is the file that comes of an import. A scenario file is checked
// before anybody sees it.
func importText(path string, out *convert.Imported) ([]byte, error) {
	if out.Cassette != nil {
		var b strings.Builder
		if err := cassette.Write(&b, out.Cassette); err != nil {
			return nil, cli.ExitAs(cli.ExitCassette, fmt.Sprintf("%s: %s", path, err), "")
		}
		return []byte(b.String()), nil
	}
	return drafted(path, fmt.Sprintf("Imported from %s (%s).", filepath.Base(path), out.Format), out.Draft.Blocks(), "split the file")
}

// drafted is the scenario file of blocks, below a comment. It is refused with the hint
// where it is larger than a file may be.
func drafted(path, head string, blocks []*convert.Block, hint string) ([]byte, error) {
	if why := recording.TooLarge(blocks); why != "" {
		return nil, cli.ExitAs(cli.ExitCassette, path+": "+why, hint)
	}
	text := recording.Draft(head, blocks)
	if len(text) > dsl.MaxFileSize {
		return nil, cli.ExitAs(cli.ExitCassette, fmt.Sprintf("%s: the scenario file would be larger than %d MiB", path, dsl.MaxFileSize>>20), hint)
	}
	return text, compiles(path, text)
}

// compiles refuses a draft that is no valid file.
func compiles(path string, text []byte) error {
	file, diags := dsl.Parse(path+suite.Suffix, text)
	if file != nil && !diags.HasErrors() {
		_, diags = interp.Compile(file, interp.Options{})
	}
	if diags.HasErrors() {
		return cli.ExitAs(cli.ExitCassette, fmt.Sprintf("%s: it cannot be written as a valid scenario file: %s", path, diags.Error()), "change or remove what the message names, and import again")
	}
	return nil
}

func writeImport(a *cli.App, f *importFlags, out imported) error {
	if f.output == "" || f.output == "-" {
		_, err := a.Data().Write(out.text)
		return err
	}
	name := filepath.ToSlash(f.output)
	if out.isScenario && !strings.HasSuffix(name, suite.Suffix) {
		return cli.Usagef("name it, for example, "+strings.TrimSuffix(name, filepath.Ext(name))+suite.Suffix, "the import of %s is a scenario file, and %s is not the name of one", out.format, name)
	}
	if disk.Exists(f.output) && !f.force {
		return cli.Usagef("name another file, or add --force to replace it; nothing was written", "%s already exists", name)
	}
	if err := disk.Write(f.output, out.text, 0o666); err != nil {
		return cli.ExitAs(cli.ExitInternal, fmt.Sprintf("cannot write %s: %s", name, disk.Cause(err)), "")
	}
	next := "scenario cassette ls " + name
	switch {
	case f.program && out.format == traceFormat:
		next = "scenario exec " + name + " -- COMMAND"
	case out.isScenario:
		next = "scenario test " + name
	}
	fmt.Fprintf(a.Stderr, "wrote %s: %s\nhint: %s\n", name, out.holds, next)
	return nil
}
