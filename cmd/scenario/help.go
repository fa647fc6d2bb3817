package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/help"
)

// helpCommand explains commands, and words of the language.
func helpCommand(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "help [COMMAND | fault KIND | gate NAME | kind KIND]",
		Short: "Explain a command, a fault, a gate or a kind of step",
		Long: "help explains a command, or a word of the language: what a kind of fault is observed as, what\n" +
			"a gate means and what to do about it, what a kind of step does, each with an example.\n" +
			"\"scenario help fault\", \"gate\" and \"kind\" list what there is. A word of them can be given alone.",
		RunE: func(cmd *cobra.Command, args []string) error { return printHelp(a, cmd.Root(), args) },
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		return helpWords(cmd.Root(), args), cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// helpWords are what can follow the words behind help.
func helpWords(root *cobra.Command, args []string) []string {
	switch {
	case len(args) == 0:
		words := helpTopics(root)
		for _, class := range help.Classes() {
			words = append(words, string(class))
		}
		return words
	case len(args) == 1 && slices.Contains(help.Classes(), help.Class(args[0])):
		return help.Names(help.Class(args[0]))
	}
	if cmd, rest, err := root.Find(args); err == nil && len(rest) == 0 && cmd != root {
		return helpTopics(cmd)
	}
	return nil
}

// helpTopics names the commands below one that have a help.
func helpTopics(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

func printHelp(a *cli.App, root *cobra.Command, args []string) error {
	if len(args) > 0 {
		if class, ok := help.ClassOf(args[0]); ok {
			return printWord(a, class, args[1:])
		}
	}
	cmd, rest, err := root.Find(args)
	if err == nil && len(rest) == 0 {
		cmd.InitDefaultHelpFlag() // its line in the help
		return cmd.Help()
	}
	if len(args) > 1 {
		names := helpWords(root, nil)
		return cli.Usagef("the topics are "+strings.Join(names, ", "), "there is no help on %q.%s", strings.Join(args, " "), dsl.DidYouMean(args[len(args)-1], names))
	}
	return printAlone(a, root, args[0])
}

// printAlone explains a word that is given without its class.
func printAlone(a *cli.App, root *cobra.Command, word string) error {
	if classes := help.Find(word); len(classes) > 0 {
		for i, class := range classes {
			if i > 0 {
				fmt.Fprintln(a.Stdout)
			}
			if err := printWord(a, class, []string{word}); err != nil {
				return err
			}
		}
		return nil
	}
	topics := helpWords(root, nil)
	known := slices.Clone(topics)
	for _, class := range help.Classes() {
		known = append(known, help.Names(class)...)
	}
	return cli.Usagef("the topics are "+strings.Join(topics, ", "), "there is no help on %q.%s", word, dsl.DidYouMean(word, known))
}

// printWord explains a word of a class, or lists them all.
func printWord(a *cli.App, class help.Class, args []string) error {
	switch len(args) {
	case 0:
		_, err := fmt.Fprint(a.Stdout, help.List(class))
		return err
	case 1:
		if text, ok := help.Text(class, args[0]); ok {
			_, err := fmt.Fprint(a.Stdout, text)
			return err
		}
		return cli.Usagef(elsewhere(class, args[0]), "there is no %s %q.%s", class, args[0], dsl.DidYouMean(args[0], help.Names(class)))
	}
	return cli.Usagef(fmt.Sprintf("scenario help %s %s", class, args[0]), "help explains one %s at a time", class)
}

// wordForFile refuses a word of the language in the place of a file, for which help is
// the command that explains it. One that is nearly such a word counts where the
// command says that it explains.
func wordForFile(cmd *cobra.Command, args []string) error {
	if !slices.Contains([]string{"explain", "plan", "test", "validate"}, cmd.Name()) || len(args) != 1 || strings.ContainsAny(args[0], "./\\:") {
		return nil
	}
	word := args[0]
	if _, err := os.Lstat(word); err == nil {
		return nil
	}
	for _, class := range help.Find(word) {
		return cli.Usagef(fmt.Sprintf("scenario help %s %s explains it", class, word), "there is no file or directory %s: it is a word of the language, a %s", word, aboutWord(class))
	}
	if cmd.Name() != "explain" {
		return nil
	}
	for _, class := range help.Classes() {
		if meant := dsl.Suggest(word, help.Names(class)); meant != "" {
			return cli.Usagef(fmt.Sprintf("scenario help %s %s explains a word of the language; explain takes a file", class, meant), "there is no file or directory %s", word)
		}
	}
	return nil
}

// aboutWord is what a word of a class is called.
func aboutWord(class help.Class) string {
	switch class {
	case help.Fault:
		return "kind of fault"
	case help.Gate:
		return "gate"
	}
	return "kind of step"
}

// elsewhere says where to look for a word that a class does not have: in the class
// that has it, or in the list of this one.
func elsewhere(class help.Class, word string) string {
	for _, other := range help.Find(word) {
		return fmt.Sprintf("it is a %s: scenario help %s %s", other, other, word)
	}
	return fmt.Sprintf("scenario help %s lists them", class)
}
