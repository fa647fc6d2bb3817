package circumstance

import (
	"slices"
	"strings"
)

// A Difference is that between two requests.
type Difference struct {
	// Parts are the parts in which they differ, without signatures and those of Names.
	Parts []string
	// Names are the parts in which they differ in a name, a number or a text alone, and those that are others in
	// each request.
	Names []string
	// Signature is one of the signatures in which they differ, "" for none.
	Signature string
	// Lacks is the header field or the cookie that the first one lacks, where that is all in which they differ.
	Lacks string
	// Address is what has the address in whose pieces alone they differ, "" for none.
	Address string
}

// None reports whether two requests differ in nothing.
func (d *Difference) None() bool { return len(d.Parts)+len(d.Names) == 0 && d.Signature == "" }

// Differ are the parts in which two requests differ. What names a thing counts only where the values differ in more
// than their digits, and free text where it is of another kind. What the one has and the other one lacks, or has
// empty, is one part, however much stands in it.
func Differ(a, b []Part) (d Difference) {
	one, other := indexOf(a), indexOf(b)
	// A body that is no JSON, or that the other one lacks, is a part as a whole.
	whole := one.text != other.text || one.body != other.body
	tell := func(name string) {
		if !slices.Contains(d.Parts, name) {
			d.Parts = append(d.Parts, name)
		}
	}
	only, address := "", true
	lacks := ""
	for i, of := range [][]Part{a, b} {
		against := []*index{other, one}[i]
		for _, p := range of {
			q, has := against.parts[p.Name]
			switch {
			case p.Value == "" || p.Right && against.under[baseOf(p)] || has && (p.Value == q.Value || i == 1):
				continue
			case p.Aside:
				d.Names = append(d.Names, p.Name)
			case whole && inBody(p):
				tell(wholeBody)
				address = false
			case whole && p.Name == "the header field content-type":
			case has && (p.Names && shapeOf(p.Value) == shapeOf(q.Value) || p.Free && kindOf(p.Value) == kindOf(q.Value)):
				d.Names = append(d.Names, p.Name)
			case p.Signs && i == 0:
				d.Signature = p.Name
			case has || p.Of != "" && against.pieces[p.Of]:
				if p.Signs {
					continue
				}
				tell(p.Name)
				address = address && p.Of != "" && !p.Field && (only == "" || only == p.Of)
				only = p.Of
			default:
				missing := against.missing(p)
				tell(missing)
				address = false
				if i == 1 && p.Field && !against.under[missing] {
					lacks = missing
				}
			}
		}
	}
	if address && len(d.Parts) > 0 {
		d.Address = only
	}
	if len(d.Parts) == 1 && d.Signature == "" {
		d.Lacks = lacks
	}
	return d
}

// inBody reports whether a part stands in a body.
func inBody(p Part) bool {
	base := baseOf(p)
	return base == wholeBody || strings.HasPrefix(base, ofMember) || strings.HasPrefix(base, ofForm)
}

// baseOf is what a part is a piece of, or the part.
func baseOf(p Part) string {
	if p.Of != "" {
		return p.Of
	}
	return p.Name
}

// An index is what a request has.
type index struct {
	parts      map[string]Part
	pieces     map[string]bool // what has pieces
	under      map[string]bool // what has something, and what that stands in
	body, text bool            // that there is a body, and that it is no JSON
}

func indexOf(parts []Part) *index {
	x := &index{parts: map[string]Part{}, pieces: map[string]bool{}, under: map[string]bool{}}
	for _, p := range parts {
		x.body = x.body || inBody(p)
		if p.Value == "" {
			continue
		}
		x.text = x.text || p.Name == wholeBody
		x.parts[p.Name] = p
		if p.Of != "" {
			x.pieces[p.Of] = true
		}
		eachAbove(baseOf(p), func(name string) bool {
			x.under[name] = true
			return true
		})
	}
	return x
}

// missing is the whole of what a part of another request stands in and this one lacks, or has as a plain value: the
// member address for its city.
func (x *index) missing(p Part) (name string) {
	name = baseOf(p)
	eachAbove(name, func(above string) bool {
		_, plain := x.parts[above]
		if plain || !x.under[above] {
			name = above
			return false
		}
		return true
	})
	return name
}

// eachAbove gives what a part stands in, from the outermost one to itself, while it is wanted.
func eachAbove(name string, give func(string) bool) {
	if strings.HasPrefix(name, ofMember) {
		for i := len(ofMember) + 1; i < len(name); i++ {
			if (name[i] == '.' || name[i] == '[') && !give(name[:i]) {
				return
			}
		}
	}
	give(name)
}

// kindOf is of which kind a free text is.
func kindOf(value string) (kind string) {
	at := strings.IndexByte(value, '@')
	for _, is := range []bool{
		at > 0 && strings.Contains(value[at:], ".") && !strings.Contains(value, " "),
		strings.ContainsAny(value, "<>;{}$\\"), strings.Contains(value, ".."), strings.HasPrefix(value, "-"),
		len(value) > longText,
	} {
		if is {
			kind += "1"
		} else {
			kind += "0"
		}
	}
	return kind
}

// longText is from how many bytes on a text may be refused for its length.
const longText = 100

// EachValue gives the plain values of a body of JSON that is not too long to be taken apart.
func EachValue(body string, give func(value string)) {
	if len(body) <= signedMax {
		eachPlain(body, func(_, _, _, value string) { give(value) })
	}
}
