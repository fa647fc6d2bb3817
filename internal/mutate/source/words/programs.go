package words

import (
	"path"
	"strings"
)

// Taking are the options of a command whose next words are their values.
func Taking(command string) (one, two map[string]bool) {
	switch command {
	case "jq", "gojq":
		return Set("-L --indent --tab")(), Set("--arg --argjson --slurpfile --rawfile")()
	case "awk", "gawk", "mawk":
		return Set("-F -v -i")(), nil
	case "sed":
		return Set("-l")(), nil
	}
	return nil, nil
}

// Interpreter is the name of a file in the language of a command that runs programs, with the option that such a
// program follows.
func Interpreter(command string) (name, option string) {
	switch base := strings.TrimRight(path.Base(command), "0123456789."); base {
	case "python":
		return "a.py", "-c"
	case "node", "bun":
		return "a.mjs", "-e"
	case "ruby":
		return "a.rb", "-e"
	case "sh", "bash", "dash":
		return "a.sh", "-c"
	}
	return "", ""
}
