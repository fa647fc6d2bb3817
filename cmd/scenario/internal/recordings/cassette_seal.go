package recordings

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
)

func sealCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "seal file…",
		Short: "Write the checksums of files that were edited by hand anew",
		Long: "A file in our own format that was edited by hand has wrong checksums, and is refused. seal reads\n" +
			"it as it is now, says which interactions are not as they were written, and writes it with the\n" +
			"right sums. A file that ends in the middle is refused still.",
		RunE: func(_ *cobra.Command, args []string) error { return sealFiles(a, args) },
	}
}

func sealFiles(a *cli.App, paths []string) error {
	if len(paths) == 0 {
		return cli.Usagef("for example scenario cassette seal cassettes/support.yaml", "seal takes the names of cassettes")
	}
	code := cli.ExitPassed
	for _, path := range paths {
		if err := sealFile(a, filepath.ToSlash(path)); err != nil {
			fmt.Fprintf(a.Stderr, "Error: %s\n", err)
			code = cli.ExitCassette
		}
	}
	return cli.ExitWith(code)
}

func sealFile(a *cli.App, path string) error {
	r, err := cassette.Reseal(path)
	var bad *cassette.LoadError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file %s", path)
	case err != nil && !errors.As(err, &bad):
		return fmt.Errorf("cannot read %s: %w", path, disk.Cause(err))
	case err != nil:
		return err
	}
	now := len(r.Cassette.Interactions)
	if r.Whole && len(r.Changed) == 0 {
		fmt.Fprintf(a.Stderr, "%s: %s, as they were written\n", path, cli.Plural(now, "interaction"))
		return nil
	}
	if err := r.Cassette.Save(path); err != nil {
		return err
	}
	c, err := cassette.Load(path)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%d of %s changed", len(r.Changed), cli.Plural(now, "interaction"))
	if r.Were != now {
		text += fmt.Sprintf(", %d when it was written", r.Were)
	}
	fmt.Fprintf(a.Stderr, "sealed %s: %s\n", path, text)
	for _, n := range r.Changed {
		fmt.Fprintf(a.Stderr, "  interaction %d, %s (line %d)\n", n, cli.Readable(address(c.Interactions[n-1])), c.Interactions[n-1].Line)
	}
	if found := secretsIn(path); found > 0 {
		fmt.Fprintf(a.Stderr, "Warning: it shows %s\nhint: scenario cassette scan %s says where\n", cli.Plural(found, "secret"), path)
	}
	return nil
}

// secretsIn is how many secrets a file shows, as far as it can be read.
func secretsIn(path string) int {
	data, err := disk.Read(path, importMax)
	if err != nil {
		return 0
	}
	found, _ := redact.Scan(path, data)
	return len(found)
}
