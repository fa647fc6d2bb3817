package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// The page about the command line is what the commands say of themselves. With
// UPDATE_PAGES it is written anew, as go generate does.
func TestCommandLinePage(t *testing.T) {
	path := filepath.Join(repository, "docs", "command-line.md")
	want := commandPage(root(new(cli.App)))
	if os.Getenv("UPDATE_PAGES") != "" {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != want {
		t.Errorf("docs/command-line.md is stale: run go generate ./... and commit what it writes (%v)", err)
	}
}

// commandPage describes every command, its flags with their variables, and how
// all of them end.
func commandPage(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString(`# The command line

` + paragraph(root.Long) + `

Paths are files, whose names end in ` + "`.scenario.hcl`" + `, and directories, which are searched recursively without what begins with ` + "`_` or `.`" + ` and without ` + "`node_modules`" + `; no path is the working directory. Results go to standard output and everything else to standard error. Every flag but ` + "`--var`, `--var-file`, `--env` and `--update`" + ` can be given in the environment, as the tables show; an empty variable counts as not set, and what is typed wins. ` + "`SCENARIO_VAR_x`" + ` sets the variable x of scenarios. A variable whose name is nearly one of those is reported on standard error with the name that was meant; other names that begin with SCENARIO_ are left alone.

What a shell needs to complete commands, flags, files, the names of scenarios and their tags is printed by ` + "`scenario completion bash`, `zsh`, `fish` or `powershell`" + `. Where the commands run in a pipeline is on [a page of its own](ci.md).

` + "`scenario help COMMAND`" + ` prints what this page says of a command. ` + "`scenario help fault http_error`, `scenario help gate unused_reply` and `scenario help kind llm`" + ` explain a word of the language, with an example; without the last word they list what there is.

This page is generated from the code by ` + "`go generate ./...`" + `.
`)
	for _, cmd := range root.Commands() {
		describeCommand(&b, cmd)
	}
	describeExitCodes(&b)
	return b.String()
}

func describeCommand(b *strings.Builder, cmd *cobra.Command) {
	if !cmd.IsAvailableCommand() || cmd.Name() == "help" || cmd.Name() == "completion" {
		return
	}
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	fmt.Fprintf(b, "\n## %s\n\n`%s`\n\n%s\n", cmd.CommandPath(), cmd.UseLine(), paragraph(text))
	if cmd.Example != "" {
		fmt.Fprintf(b, "\n<!-- not run: the examples of --help -->\n```sh\n%s\n```\n", strings.ReplaceAll(strings.TrimSpace(cmd.Example), "\n  ", "\n"))
	}
	if cmd.LocalFlags().HasAvailableFlags() {
		b.WriteString("\n| flag | variable | default | meaning |\n|---|---|---|---|\n")
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { describeFlag(b, f) })
	}
	for _, sub := range cmd.Commands() {
		describeCommand(b, sub)
	}
}

func describeFlag(b *strings.Builder, f *pflag.Flag) {
	if f.Hidden || f.Name == "help" {
		return
	}
	value, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	variable := cli.VariableOf(f)
	if variable != "" {
		variable = "`" + variable + "`"
	}
	standard := f.DefValue
	switch standard {
	case "false", "[]", "0", "0s", "":
		standard = ""
	default:
		if f.Name == "parallel" {
			standard = "one for each core"
		}
	}
	fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", strings.TrimSpace(name+" "+value), variable, standard, strings.ReplaceAll(paragraph(usage), "|", `\|`))
}

func describeExitCodes(b *strings.Builder) {
	b.WriteString("\n## Exit codes\n\n| code | meaning |\n|---|---|\n")
	for _, m := range cli.Meanings() {
		fmt.Fprintf(b, "| %d | %s |\n", m.Code, m.Text)
	}
	_, rest, _ := strings.Cut(cli.ExitCodesTopic().Long, "\n\n")
	_, rest, _ = strings.Cut(rest, "\n\n")
	fmt.Fprintf(b, "\n%s\n", paragraph(rest))
}

// paragraph joins the lines of a text for the terminal; what is indented there
// stays a line.
func paragraph(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		switch {
		case line == "":
			b.WriteString("\n")
		case strings.HasPrefix(line, "  "):
			b.WriteString("\n- " + strings.TrimSpace(line))
			continue
		case i > 0 && !strings.HasSuffix(b.String(), "\n"):
			b.WriteString(" ")
		case strings.HasSuffix(b.String(), "\n") && i > 0:
			b.WriteString("\n")
		}
		b.WriteString(line)
	}
	return b.String()
}
