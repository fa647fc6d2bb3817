package recordings

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/convert"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
)

// convertFlags are what `scenario cassette convert` can be told.
type convertFlags struct {
	to, output    string
	redact, force bool
}

func convertCommand(a *cli.App) *cobra.Command {
	f := &convertFlags{}
	cmd := &cobra.Command{
		Use:   "convert file",
		Short: "Write a recording in another format",
		Long: "Write a recording of any supported format in our own format or in that of go-vcr: go-vcr-1 is what\n" +
			"its versions 1 and 2 read, go-vcr-2 what versions 3 and 4 read. What the format cannot hold is\n" +
			"reported on standard error. Secrets are kept as they are, unless --redact hides them as a\n" +
			"recording would; a warning says where they are.",
		RunE: func(_ *cobra.Command, args []string) error { return convertFile(a, f, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.to, "to", "scenario", "the `format`: "+strings.Join(convert.Formats(), ", "))
	flags.StringVarP(&f.output, "output", "o", "", "the `file` to write; standard output by default, or with -")
	flags.BoolVar(&f.redact, "redact", false, "hide secrets, and omit header fields that are not known to be harmless")
	flags.BoolVar(&f.force, "force", false, "replace an existing file")
	return cmd
}

func convertFile(a *cli.App, f *convertFlags, args []string) error {
	formats := convert.Formats()
	switch {
	case len(args) != 1:
		return cli.Usagef("for example scenario cassette convert fixtures/chat.yaml -o cassettes/chat.yaml", "convert takes one file, not %d", len(args))
	case !slices.Contains(formats, f.to):
		return cli.Usagef("the formats are "+strings.Join(formats, ", "), "unknown format %q.%s", f.to, dsl.DidYouMean(f.to, formats))
	case f.output != "" && f.output != "-" && disk.Exists(f.output) && !f.force:
		return cli.Usagef("name another file, or add --force to replace it; nothing was written", "%s already exists", filepath.ToSlash(f.output))
	}
	c, err := loadCassette(args[0])
	if err != nil {
		return cli.ExitAs(cli.ExitCassette, err.Error(), "")
	}
	if f.redact {
		c = c.Redacted(nil)
	}
	var b bytes.Buffer
	lost, err := convert.Write(&b, c, f.to)
	if err != nil {
		return cli.ExitAs(cli.ExitCassette, err.Error(), "")
	}
	for _, text := range lost {
		fmt.Fprintf(a.Stderr, "%s: %s has no place for %s\n", c.Path, f.to, text)
	}
	if found, err := redact.Scan(c.Path, b.Bytes()); err == nil && len(found) > 0 {
		fmt.Fprintf(a.Stderr, "Warning: what is written shows %s\nhint: add --redact; scenario cassette scan %s says where they are\n", cli.Plural(len(found), "secret"), c.Path)
	}
	return writeConverted(a, f, c, b.Bytes())
}

func writeConverted(a *cli.App, f *convertFlags, c *cassette.Cassette, text []byte) error {
	if f.output == "" || f.output == "-" {
		_, err := a.Data().Write(text)
		return err
	}
	if err := disk.Write(f.output, text, 0o666); err != nil {
		return cli.ExitAs(cli.ExitInternal, fmt.Sprintf("cannot write %s: %s", filepath.ToSlash(f.output), disk.Cause(err)), "")
	}
	fmt.Fprintf(a.Stderr, "wrote %s: %s as %s\n", filepath.ToSlash(f.output), cli.Plural(convert.Written(c, f.to), "interaction"), f.to)
	return nil
}
