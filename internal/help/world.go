package help

import (
	"fmt"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
)

// A world is a small program at one of the places where faults strike, and what
// answers it there.
type world struct {
	// where is the place in the words of [faults.Kind.For].
	where string
	// declared is what stands above the scenario, address the label of its script.
	declared, address string
	// actor says that an actor is called, whose calls have no script that has to
	// answer them.
	actor bool
	// reply is an answer.
	reply string
	// run is the line of the scenario that says what runs.
	run string
	// plan is a run in which nothing goes wrong yet.
	plan *interp.Plan
}

// stepWorld is a workflow with one step, named ask.
func stepWorld(where, provider, kind, asks, reply string) world {
	return world{
		where: where, address: "ask", run: "run = workflow.w", reply: reply,
		declared: provider + `

retry "exponential" "std" {}

workflow "w" {
  provider = provider.p

  step "` + kind + `" "ask" {
` + asks + `
    retry           = retry.std
    attempt_timeout = "30s"
  }
}
`,
	}
}

// actorWorld is a call of an actor with all its parts.
func actorWorld(where, address string) world {
	return world{
		where: where, address: address, actor: true,
		run: `call "it" {
    target = actor.desk.answer
    at     = "5s"
  }`,
		declared: `actor "desk" {
  module "store" {}
  pool "db" {
    size            = 1
    acquire_timeout = "10s"
  }
  lock "door" { acquire_timeout = "10s" }

  handler "answer" {
    lock    = ["door"]
    uses    = ["db"]
    takes   = "2s"
    timeout = "30s"
    return  = "fine"
  }
}
`,
	}
}

const (
	openaiProvider = `provider "openai" "p" { model = "gpt-4o-mini" }`
	httpProvider   = `provider "http" "p" { base_url = "https://api.example.com" }`
	mcpProvider    = `provider "mcp" "p" { base_url = "https://mcp.example.com/mcp" }`
	sqlProvider    = `provider "sql" "p" { base_url = "postgres://db.example/shop" }`
)

// worlds lists all places, in the order of the reference. Those that stand in
// for streams ask for one.
var worlds = sync.OnceValue(func() []world {
	list := declaredWorlds()
	for i := range list {
		w := &list[i]
		script := w.reply + "\nreply { optional = true }"
		if w.actor { // it answers by itself
			script = "exhausted = \"repeat_last\"\nreply { optional = true }"
		}
		plan, ok := compiled(w.scenario("observed", script, laxly))
		if !ok {
			panic("help: the world of " + w.where + " is not valid")
		}
		w.plan = plan
	}
	return list
})

func declaredWorlds() []world {
	llm, stream := `    prompt          = "why?"`, "\n    stream          = true"
	page := `    path            = "/items"`
	return []world{
		stepWorld("llm", openaiProvider, "llm", llm, `reply { content = "one two three four" }`),
		stepWorld("llm stream", openaiProvider, "llm", llm+stream, `reply { content = "one two three four" }`),
		stepWorld("http", httpProvider, "http", page, `reply {
      json = { items = 3 }
    }`),
		stepWorld("http stream", httpProvider, "http", page+stream, `reply { chunks = ["one ", "two ", "three ", "four"] }`),
		stepWorld("mcp", mcpProvider, "mcp", "    tool            = \"search\"\n    idempotent      = true", `reply { content = "found" }`),
		stepWorld("sql", sqlProvider, "sql", "    query           = \"select 1 as n\"\n    idempotent      = true", `reply { rows = [{ n = 1 }] }`),
		actorWorld("actor", "it"),
		actorWorld("module", "actor.desk.module.store"),
		actorWorld("pool", "actor.desk.pool.db"),
		actorWorld("lock", "actor.desk.lock.door"),
	}
}

// scenario is a file of the world with a scenario whose script and checks are
// these.
func (w *world) scenario(name, script, checks string) string {
	text := fmt.Sprintf("%s\nscenario %q {\n  %s\n\n  on %q {\n%s\n  }\n%s}\n", w.declared, name, w.run, w.address, script, checks)
	return string(dsl.Format([]byte(strings.ReplaceAll(text, "\n\n\n", "\n\n"))))
}
