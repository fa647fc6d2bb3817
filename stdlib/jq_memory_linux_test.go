//go:build !race

package stdlib

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zclconf/go-cty/cty"
)

// greedy are programs of jq each of which asks for gibibytes: by an index, a count or a
// width that is a large number, or by a product of what it is given. One string or list
// stands for many bytes as long as it is shared, so what copies it multiplies it.
var greedy = func() []string {
	list := []string{
		// A place far behind the end of a list.
		`.[536870911] = 1`, `.[60000000] |= 1`, `.[60000000] += 1`, `.[60000000] //= 1`, `setpath([536870911]; 1)`, `setpath([0, 536870911]; 1)`,
		`pick(.[536870911])`, `pick(.[0][60000000])`, `fromstream([[536870911], 1], [[536870911]])`, `_assign(.[536870911]; 1)`, `_modify(.[536870911]; 1)`,
		`reduce range(60) as $i (null; .[60000000] = $i)`, `reduce range(100000) as $i (null; .[$i][999999] = $i)`, `[range(100000) | [] | .[999999] = 1]`,
		`{} | .a[536870911].b = 1`, `. as [$a] | [] | (.[0], .[536870911]) = 1`, `[] | getpath([536870911]) = 1`, `to_entries? // (.[536870911] = 1)`,
		`[] | .[1e300] = 1`, `[] | paths |= . | .[536870911] = 1`, `def f(p): p = 1; f(.[536870911])`, `(.[536870911] | .[536870911]) = 1`,
		// Strings that are repeated.
		`"x" * 2000000000`, `_multiply("x"; 2000000000)`, `[range(2000) | "x" * 16000000]`, `"x" | . *= 2000000000`,
		`reduce range(60) as $i ("x"; . + .)`, `reduce range(60) as $i ("x"; "\(.)\(.)")`, `reduce range(60) as $i ([1]; . + .)`, `reduce range(60) as $i ("x"; . += .)`,
		`[range(2000)] | map("x" * 16000000) | join(",")`, `("x" * 16000000) as $s | [range(2000) | $s] | implode?, add`,
		`[limit(2000; repeat("x" * 16000000))]`, `[range(2000) | "x" * 4000000 | . * 4]`, `{a: 1} | .a = ("x" * 16000000) | [range(2000) as $i | .a + "\($i)"]`,
		`("x" * 16000000) as $s | {"` + strings.Repeat(`\($s)`, 1000) + `": 1}`, `("x" * 16000000) as $s | "` + strings.Repeat(`\($s)`, 1000) + `"`,
		`("x" * 16000000) as $s | {} | ."` + strings.Repeat(`\($s)`, 1000) + `"`, `("x" * 16000000) as $s | @uri "` + strings.Repeat(`\($s)`, 1000) + `"`,
		`("a" * 1000) | gsub("a"; "x" * 16000000)`, `("a" * 1000) | sub("a"; "x" * 16000000; "g")`, `[range(2000) | tostring] | .[] |= . + ("x" * 16000000)`,
		// Lists of one element for each byte, or for each place.
		`[range(2000) | "x" * 1000000 | explode]`, `("x" * 16000000) / ""`, `("x" * 16000000) | split("")`, `("x" * 16000000) | . /= ""`, `[range(2000) | ("x" * 900000) / ""]`,
		`_divide("x" * 16000000; "")`, `("[" + "[],"*5000000 + "1]") | fromjson`, `[range(2000) | ("[" + "[],"*300000 + "1]") | fromjson]`,
		`("x" * 16000000) | [match(""; "g")]`, `("x" * 60000) | [match("()" * 1000; "g")]`, `("x" * 16000000) | indices("x")`, `[range(2000) | ("x" * 900000) | indices("x")]`,
		`[range(100000) | tostring | test("x{1000}y{1000}" + .)]`, `[range(1000) | tostring | test("(x{1000}){1}" * 30 + .)]`,
		`[range(200) | [range(1000)]] | combinations`, `[range(1000)] | [combinations(9)]`, `[[range(100000)]] + [range(100000) | []] | transpose`,
		`reduce range(60) as $i ([1]; [., .]) | flatten`, `reduce range(60) as $i ([1]; [., .]) | tojson`, `reduce range(60) as $i ([1]; [., .]) | .[0] = 1`,
		`reduce range(30000) as $i (0; [.]) | [paths]`, `reduce range(30000) as $i (0; [.]) | [path(..)]`, `reduce range(30000) as $i (0; [.]) | [tostream]`, `reduce range(30000) as $i (0; [.]) | del(..)`,
		`[limit(1e18; repeat(1))]`, `[range(1e18)]`, `[range(0; 1; 1e-300)]`, `[recurse(. + 1; true)]?`, `[until(false; . + 1)]?`, `[0 | while(true; . + 1)]`,
		`("9" * 16000000) | tonumber`, `reduce range(60) as $i (10; . * .)`, `("1" * 16000000) | fromjson`, `"1e1000000000" | tonumber | . + 1 | tojson`, `"%1000000000d" as $w | 0 | strftime($w)`,
		`0 | strftime("%1024Y" * 1000000)`, `[range(2000) | 0 | strftime("%1024Y" * 10000)]`,
	}
	// Every function that copies what it is given, of a value that is shared many times.
	for _, f := range []string{
		"tojson", "tostring", "add", "join(\"\")", "@json", "@text", "@html", "@uri", "@csv", "@tsv", "@sh", "@base64", "format(\"json\")", "format(\"base64\")",
		"flatten", `"\(.)"`, `@sh "a\(.)"`, `{"\(.)": 1}`, "error", "error(.)", "(try error catch tojson)", "halt_error", "halt_error(1)", "INDEX(.)", "_tohtml",
	} {
		list = append(list, `("x" * 16000000) as $s | [range(2000) | $s] | `+f, `("x" * 16000000) as $s | [range(2000) | [$s]] | `+f)
	}
	// Every function that makes a list or a string as large as what it is given, again
	// and again.
	for _, f := range []string{
		"keys", "reverse", "sort", "unique", "map(.)", "sort_by(.)", "group_by(.)", "unique_by(.)", "_sort_by($l)", "_group_by($l)", "_unique_by($l)", ". + [1]", "[1] + .", ". - [1]",
		"flatten", "add([1], .)", "[.[]]", "tojson", "transpose?", "setpath([0]; 1)", ".[0] = 1", ".[0] |= 1", "del(.[0])", "to_entries", "with_entries(.)", ".[1:] = [1]", "map_values(1)", "walk(.)", "[limit(1e9; .[])]",
	} {
		list = append(list, `[range(9)] | .[200000] = 1 | . as $l | [range(20000) | $l | `+f+`]`)
	}
	for _, f := range []string{
		"ascii_downcase", "ascii_upcase", `. + "y"`, "@html", "@uri", "@urid", "@base64", "@sh", "tojson", `"\(.)y"`, `sub("^X"; "y")`, `gsub("Q"; "y")`, `ltrimstr("X") + "y"`, "explode | implode", `[.] | join("")`, `[.] | add`, `[., ""] | @csv`, `{(. + "y"): 1}`, "@base64 | @base64d",
	} {
		list = append(list, `("Xx" * 1000000) as $s | [range(20000) | $s | `+f+`]`)
	}
	return list
}()

// memoryOfChild is how much the programs may reserve, the process with them.
const memoryOfChild = 6 << 30

// Shows that no program of jq takes the memory of the process that runs it: they are
// played one after the other, in a process with a limit.
func TestJQStaysWithinItsMemory(t *testing.T) {
	every := 1
	if testing.Short() {
		every = 8
	}
	if os.Getenv("SCENARIO_TEST_GREEDY") != "" {
		playGreedy(every)
		os.Exit(0)
	}
	child := exec.Command(os.Args[0], "-test.run", "^TestJQStaysWithinItsMemory$", fmt.Sprint("-test.short=", every > 1))
	child.Env = append(os.Environ(), "SCENARIO_TEST_GREEDY=1", "GOMAXPROCS=2", "GOTRACEBACK=none", fmt.Sprint("GOMEMLIMIT=", memoryOfChild/2))
	out, err := child.CombinedOutput()
	played := 0
	var last string
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); played++ {
		last = lines.Text()
	}
	if err != nil || played != (len(greedy)+every-1)/every {
		t.Errorf("%d of every %dth of %d were played, then %v: %.300s", played, every, len(greedy), err, last)
	}
}

func playGreedy(every int) {
	limit := syscall.Rlimit{Cur: memoryOfChild, Max: memoryOfChild}
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for i, program := range greedy {
		if i%every != 0 {
			continue
		}
		fmt.Printf("%.120s", program)
		start := time.Now()
		_, err := runJQ([]cty.Value{cty.NullVal(cty.DynamicPseudoType), cty.StringVal("[" + program + "] | length")})
		fmt.Printf(" %dms -> %.80v\n", time.Since(start).Milliseconds(), strings.ReplaceAll(fmt.Sprint(err), "\n", " "))
	}
}
