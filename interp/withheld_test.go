package interp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
)

// Shows that a program which never got the end of an answer has nothing of it to keep to itself,
// however the file looks for it, and that one which got it, or could have it elsewhere, has.
func TestEndsThatAProgramNeverGot(t *testing.T) {
	const source = `provider "openai" "llm" {}
scenario "s" {
  sut { command = [%s] }
  on "llm" {
    fault "stream_truncate" {
      after_chunks = 2
      end          = "reset"
      reply { chunks = ["Take 5", "0 mg", " once a day"] }
    }
    %s
  }
  assert "x" { condition = %s }
}
`
	const again, stream = `reply { content = "Take 50 mg once a day" }`, `{"stream": true, `
	for _, c := range []struct {
		command, reply, prompt, condition string
		shows                             bool
	}{
		{`"agent"`, "", "dose?", `!strcontains(sut.stdout, "Take 50 mg once a day")`, false},
		{`"agent"`, "", "dose?", `!strcontains(sut.stdout, "Take 50 mg once a day") && sut.stdout != ""`, false},
		{`"agent"`, "", "dose?", `!strcontains(sut.stdout, "Take 50 mg once a day") && length(endpoint.llm.attempts) == 1`, false},
		{`"agent"`, "", "dose?", `!strcontains("${sut.stdout}${sut.stderr}", "once a day")`, false},
		{`"agent"`, "", "dose?", `trimspace(sut.stdout) != "Take 50 mg once a day"`, false},
		{`"agent"`, "", "dose?", `!endswith(trimspace(sut.stdout), "once a day")`, false},
		{`"agent"`, "", "dose?", `!strcontains(sut.stdout, "Take 5")`, true},
		{`"agent"`, "", "dose?", `!strcontains(sut.stdout, "Take 50 mg") && !strcontains(sut.stdout, "once a day") || sut.exit_code != 0`, true},
		{`"agent"`, "", "dose?", `!strcontains(sut.stdout, "undefined")`, true},
		{`"agent"`, "", "once a day?", `!strcontains(sut.stdout, "once a day")`, true},
		{`"agent", "once a day"`, "", "dose?", `!strcontains(sut.stdout, "once a day")`, true},
		{`"agent"`, again, "dose?", `!strcontains(sut.stdout, "once a day")`, true},
	} {
		bodies := []string{stream + chatOf(c.prompt)[1:]}
		if c.reply != "" {
			bodies = append(bodies, chatOf(c.prompt))
		}
		var r *Result
		synctest.Test(t, func(t *testing.T) {
			d := drivenBy(t, fmt.Sprintf(source, c.command, c.reply, c.condition))
			for _, body := range bodies {
				d.asks(chatURL, body).End(false)
			}
			failed := 1
			d.run.ProgramEnded(ProgramEnd{Code: &failed, Stdout: "Sorry\n"})
			r, _ = d.run.Finish("")
		})
		if strings.Contains(fmt.Sprint(r.Relaxed), "broke off before") == c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s (%s, %s): that it shows something is %v; %s: %s %v", c.condition, c.command, c.prompt, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}
