package redact

import (
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/forms"
)

// Arguments are the options of a command, with their values, as an environment has variables: PASSWORD=x of
// --password x and of --password=x, for [EnvironmentCredentials]. Of a name with a password behind a colon,
// as curl has it in --user, it is the password, and so is what a program
// such as mysql or redis-cli has behind a letter. What a shell is given to run is read as well, by its words.
func Arguments(command []string) (variables []string) {
	for _, password := range forms.PasswordsIn(strings.Join(command, " ")) {
		variables = append(variables, "PASSWORD="+password)
	}
	for i, word := range command {
		if i > 0 && isShellOption(command[i-1]) {
			for line := range strings.SplitSeq(strings.ReplaceAll(word, "\\\n", " "), "\n") {
				variables = append(variables, Arguments(wordsIn(line))...)
			}
			continue
		}
		if !strings.HasPrefix(word, "-") {
			continue
		}
		name, value, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if !given {
			if i+1 == len(command) || strings.HasPrefix(command[i+1], "-") {
				continue
			}
			value = command[i+1]
		}
		switch name {
		case "u", "user", "proxy-user", "U":
			if _, password, is := strings.Cut(value, ":"); is && password != "" && !strings.HasPrefix(password, "//") {
				variables = append(variables, "PASSWORD="+password)
			}
		case "":
		default:
			variables = append(variables, strings.ToUpper(strings.ReplaceAll(name, "-", "_"))+"="+value)
		}
	}
	return variables
}

// isShellOption reports whether a word is the option of a shell behind which a program stands.
func isShellOption(word string) bool {
	return len(word) > 1 && word[0] == '-' && word[1] != '-' && strings.HasSuffix(word, "c") && strings.Trim(word[1:], "abcefilnuvx") == ""
}

// wordsIn are those of a line of a shell, without the quotes around them.
func wordsIn(line string) []string {
	list := strings.Fields(line)
	for i, word := range list {
		list[i] = strings.Trim(word, `"';`)
	}
	return list
}
