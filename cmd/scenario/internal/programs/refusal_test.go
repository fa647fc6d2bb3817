package programs

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
)

// answersOf reads what a server answered from lines such as POST /orders/7 409 code=A +session=1 url.host=h: a
// member, a cookie, and a piece of an address. What is refused, and what the server says of it where a check reads
// that, stands behind a colon.
func answersOf(t *testing.T, lines []string) (list []interp.ServerAnswer) {
	for i, line := range lines {
		line, said, explained := strings.Cut(line, ": ")
		words := strings.Fields(line)
		status, err := strconv.Atoi(words[2])
		if err != nil {
			t.Fatal(err)
		}
		a := interp.ServerAnswer{Name: "r" + strconv.Itoa(i), Method: words[0], Path: words[1], Status: status, Parts: []interp.RequestPart{}}
		a.Read, a.Headers = "call."+a.Name, true
		a.Refused, a.Explained, a.Said = status >= 400 && !explained, status >= 400 && explained, said
		for _, w := range words[3:] {
			name, value, _ := strings.Cut(w, "=")
			of, piece, is := strings.Cut(name, ".")
			switch {
			case name == "known":
				a.Known = []string{value}
			case strings.HasPrefix(name, "+"):
				a.Parts = append(a.Parts, interp.RequestPart{Name: "the cookie " + name[1:], Value: value, Field: true})
			case is:
				a.Parts = append(a.Parts, interp.RequestPart{Name: "the " + piece + " of the member " + of, Of: "the member " + of, Value: value})
			default:
				a.Parts = append(a.Parts, interp.RequestPart{Name: "the member " + name, Value: value, Names: true})
			}
		}
		list = append(list, a)
	}
	return list
}

// Shows which refused requests are told of beside accepted ones, and what is said of them: a list of the requests of
// one run, in their order.
func TestRefusalsBesideAccepted(t *testing.T) {
	for _, c := range []struct {
		what string
		runs [][]string
		want string // a part of the only warning, "" for none
	}{
		// The same again.
		{"the same", [][]string{{"POST /carts/c1/coupons 200 code=A", "POST /carts/c1/coupons 409 code=A"}}, `is the same as "r0", which was accepted before it: it is refused for whatever that one changed, which may be about any of /carts/c1 and the member code.`},
		{"the same of two members", [][]string{{"POST /password 200 token=t password=p", "POST /password 422 token=t password=p"}}, "any of the member token and the member password"},
		{"another cart is accepted after it", [][]string{{"POST /carts/c1/coupons 200 code=A", "POST /carts/c1/coupons 409 code=A", "POST /carts/c2/coupons 200 code=A"}}, ""},
		{"another coupon is", [][]string{{"POST /carts/c1/coupons 200 code=A", "POST /carts/c1/coupons 409 code=A", "POST /carts/c1/coupons 200 code=B"}}, ""},
		{"another cart is refused likewise", [][]string{{"POST /carts/c1/coupons 200 code=A", "POST /carts/c1/coupons 409 code=A", "POST /carts/c2/coupons 409 code=A"}}, ""},
		{"another cart and coupon", [][]string{{"POST /carts/c1/coupons 200 code=A", "POST /carts/c1/coupons 409 code=A", "POST /carts/c2/coupons 200 code=B"}}, "is the same as"},
		{"another cart in another run", [][]string{{"POST /carts/c1/coupons 200 code=A", "POST /carts/c1/coupons 409 code=A"}, {"POST /carts/c2/coupons 200 code=A"}}, "is the same as"},
		{"only another cart", [][]string{{"POST /carts/c1/coupons 200 code=A", "POST /carts/c2/coupons 409 code=A"}}, ""},
		{"only of another cart and item", [][]string{{"POST /carts/c1/items/i1 200 code=A", "POST /carts/c2/items/i2 409 code=A"}}, ""},
		{"of one thing", [][]string{{"POST /orders/7/cancel 200", "POST /orders/7/cancel 409"}}, ""},
		{"in another run", [][]string{{"POST /carts/c1/coupons 200 code=A"}, {"POST /carts/c1/coupons 409 code=A"}}, ""},
		{"after several", [][]string{{"POST /p 200 a=x b=y", "POST /p 200 a=x b=y", "POST /p 403 a=x b=y"}}, ""},
		{"with something between", [][]string{{"POST /p 200 a=x b=y", "POST /logout 200", "POST /p 401 a=x b=y"}}, ""},
		{"with a look between", [][]string{{"POST /p 200 a=x b=y", "GET /p 200", "POST /p 409 a=x b=y"}}, "is the same as"},
		{"that changes nothing", [][]string{{"GET /p 200 a=x b=y", "GET /p 403 a=x b=y"}}, ""},
		{"a budget", [][]string{{"POST /p 200 a=x b=y", "POST /p 402 a=x b=y"}}, ""},
		{"explained", [][]string{{"POST /p 200 a=x b=y", "POST /p 409 a=x b=y: used"}}, ""},

		// Apart in several parts.
		{"two parts", [][]string{{"POST /orders 200 items=tea city=Ulm", "POST /orders 422 items= city="}}, "each POST of /orders that is accepted differs from it in the member items and the member city: it may be refused for any of these alone"},
		{"and in other runs", [][]string{{"POST /orders 200 items=tea city=Ulm"}, {"POST /orders 422 items= city="}}, "the member items and the member city"},
		{"a cookie and a member", [][]string{{"GET /callback 200 state=a +session=1", "GET /callback 403 state=b"}}, "the member state and the cookie session"},
		{"many", [][]string{{"POST /p 200 a=x b=x c=x d=x e=x", "POST /p 422 a=y b=y c=y d=y e=y"}}, "in the member a, the member b, the member c and 2 other parts:"},
		{"each alone", [][]string{{"POST /orders 200 items=tea city=Ulm", "POST /orders 422 items= city=", "POST /orders 200 items=tea city="}}, ""},
		{"one part", [][]string{{"POST /orders 200 items=tea city=Ulm", "POST /orders 422 items= city=Ulm"}}, ""},
		{"another number", [][]string{{"POST /orders 200 order=1 amount=5", "POST /orders 422 order=2 amount=-5"}}, ""},
		{"two parts, explained", [][]string{{"POST /orders 200 items=tea city=Ulm", "POST /orders 422 items= city=: no items"}}, ""},
		{"an address", [][]string{{"POST /hooks 200 url.scheme=https url.host=h", "POST /hooks 422 url.scheme=http url.host=i: cannot be used"}}, "differs from it in the scheme of the member url and the host of the member url: it may be refused for either"},
		{"an address, and its host is named", [][]string{{"POST /hooks 200 url.scheme=https url.host=h", "POST /hooks 422 url.scheme=http url.host=i: private host"}}, ""},
		{"another host", [][]string{{"POST /hooks 200 url.scheme=https url.host=h", "POST /hooks 422 url.scheme=https url.host=i: cannot be used"}}, ""},

		// 404 for somebody.
		{"another thing", [][]string{{"GET /invoices/7 200 +u=ann", "GET /invoices/8 404 +u=ann"}}, "no request of the file to /invoices/8 is accepted: it may be that nothing is there"},
		{"another thing, explained", [][]string{{"GET /invoices/7 200 +u=ann", "GET /invoices/8 404 +u=ann: no such invoice"}}, "no request of the file to /invoices/8 is accepted"},
		{"another thing, explained with words of its own", [][]string{{"GET /invoices/7 200 +u=ann", "GET /invoices/8 404 +u=ann: of bob"}}, ""},
		{"for another one", [][]string{{"GET /invoices/7 200 +u=ann", "GET /invoices/8 404 +u=ann"}, {"GET /invoices/8 200 +u=bob"}}, ""},
		{"with something below it", [][]string{{"GET /invoices/7 200 +u=ann", "GET /invoices/8 404 +u=ann", "POST /invoices/8/pay 200 +u=bob"}}, ""},
		{"of something that is there", [][]string{{"GET /invoices/7/pdf 200 +u=ann", "GET /invoices/8/pdf 404 +u=ann", "GET /invoices/8 200 +u=bob"}}, ""},
		{"a word that an answer has", [][]string{{"GET /users/ann 200 +u=ann", "GET /users/bob 404 +u=ann known=bob"}}, ""},
		{"that an answer has", [][]string{{"GET /invoices/7 200 +u=ann", "GET /invoices/8 404 +u=ann known=8"}}, ""},
		{"of a high number", [][]string{{"GET /invoices/7 200 +u=ann", "GET /invoices/999 404 +u=ann"}}, ""},

		// A cookie that was ended.
		{"an empty cookie", [][]string{{"GET /me 200 +s=1", "POST /logout 200 +s=1", "GET /me 401 +s="}}, `lacks the cookie s, which "r0" has: it is refused for that, whatever "r1" did before it`},
		{"no cookie", [][]string{{"GET /me 200 +s=1", "DELETE /session 204 +s=1", "GET /me 401"}}, "lacks the cookie s"},
		{"no logout", [][]string{{"GET /me 200 +s=1", "POST /orders 200 +s=1", "GET /me 401"}}, ""},
		{"a logout of another one", [][]string{{"GET /me 200 +s=1", "POST /logout 200 +s=2", "GET /me 401"}}, ""},
		{"another cookie", [][]string{{"GET /me 200 +s=1", "POST /logout 200 +s=1", "GET /me 401 +s=2"}}, ""},
		{"the cookie, too", [][]string{{"GET /me 200 +s=1", "POST /logout 200 +s=1", "GET /me 401", "GET /me 401 +s=1"}}, ""},
		{"the cookie", [][]string{{"GET /me 200 +s=1", "POST /logout 200 +s=1", "GET /me 401 +s=1"}}, ""},

		// What came before.
		{"cancelled, and not paid", [][]string{{"POST /orders/7/pay 200", "POST /orders/7/ship 200", "POST /orders/8/cancel 200", "POST /orders/8/ship 409"}}, "what came before it is not what came before a POST /orders/*/ship that is accepted: POST /cancel came before it, and POST /pay did not."},
		{"in another run", [][]string{{"POST /orders/7/pay 200", "POST /orders/7/ship 200"}, {"POST /orders/7/cancel 200", "POST /orders/7/ship 409"}}, "POST /cancel came before it, and POST /pay did not"},
		{"cancelled", [][]string{{"POST /orders/7/pay 200", "POST /orders/7/ship 200", "POST /orders/8/pay 200", "POST /orders/8/cancel 200", "POST /orders/8/ship 409"}}, ""},
		{"not paid", [][]string{{"POST /orders/7/pay 200", "POST /orders/7/ship 200", "POST /orders/8/ship 409"}}, ""},
		{"not paid, but looked at", [][]string{{"POST /orders/7/pay 200", "POST /orders/7/ship 200", "GET /orders/8 200", "GET /orders/8/log 200", "POST /orders/8/ship 409"}}, ""},
		{"another body", [][]string{{"POST /orders/7/pay 200", "POST /orders/7/ship 200 to=Ulm", "POST /orders/8/cancel 200", "POST /orders/8/ship 409 to="}}, ""},
	} {
		var all controls
		for i, lines := range c.runs {
			all.add(planNamed("a.scenario.hcl", fmt.Sprint("s", i)), interp.Pass, answersOf(t, lines), nil)
		}
		list := all.warnings(map[string]int{"a.scenario.hcl": len(c.runs)})
		if c.want == "" && len(list) > 0 || c.want != "" && (len(list) != 1 || !strings.Contains(list[0], c.want) || !strings.Contains(list[0], "\nhint: ")) {
			t.Errorf("%s: %q, want %q", c.what, list, c.want)
		}
	}
}

// Shows that what is not to be there is not told of where a name says so, and that nothing is said of a request that
// is not known in its parts, nor where more are accepted than are compared.
func TestRefusalsThatAreNotTold(t *testing.T) {
	warned := func(scenario string, answers []interp.ServerAnswer) int {
		var all controls
		all.add(planNamed("a.scenario.hcl", scenario), interp.Pass, answers, nil)
		return len(all.warnings(map[string]int{"a.scenario.hcl": 1}))
	}
	bob := answersOf(t, []string{"GET /invoices/7 200 +u=ann", "GET /invoices/8 404 +u=ann"})
	if warned("an invoice of bob", bob) != 1 || warned("an unknown invoice", bob) != 0 {
		t.Error("the name of the scenario makes no difference")
	}
	two := []string{"POST /orders 422 +a= +b=", "POST /orders 200 +a=1 +b=1"}
	if warned("s", answersOf(t, two)) != 1 {
		t.Error("two parts are not told of")
	}
	for i := range two {
		list := answersOf(t, two)
		list[i].Parts = nil
		if i == 1 { // the other one has what this one is said to lack
			list[0].Parts = answersOf(t, two[1:])[0].Parts
		}
		if warned("s", list) != 0 {
			t.Errorf("%s is told of without its parts", two[i])
		}
	}
	for len(two) <= compared+1 {
		two = append(two, two[1])
	}
	if warned("s", answersOf(t, two)) != 0 {
		t.Error("it is told of beside more than are compared")
	}
}

func TestThingOfAPath(t *testing.T) {
	for path, want := range map[string]string{"": "", "/": "", "/orders": "", "/orders/7": "/orders/7", "/orders/7/ship": "/orders/7", "/a/1/b/2/c": "/a/1/b/2", "mcp": ""} {
		if got := thingOf(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
