package words

// Flags are the options of a command that decide what it does: the letters that may be
// left out, those that take a value, and long options, where * takes the word behind.
type Flags struct {
	Letters, Values string
	Long            map[string]bool
}

// FlagsOf are those of a command, none for one that is not known.
func FlagsOf(command string) Flags {
	switch command {
	case "sort":
		return Flags{"nruVhgfsbMR", "kotST", Set("--numeric-sort --reverse --unique --version-sort --stable --ignore-case")()}
	case "awk", "gawk", "mawk":
		return Flags{"", "Fvf", Set("-F* --csv")()}
	case "sed":
		return Flags{"nEr", "efi", nil}
	case "uniq":
		return Flags{"cdui", "fsw", Set("--count --repeated --unique --ignore-case")()}
	case "grep", "egrep", "fgrep":
		return Flags{"Fxwivc", "ABCDdefm", Set("--fixed-strings --line-regexp --word-regexp --ignore-case --invert-match")()}
	case "curl":
		return Flags{"fLG", "AbcCdDeEFhHKmoPQrtTuUwxXyYz", Set("--fail --fail-with-body --location --get --retry* --max-time* -m* --data-urlencode --retry-all-errors --retry-connrefused")()}
	case "wget":
		return Flags{"", "", Set("--tries* --timeout* -t* -T*")()}
	case "jq":
		return Flags{"res", "L", Set("--raw-output --exit-status --slurp")()}
	case "set":
		return Flags{"eu", "", nil}
	case "read":
		return Flags{"r", "dnptu", nil}
	case "cp", "mv":
		return Flags{"n", "tS", Set("--no-clobber")()}
	case "date":
		return Flags{"u", "dfrs", Set("--utc")()}
	case "cut":
		return Flags{"s", "bcdf", nil}
	case "tr":
		return Flags{"cs", "", nil}
	case "diff":
		return Flags{"wbi", "U", nil}
	case "xargs":
		return Flags{"r", "aEILnPsd", nil}
	}
	return Flags{}
}
