package unwatched

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// Shows that a value can be put into every spot of a text of JSON, which is JSON then and has it.
func TestSpots(t *testing.T) {
	v := value{key: "e\"mail", parent: "ä", text: "a\"b\\ü\n"}
	for _, text := range []string{`{}`, `{"a":{"b":"x"},"l":["1",{"c":"\u00fc\""}]}`, "[ {\n \"a\" : \"\" } ]", `"x"`} {
		list := spots(text)
		if len(list) == 0 {
			t.Errorf("%s has no spot", text)
		}
		for _, s := range list {
			put := []string{v.quoted()}
			if s.object {
				put = v.members()
			}
			for _, p := range put {
				if s.object && !s.empty {
					p += ","
				}
				var got any
				now := text[:s.at] + p + text[s.at:]
				if err := json.Unmarshal([]byte(now), &got); err != nil {
					t.Errorf("%s at %s: %v", now, s.path, err)
				}
			}
		}
	}
	for _, text := range []string{"", "a=1", "{", `{"a":1} x`, strings.Repeat("[", deepest+2) + strings.Repeat("]", deepest+2)} {
		if list := spots(text); list != nil {
			t.Errorf("%q has spots %v", text, list)
		}
	}
}

// Shows which parts of a title say that something is not told.
func TestTitles(t *testing.T) {
	for _, c := range [][2]string{
		{"a profile has the id, and neither email nor password", "and neither email nor password"},
		{"the warehouse isn't told the card[visa]", "the warehouse isn t told the card"},
		{"it hides the card", "it hides the card"},
		{"the card is sent: to nobody but the bank", "to nobody"},
		{"the card is told to the bank", ""},
		{"no order is paid twice", ""},
	} {
		var got []string
		_, not := titleOf(c[0])
		for _, part := range not {
			got = append(got, part...)
		}
		if text := strings.Join(got, " "); text != c[1] {
			t.Errorf("%s: %q, want %q", c[0], text, c[1])
		}
	}
}

// Shows which values a title names as such that are not told, by their key and by that of the object around them: not
// what the sentence is about, nor what is not sent at all.
func TestNamedValues(t *testing.T) {
	for _, c := range []struct {
		title, keys string
		want        bool
	}{
		{"the email of the customer is told to no partner", "email", true},
		{"the email is sent to no partner", "email", true},
		{"the email of the customer is not sent to partners", "email", true},
		{"no partner gets the email", "email", true},
		{"the warehouse is not told the card", "payment.card", true},
		{"the warehouse is not told the payment", "payment.card", true},
		{"the payment is told to no partner", "payment.card", true},
		{"the payment is hidden from partners", "payment.card", true},
		{"partners get the state, and no payment", "payment.card", true},
		{"nothing of the payment is told to a partner", "payment.card", true},
		{"partners are told the state but not the card", "card", true},
		{"a profile has the id, and neither email nor password", "password_hash", true},
		{"the card never ends up in the log", "card", true},
		{"the coupon is in no answer", "coupon", true},
		{"partners hear of it without the note", "note", true},
		{"the model doesn't see the note", "note", true},

		{"an order without a coupon is shipped", "order.note", false},
		{"the order is only sent once", "order.note", false},
		{"an order that has no coupon is shipped", "order.note", false},
		{"no order is sent twice", "order.note", false},
		{"nothing is sent for an order that is closed", "order.note", false},
		{"the customer is not told the price", "customer.name", false},
		{"the price is not told to the customer", "customer.name", false},
		{"no mail is sent to users who opted out", "mail", false},
		{"users who opted out get no mail", "mail", false},
		{"the mail is not sent twice", "mail", false},
		{"an order that is not paid gets a note", "note", false},
		{"a note without an author is dated", "note", false},
	} {
		_, not := titleOf(c.title)
		if got := slices.ContainsFunc(not, func(p title) bool { return p.names(strings.Split(c.keys, "."), "x") }); got != c.want {
			t.Errorf("%s: %s is named: %v", c.title, c.keys, got)
		}
	}
}

// Shows which words are one in two forms.
func TestForms(t *testing.T) {
	for words, want := range map[[2]string]bool{
		{"notes", "noted"}: true, {"note", "noted"}: true, {"remark", "remarks"}: true, {"email", "email"}: true, {"addresses", "address"}: true,
		{"card", "care"}: false, {"id", "ids"}: false, {"sent", "sending"}: false,
	} {
		if isAlike(words[0], words[1]) != want || isAlike(words[1], words[0]) != want {
			t.Errorf("%v: want %v", words, want)
		}
	}
}
