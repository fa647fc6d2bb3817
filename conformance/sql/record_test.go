package sql_test

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// recorded is a scenario that holds in a live run and when it is played again:
// what a server answers, what it refuses, what takes too long, and who it does
// not let in.
const recorded = `
provider "sql" "shop" {
  base_url = "postgres://db.example/shop"
  dsn_env  = "SHOP"
}
provider "sql" "stranger" {
  base_url = "postgres://db.example/stranger"
  dsn_env  = "STRANGER"
}
provider "sql" "nowhere" {
  base_url = "postgres://db.example/nowhere"
  dsn_env  = "NOWHERE"
}
workflow "all" {
  provider   = provider.shop
  on_failure = "continue"

  step "sql" "types" {
    query = "select $1::int + 1 as n, 2.50::numeric as d, 'λ'::text as t, null::text as gone, timestamptz '2026-01-02 03:04:05.5+02' as at, array[1,2] as list"
    args  = [41]
  }
  step "sql" "notice" { query = "drop table if exists nothing_there" }
  step "sql" "changed" { query = "update pg_class set relname = relname where false" }
  step "sql" "syntax" {
    query    = "selec 1"
    required = false
  }
  step "sql" "division" {
    query    = "select 1 / n as n from generate_series(0, 3) as n order by n desc"
    required = false
  }
  step "sql" "slow" {
    query           = "select pg_sleep(60)"
    attempt_timeout = "2s"
    required        = false
  }
  step "sql" "ended" {
    query    = "select pg_terminate_backend(pg_backend_pid())"
    required = false
  }
  step "sql" "stranger" {
    query    = "select 1"
    provider = provider.stranger
    required = false
  }
  step "sql" "nowhere" {
    query    = "select 1"
    provider = provider.nowhere
    required = false
  }
}
scenario "recorded" {
  run = workflow.all
  cassette { path = "shop.yaml" }

  expect "types" { rows = [{ n = 42, d = 2.5, t = "λ", gone = null, at = "2026-01-02T01:04:05.5Z", list = "{1,2}" }] }
  expect "notice" { affected = null }
  expect "changed" { affected = 0 }
  expect "syntax" { error = { kind = "db_error", sqlstate = "42601" } }
  expect "division" {
    error = { kind = "db_error", sqlstate = "22012" }
    rows  = null
  }
  expect "slow" { error = { kind = "db_timeout" } }
  expect "ended" { error = { kind = "db_error", sqlstate = "57P01" } }
  expect "stranger" { error = { kind = "db_error", sqlstate = "28P01" } }
  expect "nowhere" { error = { kind = "connection", cause = "refused" } }
  expect "run" { status = "success" }
}
`

// Shows that a workflow is recorded from a live server, password and all, that
// the recording has no password in it, and that it is played without a server
// to the same results.
func TestRecordsAServer(t *testing.T) {
	live, err := url.Parse(server(t))
	if err != nil {
		t.Fatal(err)
	}
	password, _ := live.User.Password()
	stranger, nowhere := *live, *live
	stranger.User = url.UserPassword("app", "not-"+password)
	nowhere.Host = "127.0.0.1:1"
	dir := t.TempDir()
	command := filepath.Join(dir, "scenario")
	build := exec.Command("go", "build", "-o", command, "./cmd/scenario")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "shop.scenario.hcl"), []byte(recorded), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(env []string, args ...string) string {
		c := exec.Command(command, args...)
		c.Dir, c.Env = dir, append(os.Environ(), env...)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("scenario %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	said := run([]string{"SHOP=" + live.String(), "STRANGER=" + stranger.String(), "NOWHERE=" + nowhere.String(), "CI="}, "record", "--trace-out", "trace.jsonl", ".")
	for _, name := range []string{"shop.yaml", "trace.jsonl"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		said += string(data)
	}
	if strings.Contains(said, password) {
		t.Error("the password is written somewhere")
	}
	if out := run(nil, "test", "."); !strings.Contains(out, "1 passed") {
		t.Errorf("played again: %s", out)
	}
}
