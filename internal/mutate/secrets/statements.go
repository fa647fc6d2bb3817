package secrets

import (
	"strings"

	"github.com/scenario-lang/scenario/cassette/redact"
)

// shortest is how many letters and digits a text of a source has at least to be a secret.
const shortest = 6

// nameMost is how long a name is at most that says that a secret follows.
const nameMost = 80

// probe is a value that looks like a secret under any name that tells of one.
const probe = "Zq7rTy6uIo5pAs4dK2mN8bV3"

// openMost is how far the end of a text is looked for that goes over several lines.
const openMost = 4 << 10

// A scan reads a source, or settings, once from its beginning to its end. It knows neither the language nor its
// comments: it follows quotes and brackets, and takes each text that is given to the name of a credential.
type scan struct {
	text     string
	settings bool
	add      func(secret string)
	// brackets are those that are open.
	brackets []byte
	// name is the one to which a value is given that begins at a depth of brackets; "" for none.
	name  string
	depth int
	// listed says that the value is all that stands in its brackets, up to as many texts as are left; 0 for any number.
	listed bool
	left   int
	// pair says that the value is a user and a password, and texts how many of it were read.
	pair  bool
	texts int
}

// statements adds the texts of the statements that name a credential: PASSWORD = ("…" "…"), the default of
// getenv("TOKEN", "…"), process.env.API_KEY || "…", {"Authorization": f"Bearer {'…'}"}, auth=("ann", "…"), password IN ("…").
func statements(text string, settings bool, add func(secret string)) {
	s := &scan{text: text, settings: settings, add: add}
	for at := 0; at < len(text); {
		at = s.step(at)
	}
}

// step reads what stands at a place, and returns where to read on.
func (s *scan) step(at int) int {
	switch c := s.text[at]; c {
	case '"', '\'', '`':
		return s.quoted(at)
	case '(', '[', '{':
		s.open(at)
	case ')', ']', '}':
		if len(s.brackets) > 0 {
			s.brackets = s.brackets[:len(s.brackets)-1]
		}
		if len(s.brackets) < s.depth {
			s.name = ""
		}
	case ',', ';':
		if len(s.brackets) <= s.depth && !(s.listed && c == ',') {
			s.name = ""
		}
	case '\n':
		if len(s.brackets) <= s.depth && !s.listed && !s.goesOn(at) {
			s.name = ""
		}
	case '=', ':':
		s.names(at, false)
	case '|', '?':
		if at > 0 && s.text[at-1] == c {
			s.names(at-1, true)
		}
	case 'o':
		if at > 0 && s.text[at-1] == ' ' && strings.HasPrefix(s.text[at:], "or ") {
			s.names(at, true)
		}
	}
	return at + 1
}

// open begins what stands in brackets: an object has names of its own.
func (s *scan) open(at int) {
	before := word(s.text, at)
	switch {
	case s.text[at] == '{':
		s.name = ""
	case s.text[at] == '(' && strings.EqualFold(before, "in"):
		if s.name == "" {
			s.names(endOf(s.text, at)-len("in"), false)
			s.depth, s.listed = len(s.brackets)+1, true
		}
	case s.text[at] == '(' && s.name == "" && isPairName(before) && !strings.EqualFold(before, "auth"):
		s.begin(before, true)
	}
	s.brackets = append(s.brackets, s.text[at])
}

// begin begins a value that is given to a name.
func (s *scan) begin(name string, pair bool) {
	s.name, s.depth, s.pair, s.texts, s.listed, s.left = name, len(s.brackets), pair, 0, false, 0
}

// names begins a value that is given to the name before a sign, unless one is under way. The name may be an argument
// in front of the sign: getenv("TOKEN") or "…".
func (s *scan) names(sign int, argument bool) {
	if s.name != "" {
		return
	}
	end := sign
	const around = " \t:=!]\"'`"
	for end > 0 && sign-end < nameMost && (strings.IndexByte(around, s.text[end-1]) >= 0 || argument && s.text[end-1] == ')') {
		end--
	}
	name := word(s.text, end)
	if pair := isPairName(name); pair || tells(name) {
		s.begin(name, pair)
	}
}

// goesOn reports whether a statement goes on behind the end of a line.
func (s *scan) goesOn(at int) bool {
	before := strings.TrimRight(s.text[max(0, at-nameMost):at], " \t\r")
	behind := strings.TrimLeft(s.text[at:min(len(s.text), at+nameMost)], " \t\r\n")
	return before != "" && strings.IndexByte("=|?+\\&", before[len(before)-1]) >= 0 ||
		behind != "" && strings.IndexByte("|?+&", behind[0]) >= 0 || strings.HasPrefix(behind, "or ")
}

// quoted reads a text whose quote stands at a place, and returns where to read on. A quote without an end in its line
// is none, such as the one of an "it's".
func (s *scan) quoted(at int) int {
	mark := s.text[at : at+1]
	if len(s.text) > at+2 && s.text[at+1] == s.text[at] && s.text[at+2] == s.text[at] {
		mark = s.text[at : at+3]
	}
	from, lines := at+len(mark), len(mark) == 3 || mark == "`" || s.settings && s.name != "" && strings.TrimSpace(s.text[max(0, at-1):at]) == "="
	to, limit := from, min(len(s.text), from+openMost)
	for ; ; to++ {
		if to >= limit || !lines && s.text[to] == '\n' {
			return from
		}
		if strings.HasPrefix(s.text[to:], mark) {
			break
		}
		if s.text[to] == '\\' {
			to++
		}
	}
	text, end := s.text[from:to], to+len(mark)
	if s.name == "" {
		s.asked(text, end)
		return end
	}
	if s.texts++; !s.pair || s.texts == 2 {
		s.take(text)
	}
	if s.texts == s.left {
		s.name = ""
	}
	return end
}

// asked begins a value that is the default of a name: getenv("TOKEN", "…").
func (s *scan) asked(name string, end int) {
	if len(s.brackets) == 0 || s.brackets[len(s.brackets)-1] != '(' || len(name) > nameMost || !strings.HasPrefix(strings.TrimLeft(s.text[end:min(len(s.text), end+8)], " "), ",") || !tells(name) {
		return
	}
	s.begin(name, false)
	s.listed, s.left = true, 1
}

// take adds a text, or the words of one that has several, where they look like a secret.
func (s *scan) take(text string) {
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \t\r\n{}()'\"`,;", c) }) {
		if looksSecret(part) && (s.pair || under(s.name, part)) {
			s.add(part)
		}
	}
	if looksSecret(strings.Join(strings.Fields(text), "")) && !strings.ContainsAny(text, "{}()\n") && (s.pair || under(s.name, strings.ReplaceAll(text, " ", ""))) {
		s.add(text)
	}
}

// word is the name that ends at a place.
func word(text string, end int) string {
	end = endOf(text, end)
	start := end
	for start > 0 && end-start <= nameMost && (text[start-1] == '_' || text[start-1] == '-' || text[start-1] == '.' || isAlphanumeric(text[start-1])) {
		start--
	}
	return text[start:end]
}

// endOf is where something ends that is no space.
func endOf(text string, end int) int {
	for end > 0 && text[end-1] == ' ' {
		end--
	}
	return end
}

func isAlphanumeric(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// isPairName reports whether a name is of a user and a password: auth=("ann", "…"), HTTPBasicAuth("ann", "…").
func isPairName(name string) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	return name == "auth" || strings.HasSuffix(name, "basicauth") || strings.HasSuffix(name, "basic_auth") || strings.HasSuffix(name, "digestauth") || name == "http_auth"
}

// tells reports whether a name, or a part of one with dots, is of credentials.
func tells(name string) bool { return len(name) > 1 && under(name, probe) }

// under reports whether a value is a secret under a name, or under a part of one with dots.
func under(name, value string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if redact.IsSecretMember(part, value) || part == strings.ToUpper(part) && len(part) > 2 && len(redact.EnvironmentCredentials([]string{part + "=" + value})) > 0 {
			return true
		}
	}
	return false
}

// looksSecret reports whether a text has letters and digits, as no word, no type and no name of a variable has them.
func looksSecret(text string) bool {
	if len(text) < shortest || !redact.IsSecretMember("token", text) || strings.Contains(text, "://") {
		return false
	}
	letters, digits, small := false, false, false
	for i := range len(text) {
		c := text[i]
		digits = digits || '0' <= c && c <= '9'
		letters = letters || 'a' <= c|0x20 && c|0x20 <= 'z'
		small = small || c != '_' && !('0' <= c && c <= '9') && !('A' <= c && c <= 'Z')
	}
	return letters && digits && (small || !strings.Contains(text, "_")) // API_KEY_2 is a name
}
