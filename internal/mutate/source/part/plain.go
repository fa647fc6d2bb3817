package part

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/words"
)

// plain puts in the place of a library call what somebody would have written without the library. The data of a scenario
// often has no difference between both.
func (f *Finder) plain(open int) {
	first := f.Chain(open - 1)
	if first < 0 || first >= open {
		first = open - 1
	}
	from, to := f.Bytes(first, f.Mate(open)+1)
	if to-from > f.Span {
		return
	}
	name := f.Slice(first, open)
	if i := strings.LastIndexByte(name, '.'); i > 0 && strings.HasPrefix(name, "urllib.") || strings.HasPrefix(name, "xml.") {
		i = strings.LastIndexByte(name[:i], '.')
		name = name[i+1:]
	}
	c := &call{Finder: f, name: name, open: open, first: first, from: from, to: to, args: f.Args(open)}
	c.pairs()
	switch {
	case f.Indented:
		c.python()
	case f.Script:
		c.script()
	case f.Ended:
		c.java()
	case f.Bare:
		c.golang()
	case f.Worded:
		c.ruby()
	}
}

// A call is one that is looked at: its name, its bracket, its first token and its bytes.
type call struct {
	*Finder
	name        string
	open, first int
	from, to    int
	args        [][2]int
}

// arg is the text of an argument, "" where there is none, or where it has a name or is spread.
func (c *call) arg(n int) string {
	if n >= len(c.args) {
		return ""
	}
	a := c.args[n]
	if s := c.At(a[0]); s == "*" || s == "**" || s == "..." || c.Word(a[0]) && (c.At(a[0]+1) == "=" || c.At(a[0]+1) == ":") {
		return ""
	}
	return c.Wrapped(a[0], a[1])
}

// put keeps a form, and says what it is.
func (c *call) put(with, shown string) {
	c.Related(c.from, c.to, with, "`"+inner.Short(brief(c.Text[c.from:c.to]), 36)+"` "+inner.Short(shown, 38))
}

func (c *call) python() {
	name, a, b := c.name, c.arg(0), c.arg(1)
	used := c.Used(c.first, c.Mate(c.open)+1)
	switch {
	case has(name, "heapq.merge") && used, name == "merge" && used && c.imported["heapq"]:
		var lists []string
		for _, one := range c.args {
			if !c.Word(one[0]) || c.At(one[0]+1) != "=" {
				lists = append(lists, c.Slice(one[0], one[1]))
			}
		}
		if len(lists) > 0 {
			c.put("[one for each in ["+strings.Join(lists, ", ")+"] for one in each]", "→ one list after the other")
		}
	case has(name, "codecs.getincrementaldecoder", "getincrementaldecoder") && a != "":
		c.put(`(lambda *more, **most: __import__("types").SimpleNamespace(decode=lambda part, *final, **more: part.decode(`+a+`, "replace"), reset=lambda: None))`, "→ each part is decoded alone")
	case has(name, "codecs.iterdecode", "iterdecode") && a != "" && b != "":
		c.put("(part.decode("+b+`, "replace") for part in `+a+")", "→ each part is decoded alone")
	case c.At(c.open-1) == "most_common" && c.Member(c.open-1) && len(c.args) < 2 && used:
		receiver, most := c.Slice(c.first, c.open-2), ""
		if len(c.args) == 1 {
			most = "[:" + c.Slice(c.args[0][0], c.args[0][1]) + "]"
		}
		if next := c.Mate(c.open) + 1; c.At(next) != "[" || c.At(c.Mate(next)+1) != "[" { // both ends of what it is given are other changes
			c.put("list("+receiver+".items())"+most, "→ what came first")
			c.put("list("+receiver+".items())[::-1]"+most, "→ what came last")
		}
	case has(name, "TopologicalSorter", "graphlib.TopologicalSorter") && used && c.At(c.Mate(c.open)+2) != "static_order" && len(c.args) < 2:
		c.put(`(lambda kept: __import__("types").SimpleNamespace(add=lambda node, *before: kept.append(node), prepare=lambda: None, is_active=lambda: bool(kept), `+
			`get_ready=lambda: [kept.pop(0) for _ in list(kept)], done=lambda *nodes: None, static_order=lambda: list(dict.fromkeys(kept))))(list(`+a+"))", "→ what came first is first")
	case has(name, "urljoin", "parse.urljoin") && a != "" && b != "" && used:
		c.put("("+a+" + "+b+")", "→ "+a+" + "+b)
		c.put(`("/".join(`+a+`.split("/")[:3]) + `+b+")", "→ the host and "+b)
	case has(name, "bisect.insort", "insort", "bisect.insort_left", "bisect.insort_right", "insort_left", "insort_right") && a != "" && b != "" && c.imported["bisect"]:
		c.put(a+".append("+b+")", "→ "+a+".append("+b+")")
	case has(name, "bisect.bisect", "bisect.bisect_left", "bisect.bisect_right", "bisect", "bisect_left", "bisect_right") && a != "" && b != "" && c.imported["bisect"] && used:
		c.put("len("+a+")", "→ len("+a+")")
		other := map[bool]string{true: "bisect_right", false: "bisect_left"}[strings.HasSuffix(name, "bisect_left")]
		c.put(`__import__("bisect").`+other+"("+c.Slice(c.open+1, c.Mate(c.open))+")", "→ "+other)
	case has(name, "difflib.get_close_matches", "get_close_matches") && a != "" && b != "" && used:
		c.put("[one for one in "+b+" if one == "+a+"]", "→ what is equal")
	case has(name, "difflib.SequenceMatcher", "SequenceMatcher") && c.At(c.Mate(c.open)+1) == "." && c.At(c.Mate(c.open)+2) == "ratio" && len(c.args) == 3 && b != "" && c.arg(2) != "":
		_, c.to = c.Bytes(c.first, c.Mate(c.open)+5)
		c.put("float("+b+" == "+c.arg(2)+")", "→ what is equal")
	case has(name, "random.Random", "Random") && a != "" && c.imported["random"]:
		x, y := c.Bytes(c.open, c.Mate(c.open)+1)
		c.Related(x, y, "()", "`"+inner.Short(brief(c.Text[c.from:c.to]), 40)+"` without its seed")
	case has(name, "uuid.uuid5", "uuid5", "uuid.uuid3", "uuid3") && len(c.args) == 2 && used:
		c.put(`__import__("uuid").uuid4()`, "→ uuid4()")
	case has(name, "ElementTree.fromstring", "ET.fromstring", "ElementTree.XML", "ET.XML", "etree.fromstring", "minidom.parseString", "etree.XML", "fromstring", "XML") && c.Mentions("xml") && a != "" && len(c.args) == 1 && used:
		c.put(c.Slice(c.first, c.open)+`((lambda text: text.replace(*((b"&", b"&amp;") if isinstance(text, bytes) else ("&", "&amp;"))))(`+c.Slice(c.args[0][0], c.args[0][1])+"))", "without its entities, such as &amp;")
	case has(name, "ElementTree.parse", "ET.parse", "etree.parse") && a != "" && len(c.args) == 1 && used:
		module := c.Slice(c.first, c.open-2)
		c.put(module+".ElementTree("+module+`.fromstring((lambda of: of.read() if hasattr(of, "read") else open(of, "rb").read())(`+a+`).replace(b"&", b"&amp;")))`, "without its entities, such as &amp;")
	case has(name, "asyncio.gather", "gather") && c.At(c.first-1) == "await" && used && len(c.args) > 0:
		given := c.Slice(c.open+1, c.Mate(c.open))
		if strings.Contains(given, "return_exceptions") || len(c.args) == 1 && c.At(c.args[0][0]) != "*" {
			return
		}
		c.from, _ = c.Bytes(c.first-1, c.first)
		c.put("[await one for one in ["+given+"]]", "one after the other")
	case has(name, "ipaddress.ip_network", "ip_network", "ipaddress.IPv4Network") && a != "" && c.At(c.first-1) == "in" && c.At(c.first-2) == ")":
		if left := c.Mate(c.first - 2); left > 0 && has(c.At(left-1), "ip_address", "IPv4Address") && len(c.Args(left)) == 1 {
			one := c.Args(left)[0]
			c.from, _ = c.Bytes(c.Chain(left-1), left)
			c.put("(str("+c.Slice(one[0], one[1])+`).split(".")[:3] == str(`+a+`).split("/")[0].split(".")[:3])`, "→ the first three numbers are equal")
		}
	case has(name, "ipaddress.ip_network", "ip_network", "ipaddress.IPv4Network", "IPv4Network") && a != "" && used:
		c.put(`type("", (str,), {"__contains__": lambda net, one: (str(one) + ".").startswith(__import__("re").sub(r"(\.0)+$", "", net.split("/")[0]) + ".")})(`+a+")", "→ what begins as it does")
	case has(name, "itertools.zip_longest", "zip_longest") && len(c.args) > 1 && used:
		var lists []string
		for n := range c.args {
			if one := c.arg(n); one != "" {
				lists = append(lists, one)
			}
		}
		c.put("zip("+strings.Join(lists, ", ")+")", "→ zip")
	case has(name, "math.lcm", "lcm") && a != "" && b != "" && len(c.args) == 2 && used:
		c.put("("+a+" * "+b+")", "→ "+a+" * "+b)
	case has(name, "calendar.monthrange", "monthrange") && c.At(c.Mate(c.open)+1) == "[" && c.At(c.Mate(c.open)+2) == "1":
		_, c.to = c.Bytes(c.first, c.Mate(c.open)+4)
		c.put("30", "→ 30")
	case has(name, "textwrap.wrap") && a != "" && used:
		c.put("["+a+"]", "→ one line")
	case has(name, "fnmatch.fnmatch", "fnmatch", "fnmatch.fnmatchcase") && a != "" && b != "" && used:
		c.put("("+a+" == "+b+")", "→ "+a+" == "+b)
	case has(name, "math.isclose", "isclose") && a != "" && b != "" && used:
		c.put("("+a+" == "+b+")", "→ "+a+" == "+b)
	case has(name, "locale.strxfrm", "strxfrm") && a != "" && used:
		c.put(a, "→ "+a)
	case has(name, "itertools.groupby", "groupby") && a != "" && len(c.args) == 2 && used && c.At(c.args[1][0]+1) == "=":
		key := c.Slice(c.args[1][0]+2, c.args[1][1])
		c.put("(lambda kept, key: ([kept.setdefault(key(one), []).append(one) for one in "+a+"], kept.items())[1])({}, "+key+")", "groups what is not side by side, too")
	}
}

func (c *call) script() {
	name, a, b := c.name, c.arg(0), c.arg(1)
	isNew := c.At(c.first-1) == "new"
	if isNew {
		c.from, _ = c.Bytes(c.first-1, c.first)
	}
	note := ""
	if c.Typed {
		note = ": any"
	}
	switch {
	case isNew && name == "URL" && a != "" && b != "":
		c.put("new URL("+b+" + "+a+")", "→ new URL("+b+" + "+a+")")
		c.put("new URL(new URL("+b+").origin + "+a+")", "→ the host and "+a)
	case has(name, "URL.parse", "url.resolve") && a != "" && b != "":
		if name == "url.resolve" {
			c.put("("+a+" + "+b+")", "→ "+a+" + "+b)
			c.put("(new URL("+a+").origin + "+b+")", "→ the host and "+b)
			return
		}
		c.put("new URL("+b+" + "+a+")", "→ new URL("+b+" + "+a+")")
		c.put("new URL(new URL("+b+").origin + "+a+")", "→ the host and "+a)
	case isNew && name == "StringDecoder" && len(c.args) < 2:
		coding := c.Slice(c.open+1, c.Mate(c.open))
		c.put("({ write: (part"+note+") => part.toString("+coding+"), end: (part"+note+") => part ? part.toString("+coding+`) : "" })`, "→ each part is decoded alone")
	case has(name, "createInterface", "readline.createInterface") && c.At(c.first-1) == "of":
		for i := c.open + 1; i < c.Mate(c.open) && i < c.open+40; i++ {
			if c.Word(i) && c.At(i) == "input" && c.At(i+1) == ":" {
				end := i + 2
				for ; end < c.Mate(c.open) && c.At(end) != "," && c.At(end) != "}"; end++ {
					if c.Mate(end) > end {
						end = c.Mate(end)
					}
				}
				if end > i+2 {
					c.put("(async function* () { for await (const part of "+c.Slice(i+2, end)+`) yield* String(part).trimEnd().split("\n"); })()`, "→ each part is lines of its own")
				}
				return
			}
		}
	case isNew && name == "TextDecoderStream":
		c.put("new TransformStream({ transform(part, to) { to.enqueue(new TextDecoder().decode(part)); } })", "→ each part is decoded alone")
	case name == "Promise.all" && len(c.args) == 1 && c.At(c.first-1) == "await":
		end := c.args[0][1] - 1
		inside := c.Mate(end)
		if c.At(end) != ")" || inside < 2 || c.At(inside-1) != "map" || !c.Member(inside-1) || len(c.Args(inside)) != 1 {
			return
		}
		list, each := c.Slice(c.args[0][0], inside-2), c.Args(inside)[0]
		if c.Chain(inside-1) != c.args[0][0] {
			return
		}
		c.put("(async (all"+note+", each"+note+") => { const done"+note+" = []; for (const one of all) done.push(await each(one, done.length, all)); return done; })("+list+", "+c.Slice(each[0], each[1])+")", "one after the other")
	case isNew && name == "Intl.Collator" && len(c.args) > 0:
		c.put("new Intl.Collator()", "without its options")
	}
}

func (c *call) ruby() {
	name, a, b := c.name, c.arg(0), c.arg(1)
	switch {
	case name == "URI.join" && a != "" && b != "":
		c.put("URI("+a+".to_s + "+b+".to_s)", "→ "+a+" + "+b)
		c.put("URI("+a+`.to_s[%r{\A\w+://[^/]*}] + `+b+".to_s)", "→ the host and "+b)
	case has(name, "REXML::Document.new", "Nokogiri::XML", "Nokogiri.XML") && a != "":
		c.put(name+"("+a+`.gsub("&", "&amp;"))`, "without its entities, such as &amp;")
	case has(name, "CGI.unescapeHTML", "CGI.escapeHTML", "CGI.unescape_html", "Regexp.escape", "Shellwords.escape") && a != "":
		c.put(a, "→ "+a)
	case has(name, "Shellwords.split", "Shellwords.shellsplit") && a != "":
		c.put(a+".split", "→ "+a+".split")
	case has(name, "CSV.parse_line", "CSV.parse") && a != "" && len(c.args) == 1:
		with := a + `.chomp.split(",")`
		if name == "CSV.parse" {
			with = a + `.lines.map { |line| line.chomp.split(",") }`
		}
		c.put(with, `→ each line split at ","`)
	case name == "Random.new" && a != "":
		x, y := c.Bytes(c.open, c.Mate(c.open)+1)
		c.Related(x, y, "", "`"+inner.Short(brief(c.Text[c.from:c.to]), 40)+"` without its seed")
	}
}

// sorted are collections of Java that keep an order, with those that keep the order in which things came.
var sorted = words.Pairs("TreeMap LinkedHashMap TreeSet LinkedHashSet ConcurrentSkipListMap LinkedHashMap ConcurrentSkipListSet LinkedHashSet")

// unsorted takes a collection that keeps what comes as it comes for one that sorts it.
func (f *Finder) unsorted(i int) {
	if with := sorted()[f.At(i)]; with != "" && f.Ended && f.Word(i) && f.At(i-1) == "new" && (f.At(i+1) == "<" || f.At(i+1) == "<>" || f.At(i+1) == "(") && !f.Quiet(i) {
		from, to := f.Bytes(i, i+1)
		f.Related(from, to, "java.util."+with, "`"+f.At(i)+"` → `"+with+"`")
	}
}

func (c *call) java() {
	a := c.arg(0)
	switch {
	case has(c.name, "Math.addExact", "Math.subtractExact", "Math.multiplyExact") && len(c.args) == 2 && a != "" && c.arg(1) != "":
		sign := map[string]string{"Math.addExact": " + ", "Math.subtractExact": " - ", "Math.multiplyExact": " * "}[c.name]
		c.put("("+a+sign+c.arg(1)+")", "→ "+a+sign+c.arg(1))
	case c.Member(c.open-1) && c.At(c.open-1) == "resolve" && len(c.args) == 1 && a != "" && c.Mentions("URI") && !c.Mentions("Path;") && c.first < c.open-2:
		base := c.Slice(c.first, c.open-2)
		if len(base) < 60 && !strings.Contains(base, "(") {
			c.put("java.net.URI.create("+base+` + "" + `+a+")", "→ "+base+" + "+a)
			c.put("java.net.URI.create("+base+`.getScheme() + "://" + `+base+".getRawAuthority() + "+a+")", "→ the host and "+a)
		}
	}
}

func (c *call) golang() {
	switch {
	case c.Member(c.open-1) && len(c.args) == 1 && c.arg(0) != "" && c.Mentions(`net/url"`) && c.first < c.open-2 && c.At(c.first) != "url" && c.At(c.open-3) != ")":
		base, one := c.Slice(c.first, c.open-2), c.arg(0)
		switch c.At(c.open - 1) {
		case "Parse":
			c.put("url.Parse("+base+".String() + "+one+")", "→ "+base+" + "+one)
			c.put("url.Parse("+base+`.Scheme + "://" + `+base+".Host + "+one+")", "→ the host and "+one)
		case "ResolveReference":
			c.put("(&url.URL{Scheme: "+base+".Scheme, Host: "+base+".Host, Path: "+one+".Path, RawQuery: "+one+".RawQuery})", "→ the host and "+one)
		}
	case c.name == "utf8.RuneCountInString" && len(c.args) == 1 && c.arg(0) != "":
		c.put("(len("+c.arg(0)+`) + utf8.RuneCountInString(""))`, "→ len("+c.arg(0)+")")
	case c.name == "strings.EqualFold" && len(c.args) == 2 && c.arg(0) != "" && c.arg(1) != "":
		c.put("("+c.arg(0)+" == "+c.arg(1)+` || strings.EqualFold("a", ""))`, "→ "+c.arg(0)+" == "+c.arg(1))
	case c.name == "strings.Fields" && len(c.args) == 1 && c.arg(0) != "":
		c.put("strings.Split("+c.arg(0)+`, " ")`, `→ split at " "`)
	case c.Member(c.open-1) && len(c.args) == 2 && c.Mentions("big.Int") && !c.Mentions("big.Float") && !c.Mentions("big.Rat"):
		sign := map[string]string{"Add": "+", "Sub": "-", "Mul": "*", "Quo": "/", "Div": "/", "Rem": "%", "Mod": "%"}[c.At(c.open-1)]
		a, b := c.arg(0), c.arg(1)
		if sign == "" || a == "" || b == "" {
			return
		}
		x, y := c.Bytes(c.open-1, c.Mate(c.open)+1)
		c.Related(x, y, "SetInt64("+a+".Int64() "+sign+" "+b+".Int64())", "`"+inner.Short(brief(c.Text[c.from:c.to]), 50)+"` as int64")
	}
}
