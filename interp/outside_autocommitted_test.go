package interp

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// Shows that a run says of a write outside of a transaction, where others stand in one and a check asks for
// BEGIN or COMMIT, or where a ROLLBACK came after it that a check asks for, and of nothing where a check could tell what stands between them.
func TestAutocommittedWrites(t *testing.T) {
	const (
		source = `provider "sql" "shop" { base_url = "postgres://app@db.test/shop" }
scenario "s" {
  sut { command = ["order"] }
  on "shop" {
    reply { times = "*" }
  }
  expect "run" { status = "success" }
  assert "x" { condition = CHECK }
}
`
		counts = `length(events({ type = "message", method = "COMMIT" })) == 1`
		begins = `contains(events({ type = "message" })[*].method, "BEGIN")`
		rolls  = `length(events({ type = "message", method = "ROLLBACK" })) == 1`
		stayed = "was committed before ROLLBACK came, as no transaction was open"
		said   = "came over a connection without an open transaction"
	)
	insert, update := "INSERT INTO orders VALUES (1)", "update stock set n = n - 1"
	within := []string{"1 BEGIN", "1 " + update, "1 " + insert, "1 COMMIT"}
	behind := []string{"1 BEGIN", "1 " + update, "1 COMMIT", "1 " + insert}
	for _, c := range []struct {
		name, check string
		list        []string
		want        string
	}{
		{"within", counts, within, ""},
		{"behind", counts, behind, "statement 2 of shop " + said},
		{"behind, of BEGIN", begins, behind, "statement 2 of shop " + said},
		{"before", counts, []string{"1 " + insert, "1 START TRANSACTION", "1 " + update, "1 COMMIT"}, "statement 1 of shop " + said},
		{"behind what was taken back", counts, []string{"1 BEGIN", "1 " + update, "1 ROLLBACK", "1 " + insert, "1 BEGIN", "1 " + update, "1 COMMIT"}, said},
		{"over another connection", counts, []string{"1 BEGIN", "1 " + update, "2 " + insert, "1 COMMIT"}, said},
		{"two transactions at once", counts, []string{"1 BEGIN", "2 BEGIN", "1 " + update, "2 " + insert, "1 ROLLBACK", "2 COMMIT"}, ""},
		{"in lines", counts, []string{"1 BEGIN", "1 update stock set n = n - 1", "1 COMMIT", "1 \n  INSERT\n  INTO orders VALUES (1)"}, said},
		{"none within", counts, []string{"1 BEGIN", "1 COMMIT", "1 " + insert}, "the one that was begun has no write in it"},
		{"each over its own connection", counts, []string{"1 BEGIN", "2 " + update, "3 " + insert, "4 COMMIT"}, "statement 1 of shop " + said},
		{"no transaction, and nobody asks", `length(endpoint.shop.attempts) == 1`, []string{"1 " + insert}, ""},
		{"locked in a transaction", `length(endpoint.shop.attempts) == 2`, []string{"1 BEGIN", "1 SELECT n FROM stock FOR UPDATE", "1 " + update, "1 COMMIT"}, ""},
		{"locked in none", `length(endpoint.shop.attempts) == 2`, []string{"1 SELECT n FROM stock for  update", "1 " + update}, "statement 1 of shop locks rows with FOR UPDATE, and no transaction is open"},
		{"locked behind one", `length(endpoint.shop.attempts) == 2`, []string{"1 BEGIN", "1 " + update, "1 COMMIT", "1 SELECT n FROM stock FOR NO KEY UPDATE"}, "statement 2 of shop locks rows with FOR NO KEY UPDATE"},
		{"locked over another connection", `length(endpoint.shop.attempts) == 2`, []string{"1 BEGIN", "2 SELECT n FROM stock FOR SHARE", "1 " + update, "1 COMMIT"}, "locks rows with FOR SHARE"},
		{"locked, no autocommit", `length(endpoint.shop.attempts) == 1`, []string{"1 SET autocommit = 0", "1 SELECT n FROM stock FOR UPDATE"}, ""},
		{"a column of that name", `length(endpoint.shop.attempts) == 1`, []string{"1 SELECT for_update FROM stock"}, ""},
		{"a query behind", counts, append(within[:4:4], "1 SELECT 1"), ""},
		{"no connection is known", counts, []string{"0 BEGIN", "0 " + update, "0 COMMIT", "0 " + insert}, ""},
		{"taken back", rolls, []string{"1 BEGIN", "1 " + update, "1 " + insert, "1 ROLLBACK"}, ""},
		{"taken back, no BEGIN", rolls, []string{"1 " + update, "1 " + insert, "1 ROLLBACK"}, "statement 1 of shop " + stayed + " on its connection"},
		{"taken back, before BEGIN", rolls, []string{"1 " + update, "1 BEGIN", "1 " + insert, "1 ROLLBACK"}, "statement 1 of shop " + stayed},
		{"taken back, over another connection", rolls, []string{"1 BEGIN", "2 " + update, "1 " + insert, "1 ROLLBACK"}, "statement 1 of shop " + stayed},
		{"taken back, after COMMIT", rolls, []string{"1 BEGIN", "1 " + update, "1 COMMIT", "1 ROLLBACK"}, "statement 1 of shop " + stayed + " any more"},
		{"taken back, one of two", rolls, []string{"1 BEGIN", "1 " + update, "1 COMMIT", "1 BEGIN", "1 " + insert, "1 ROLLBACK"}, ""},
		{"taken back, a note of it", rolls, []string{"1 BEGIN", "1 " + update, "1 ROLLBACK", "1 " + insert}, ""},
		{"taken back to a savepoint", strings.Replace(rolls, "1", "2", 1), []string{"1 BEGIN", "1 SAVEPOINT a", "1 " + insert, "1 ROLLBACK TO SAVEPOINT a", "1 " + update, "1 ROLLBACK"}, ""},
		{"committed behind a savepoint", counts, []string{"1 BEGIN", "1 SAVEPOINT a", "1 " + insert, "1 ROLLBACK TO a", "1 " + update, "1 COMMIT"}, ""},
		{"taken back, no autocommit", rolls, []string{"1 SET autocommit = 0", "1 " + update, "1 ROLLBACK"}, ""},
		{"taken back, a check of the order", `[for e in events() : e.method if e.type == "message"] == ["ROLLBACK"]`, []string{"1 " + update, "1 ROLLBACK"}, ""},
		{"nobody asks", `length(endpoint.shop.attempts) == 2`, behind, ""},
		{"a check of the order", `[for e in events() : coalesce(e.step, e.method) if e.type == "attempt_start" || e.method == "COMMIT"] == ["shop", "COMMIT", "shop"]`, behind, ""},
		{"a check of connections", counts + ` && endpoint.shop.attempts[0].connection == 1`, behind, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := compileAt(t, "a.scenario.hcl", strings.Replace(source, "CHECK", c.check, 1))[0]
				d := &driver{t, NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec})}
				shop := d.run.plan.Endpoints[0].Step.Gateway.Targets[0].Provider
				for _, s := range c.list {
					connection, statement, _ := strings.Cut(s, " ")
					req, err := shop.Adapter.Request(context.Background(), providers.Input{BaseURL: shop.BaseURL, Statement: statement})
					if err != nil {
						t.Fatal(err)
					}
					x, err := d.run.Answer(context.Background(), Asked{Request: req, Body: bodyOf(t, req), Listener: "p", Connection: int(connection[0] - '0')})
					if err != nil {
						t.Fatal(err)
					}
					x.End(false)
				}
				r, _ := d.run.Finish("success")
				if r.Events[1].Type == trace.Message && !strings.HasPrefix(c.list[0], "0") {
					if n := r.Events[1].Int("connection"); n != 1 {
						t.Errorf("the message came over %d", n)
					}
				}
				if got := d.run.Autocommitted(); !strings.Contains(got, c.want) || c.want == "" && got != "" {
					t.Errorf("it says %q, want %q", got, c.want)
				}
			})
		})
	}
}
