package interp

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// Shows that a check is told of which finds what it looks for in what the program had written, or sent, before its
// first answer was over, and that it is not where the program writes that later alone, where nothing that is
// answered or written later has it, and where it asks for more.
func TestChecksOfWhatTheProgramWroteBefore(t *testing.T) {
	const (
		source = `provider "http" "desk" { base_url = "https://desk.test" }
scenario "s" {
  sut { command = ["triage"] }
  on "desk" {
    %s
  }
  assert "x" { condition = %s }
}
`
		reply   = `reply { json = { queue = "shipping" } }`
		refusal = `fault "http_error" { status_code = 503 }`
		timeout = `fault "timeout" {}`
		prompt  = "Which queue: billing, shipping or returns?"
		body    = `{"prompt": "` + prompt + `"}`
		queue   = `strcontains(sut.stdout, "shipping")`
	)
	for name, c := range map[string]struct {
		entry, check string
		// before and after are what it writes to both streams before it asks, and when it has the answer.
		before, after [2]string
		told          bool
	}{
		"its prompt, good":             {reply, queue, [2]string{"prompt: " + prompt + "\n"}, [2]string{"queue: shipping\n"}, true},
		"its prompt, bad":              {reply, queue, [2]string{"prompt: " + prompt + "\n"}, [2]string{"queue: billing\n"}, true},
		"written in one block, good":   {reply, queue, [2]string{}, [2]string{"prompt: " + prompt + "\nqueue: shipping\n"}, true},
		"written in one block, bad":    {reply, queue, [2]string{}, [2]string{"prompt: " + prompt + "\nqueue: billing\n"}, true},
		"a pattern":                    {reply, `regexmatch("ship+ing", lower(sut.stdout))`, [2]string{"billing, shipping?\n"}, [2]string{"shipping\n"}, true},
		"its start line, good":         {timeout, `strcontains(lower(sut.stderr), "timeout")`, [2]string{"", "{'timeout': 1}\n"}, [2]string{"", "no report: timeout\n"}, true},
		"its start line, bad":          {timeout, `strcontains(lower(sut.stderr), "timeout")`, [2]string{"", "{'timeout': 1}\n"}, [2]string{"", "no report: wrong password\n"}, true},
		"with more that holds":         {reply, queue + ` && length(endpoint.desk.attempts) == 1`, [2]string{"shipping?\n"}, [2]string{"shipping\n"}, true},
		"only the answer":              {reply, queue, [2]string{"begins\n"}, [2]string{"queue: shipping\n"}, false},
		"nothing before":               {reply, queue, [2]string{}, [2]string{"queue: shipping\n"}, false},
		"the whole of a line":          {reply, `strcontains(sut.stdout, "queue: shipping")`, [2]string{prompt + "\n"}, [2]string{"queue: shipping\n"}, false},
		"all of it":                    {reply, `sut.stdout == "shipping\n"`, [2]string{"shipping\n"}, [2]string{}, false},
		"more is looked for":           {reply, queue + ` && strcontains(sut.stdout, "done")`, [2]string{prompt + "\n"}, [2]string{"done\n"}, false},
		"it must not be there":         {reply, queue + ` && !strcontains(sut.stdout, "error")`, [2]string{"shipping?\n"}, [2]string{"shipping\n"}, false},
		"nothing to do with an answer": {reply, `strcontains(sut.stdout, "sorting")`, [2]string{"sorting\n"}, [2]string{"done\n"}, false},
		"the other stream":             {reply, `strcontains(sut.stdout, "sorted")`, [2]string{"", "not sorted\n"}, [2]string{"sorted\n", ""}, false},
		"nobody is asked":              {"", queue, [2]string{"shipping\n"}, [2]string{"shipping\n"}, false},
		"a refusal":                    {refusal, `strcontains(sut.stderr, "http_error")`, [2]string{"", "http_error is tried again\n"}, [2]string{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				text := fmt.Sprintf(source, c.entry, c.check)
				if c.entry == "" {
					text = fmt.Sprintf("scenario \"s\" {\n  sut { command = [\"triage\"] }\n  assert \"x\" { condition = %s }\n}\n", c.check)
				}
				d := drivenBy(t, text)
				came := Came{Whole: true}
				write := func(texts [2]string) {
					for i, text := range texts {
						if text != "" {
							came.Pieces = append(came.Pieces, Piece{At: d.run.Elapsed(), Stderr: i == 1, Size: len(text)})
						}
					}
				}
				time.Sleep(time.Second) // of fake time
				write(c.before)
				if c.entry != "" {
					time.Sleep(time.Second)
					x := d.asks("https://desk.test/queue", body)
					time.Sleep(time.Second)
					if x.End(c.entry == timeout); c.entry == timeout {
						x = d.asks("https://desk.test/other", body) // the entry was for the first
						x.End(false)
					}
				}
				time.Sleep(time.Second)
				write(c.after)
				code := 0
				d.run.ProgramEnded(ProgramEnd{Code: &code, Ran: time.Second, Stdout: c.before[0] + c.after[0], Stderr: c.before[1] + c.after[1]})
				d.run.Finish("success")
				if said := d.run.Written(came); (said != "") != c.told {
					t.Errorf("told %v: %q", !c.told, said)
				}
			})
		})
	}
}

// Shows that a check is told of which finds what it looks for only in an answer that the program writes as it
// came, and that it is not where the program says it by itself, writes nothing else, or the answer is what is
// looked for.
func TestChecksOfAnswersAsTheyCame(t *testing.T) {
	const (
		source = `provider "http" "bank" { base_url = "https://bank.test" }
provider "openai" "llm" {}
scenario "s" {
  sut { command = ["pay"] }
  on "bank" {
    reply { json = { status = "declined", reason = "insufficient_funds" } }
  }
  on "llm" {
    reply { tool_calls = [{ id = "c1", name = "send_mail", arguments = { to = "ann@example.com" } }] }
    reply { content = "I have not sent it, as you said." }
  }
  assert "x" { condition = %s }
}
`
		raw      = `{"status":"declined","reason":"insufficient_funds"}`
		spaced   = "{\n  \"reason\": \"insufficient_funds\",\n  \"status\": \"declined\"\n}"
		python   = `{'status': 'declined', 'reason': 'insufficient_funds'}`
		node     = `{ status: 'declined', reason: 'insufficient_funds' }`
		declined = `strcontains(sut.stdout, "declined") && strcontains(sut.stdout, "insufficient_funds")`
		thanks   = "\nThank you for your order.\n"
		message  = `model: {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "send_mail", "arguments": "{\"to\": \"ann@example.com\"}"}}]}` + "\n"
		asked    = `strcontains(sut.stdout, "send_mail") && strcontains(sut.stdout, "ann@example.com")`
	)
	for name, c := range map[string]struct {
		stdout, check string
		told          bool
	}{
		"as it came":            {"debug: bank: " + raw + thanks, declined, true},
		"on several lines":      {"bank " + spaced + thanks, declined, true},
		"as Python shows it":    {"[bank] " + python + thanks, declined, true},
		"as JavaScript does":    {"bank " + node + thanks, declined, true},
		"a message of a model":  {message + "I have not sent it.\n", asked, true},
		"it says so":            {"debug: bank: " + raw + "\nYour card was declined: insufficient_funds\n", declined, false},
		"it asks":               {message + "Allow send_mail {'to': 'ann@example.com'} ? [y/n]\n", asked, false},
		"it asks with JSON":     {message + "Allow send_mail {\"to\": \"ann@example.com\"} ? [y/n]\n", asked, false},
		"nothing else":          {raw + "\n", declined, false},
		"nothing beside it":     {"bank: " + raw + "\n", declined, false},
		"the answer":            {"bank: " + raw + thanks, `strcontains(sut.stdout, jsonencode({ reason = "insufficient_funds", status = "declined" })) || strcontains(sut.stdout, "declined")`, false},
		"a member":              {"bank: " + raw + thanks, `strcontains(sut.stdout, "\"status\":\"declined\"")`, false},
		"read as JSON":          {raw + thanks, `jsondecode(split("\n", sut.stdout)[0]).status == "declined"`, false},
		"of its own":            {`{"order": "o-7", "status": "declined", "why": "insufficient_funds"}` + thanks, declined, false},
		"what the model says":   {"I have not sent it, as you said.\nbye\n", `strcontains(sut.stdout, "not sent")`, false},
		"it must not say it":    {"bank: " + raw + thanks, `!strcontains(sut.stdout, "paid")`, false},
		"no end":                {"bank: " + raw[:20] + thanks, `strcontains(sut.stdout, "declined")`, false},
		"brackets without ends": {"[[[[{{{{ " + raw + thanks, declined, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := drivenBy(t, fmt.Sprintf(source, c.check))
				d.asks("https://bank.test/charges", `{"order": "o-7"}`).End(false)
				for range 2 {
					d.asks("https://api.openai.com/v1/chat/completions", `{"model": "m", "messages": [{"role": "user", "content": "Tell Ann."}]}`).End(false)
				}
				code := 0
				d.run.ProgramEnded(ProgramEnd{Code: &code, Ran: time.Second, Stdout: c.stdout})
				d.run.Finish("success")
				if said := d.run.Written(Came{}); (said != "") != c.told {
					t.Errorf("told %v: %q", !c.told, said)
				}
			})
		})
	}
}
