package sql_test

import (
	"slices"
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/sql"
)

// Shows which statements are about the session, and no call: what PostgreSQL's manual
// lists for sessions and transactions, however it is written, and none that touches data.
func TestSessionStatements(t *testing.T) {
	for statement, want := range map[string]bool{
		"SET search_path TO shop": true, "RESET ALL": true, "SHOW server_version": true,
		"BEGIN": true, "START TRANSACTION": true, "COMMIT": true, "END": true, "ROLLBACK": true, "ABORT": true,
		"SAVEPOINT a": true, "RELEASE SAVEPOINT a": true, "ROLLBACK TO SAVEPOINT a": true,
		"DISCARD ALL": true, "discard temp": true, "DEALLOCATE p": true, " deallocate\nALL;": true,
		"SELECT version()": true,
		"SELECT 1 FROM t":  false, "INSERT INTO savepoint VALUES (1)": false, "DELETE FROM t": false, "TRUNCATE t": false,
	} {
		if _, ok := (sql.Adapter{}).SessionReply(providers.Input{Statement: statement}, nil); ok != want {
			t.Errorf("%q: %t, want %t", statement, ok, want)
		}
	}
}

// Shows that each word of a session is what an answer says of some statement.
func TestSessionWords(t *testing.T) {
	for _, word := range sql.SessionWords() {
		statements := []string{word + " x", "SELECT " + word + "()", "SELECT 1 FROM " + word, "SELECT " + word + "('a', 'b', false)"}
		if !slices.ContainsFunc(statements, func(s string) bool {
			b, answers := sql.Adapter{}.SessionReply(providers.Input{Statement: s}, nil)
			return answers && b.What == word
		}) {
			t.Errorf("no statement is %s", word)
		}
	}
}
