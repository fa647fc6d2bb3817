package lie

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/schema"
)

// WrongNumbers has every number off by a factor.
var WrongNumbers = &Lie{
	Name:       "wrong_numbers",
	Summary:    "A well-formed answer whose numbers are off by a factor, as when cents are taken for dollars: those of JSON, of the rows of a statement or its count, and of words. What is called an id stays, and so do dates, versions and whatever else has digits and is no number.",
	AlsoCalled: []string{"wrong_number", "scaled_numbers", "off_by_factor", "wrong_amount"},
	For:        everywhere,
	Attrs: []schema.Attr{
		{Name: "factor", Type: schema.Number, Default: "100", Min: -1e9, HasMin: true, Max: 1e9, HasMax: true, Doc: "What each number is multiplied by. Not 1. Where a column of a database holds integers, so is the product, without what is behind the point."},
		fieldsAttr("Default: all numbers but those called an id."),
	},
	Example: "factor = 0.01",
	Tried:   []schema.Values{{}},
	Tell:    scale,
}

func scale(args schema.Values, c *Content) error {
	factor, err := factorOf(args)
	if err != nil {
		return err
	}
	fields := names(args, "fields")
	wanted := func(name string) bool {
		if len(fields) > 0 {
			return slices.Contains(fields, name)
		}
		return !isID(name)
	}
	changed := 0
	for _, doc := range c.Documents {
		if _, err := Scan(*doc); err != nil && len(fields) == 0 {
			changed += scaleWords(doc, factor)
			continue
		}
		changed += scalars(doc, func(s *Span, text string) (string, bool) {
			if s.Kind != '0' || !wanted(s.Name()) {
				return "", false
			}
			return times(text, factor)
		})
	}
	changed += scaleTable(c.Table, factor, wanted)
	if n := c.Count; n != nil && len(fields) == 0 {
		if product, _ := new(big.Float).SetRat(new(big.Rat).Mul(factor, new(big.Rat).SetInt64(int64(*n)))).Int64(); product >= 0 && product < 1<<31 && int(product) != *n {
			*n, changed = int(product), changed+1
		}
	}
	if changed == 0 {
		return Powerless("the answer holds no number that the factor changes")
	}
	return nil
}

func factorOf(args schema.Values) (*big.Rat, error) {
	f := 100.0
	switch v := args["factor"].(type) {
	case float64:
		f = v
	case int:
		f = float64(v)
	}
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'f', -1, 64))
	if !ok {
		return nil, fmt.Errorf("factor is %v: it is a number", f)
	}
	if r.Cmp(big.NewRat(1, 1)) == 0 {
		return nil, errors.New("factor is 1: every number would stay what it is")
	}
	return r, nil
}

// digitsMax bounds how long a number may be that is multiplied: an exponent can ask
// for any length.
const digitsMax = 40

// times is the product of a number, written plainly, and whether it is another one.
func times(number string, factor *big.Rat) (string, bool) {
	if len(number) > digitsMax {
		return "", false
	}
	if _, exponent, ok := strings.Cut(strings.ToLower(number), "e"); ok {
		if e, err := strconv.Atoi(exponent); err != nil || e < -digitsMax || e > digitsMax {
			return "", false
		}
	}
	r, ok := new(big.Rat).SetString(number)
	if !ok || r.Sign() == 0 {
		return "", false
	}
	text := new(big.Rat).Mul(r, factor).FloatString(2 * digitsMax)
	text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	if text == "-0" {
		text = "0"
	}
	return text, true
}

// plainNumber is a number in words, also with commas between thousands.
var plainNumber = pattern.New(`^[-+]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$`)

// Around a number in words may stand what belongs to the sentence, or to an amount.
const (
	before = "([{\"'*$€£¥"
	after  = ".,;:!?)]}\"'*%€"
)

// scaleWords multiplies the numbers of a text, and returns how many.
func scaleWords(doc *string, factor *big.Rat) int {
	changed := 0
	var b strings.Builder
	rest := *doc
	for rest != "" {
		n := strings.IndexFunc(rest, func(r rune) bool { return !isSpace(r) })
		if n < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:n])
		rest = rest[n:]
		if n = strings.IndexFunc(rest, isSpace); n < 0 {
			n = len(rest)
		}
		word := rest[:n]
		rest = rest[n:]
		core := strings.TrimLeft(word, before)
		head := word[:len(word)-len(core)]
		number := strings.TrimRight(core, after)
		if plainNumber().MatchString(number) {
			if product, ok := times(strings.ReplaceAll(strings.TrimPrefix(number, "+"), ",", ""), factor); ok {
				if strings.Contains(number, ",") {
					product = grouped(product)
				}
				word, changed = head+product+core[len(number):], changed+1
			}
		}
		b.WriteString(word)
	}
	*doc = b.String()
	return changed
}

func isSpace(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\u00a0' }

// grouped is a number with commas between thousands.
func grouped(number string) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	whole, fraction, point := strings.Cut(number, ".")
	var parts []string
	for len(whole) > 3 {
		parts = append([]string{whole[len(whole)-3:]}, parts...)
		whole = whole[:len(whole)-3]
	}
	text := sign + strings.Join(append([]string{whole}, parts...), ",")
	if point {
		text += "." + fraction
	}
	return text
}

// scaleTable multiplies the numbers of a table, where they still fit, and returns how
// many.
func scaleTable(t *Table, factor *big.Rat, wanted func(string) bool) int {
	if t == nil {
		return 0
	}
	changed := 0
	for _, row := range t.Rows {
		for j := range row {
			text, ok := numberText(row[j])
			if !ok || !wanted(t.Columns[j].Name) {
				continue
			}
			if text, ok = times(text, factor); !ok {
				continue
			}
			if isInteger(t.Columns[j].Type) {
				text, _, _ = strings.Cut(text, ".")
				if text == "" || text == "-" || text == "-0" {
					text = "0"
				}
			}
			if t.Fits(j, json.Number(text)) == nil {
				row[j], changed = json.Number(text), changed+1
			}
		}
	}
	return changed
}

// numberText is a value that is a number as it is written.
func numberText(v any) (string, bool) {
	switch v := v.(type) {
	case json.Number:
		return v.String(), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case int:
		return strconv.Itoa(v), true
	}
	return "", false
}

func isInteger(column string) bool {
	return slices.Contains([]string{"int2", "int4", "int8", "smallint", "integer", "bigint", "oid"}, column)
}
