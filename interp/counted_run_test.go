package interp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Shows that what a program counts is told of, also where its next request begins before the end of the last answer is
// noted.
func TestCountedByAProgram(t *testing.T) {
	const source = `provider "http" "store" { base_url = "https://store.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "store" {
    reply { json = { version = 3 } }
    reply { json = { version = %d } }
    reply { json = { version = 9 } }
  }
  assert "x" { condition = sut.exit_code == 0 }
}
`
	for _, late := range []bool{false, true} {
		for second, told := range map[int]bool{4: true, 7: false} {
			synctest.Test(t, func(t *testing.T) {
				d := drivenBy(t, strings.Replace(fmt.Sprintf(source, second), "    reply { json = { version = 9 } }\n", "    reply { json = { done = true } }\n", 1))
				first := d.asks("https://store.test/page", `{}`)
				if !late {
					first.End(false)
				}
				next := d.asks("https://store.test/page", `{"version": 3}`)
				if late {
					first.End(false)
				}
				last := d.asks("https://store.test/page", fmt.Sprintf(`{"version": %d}`, second))
				next.End(false)
				last.End(false)
				code := 0
				d.run.ProgramEnded(ProgramEnd{Code: &code, Ran: time.Second})
				d.run.Finish("")
				if said := strings.Join(d.run.Unread(), "\n"); strings.Contains(said, "counts by itself") != told {
					t.Errorf("with %d, late %v: %s", second, late, said)
				}
			})
		}
	}
}
