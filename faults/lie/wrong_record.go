package lie

import (
	"encoding/json"
	"hash/fnv"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/schema"
)

// WrongRecord is about somebody else.
var WrongRecord = &Lie{
	Name:       "wrong_record",
	Summary:    "A well-formed answer with the record of somebody else: what says whose it is (ids, names, addresses of mail, users, accounts, customers) has other values of the same form, everywhere the same ones, and all else stays.",
	AlsoCalled: []string{"other_customer", "wrong_customer", "another_customers_record", "wrong_user"},
	For:        everywhere,
	Attrs: []schema.Attr{
		fieldsAttr("Default: those that say whose a record is, by their names: `id`, `customer_id`, `email`, `userName` and the like."),
	},
	Example: `fields = ["name"]`,
	Tried:   []schema.Values{{}},
	Tell:    another,
}

func another(args schema.Values, c *Content) error {
	fields := names(args, "fields")
	whose := func(name string) bool {
		if len(fields) > 0 {
			return slices.Contains(fields, name)
		}
		return identifies(name)
	}
	changed := 0
	said := map[string]string{}
	for _, doc := range c.Documents {
		changed += scalars(doc, func(s *Span, text string) (string, bool) {
			if !whose(s.Name()) || text == "" {
				return "", false
			}
			with, ok := otherScalar(s.Kind, s.Name(), text)
			if ok {
				said[text] = with
			}
			return with, ok
		})
	}
	for _, doc := range c.Documents { // what is said again in words
		if _, err := Scan(*doc); err != nil && len(said) > 0 {
			*doc = replaceWords(*doc, said)
		}
	}
	changed += otherCells(c.Table, func(j int, _ string) bool { return whose(c.Table.Columns[j].Name) })
	if changed == 0 {
		return Powerless("nothing in the answer says whose record it is: name the members in fields")
	}
	return nil
}

// identifying are the last words of names that say whose a record is, and owners are
// whole names.
var (
	identifying = []string{"id", "uuid", "guid", "email", "mail", "name", "login", "username", "phone", "iban", "ssn"}
	owners      = []string{"customer", "user", "account", "owner", "tenant", "client", "patient", "employee", "member"}
)

// identifies reports whether a name says whose a record is.
func identifies(name string) bool {
	words := wordsOf(name)
	if len(words) == 0 {
		return false
	}
	return slices.Contains(identifying, words[len(words)-1]) || len(words) == 1 && slices.Contains(owners, words[0])
}

// isID reports whether what has the name is told apart by it, and not counted.
func isID(name string) bool {
	words := wordsOf(name)
	return len(words) > 0 && slices.Contains([]string{"id", "ids", "uuid", "guid", "phone", "zip", "status", "year"}, words[len(words)-1])
}

// wordsOf are those of a name in snake_case, kebab-case or camelCase.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = nil
	}
	lower := false
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			flush()
			lower = false
			continue
		}
		if unicode.IsUpper(r) && lower {
			flush()
		}
		lower = unicode.IsLower(r)
		word = append(word, r)
	}
	flush()
	return words
}

// otherScalar is another value of the same form.
func otherScalar(kind byte, name, text string) (string, bool) {
	if kind == '0' {
		return otherNumber(text)
	}
	if words := wordsOf(name); len(words) > 0 && words[len(words)-1] == "name" && personName().MatchString(text) {
		return otherName(text), true
	}
	return otherText(text)
}

// otherNumber is the next number.
func otherNumber(text string) (string, bool) {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return "", false
	}
	return n.Add(n, big.NewInt(1)).String(), true
}

var (
	personName = pattern.New(`^\p{Lu}[\p{L}'-]+( \p{Lu}[\p{L}'-]+)*$`)
	hexID      = pattern.New(`^[0-9a-f-]*[0-9][0-9a-f-]*$`)
)

// People of no importance, for those in whose place others are named.
var (
	firstNames = []string{"Dana", "Noor", "Iris", "Tomas", "Lena", "Omar", "Vera", "Hugo"}
	lastNames  = []string{"Quist", "Marlow", "Okafor", "Brandt", "Silva", "Novak", "Reyes", "Tanaka"}
)

// otherName is the name of another person, of as many words.
func otherName(text string) string {
	words := strings.Fields(text)
	n := int(hashOf(text) % 8)
	for i := range words {
		list := lastNames
		if i == 0 {
			list = firstNames
		}
		k := (n + i) % len(list)
		if words[i] == list[k] {
			k = (k + 1) % len(list)
		}
		words[i] = list[k]
	}
	return strings.Join(words, " ")
}

// otherText is another text of the same form: letters for letters, digits for digits,
// and what is behind the @ of an address as it is. The text cannot be told from it, as
// it may be a secret.
func otherText(text string) (string, bool) {
	local, domain, isMail := strings.Cut(text, "@")
	state := hashOf(text)
	draw := func(n uint32) rune {
		state = state*1664525 + 1013904223
		return rune((state >> 16) % n)
	}
	hex := hexID().MatchString(text)
	other := []rune(local)
	for again := 0; ; again++ {
		for i, r := range other {
			switch {
			case hex && 'a' <= r && r <= 'f':
				other[i] = 'a' + draw(6)
			case '0' <= r && r <= '9':
				other[i] = '0' + draw(10)
			case 'a' <= r && r <= 'z':
				other[i] = 'a' + draw(26)
			case 'A' <= r && r <= 'Z':
				other[i] = 'A' + draw(26)
			}
		}
		if string(other) != local {
			break
		}
		if again == 9 {
			return "", false // it has no letters and no digits
		}
	}
	if isMail {
		return string(other) + "@" + domain, true
	}
	return string(other), true
}

func hashOf(text string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	return h.Sum32()
}

// otherCells changes the cells of a table where wanted says so, as far as the new
// values fit, and returns how many.
func otherCells(t *Table, wanted func(column int, text string) bool) int {
	if t == nil {
		return 0
	}
	changed := 0
	for _, row := range t.Rows {
		for j := range row {
			var with any
			if text, ok := numberText(row[j]); ok && wanted(j, text) {
				other, ok := otherNumber(text)
				if !ok {
					continue
				}
				with = json.Number(other)
			} else if text, isText := row[j].(string); isText && text != "" && wanted(j, text) {
				other, ok := otherScalar('"', t.Columns[j].Name, text)
				if !ok {
					continue
				}
				with = other
			}
			if with != nil && t.Fits(j, with) == nil {
				row[j], changed = with, changed+1
			}
		}
	}
	return changed
}
