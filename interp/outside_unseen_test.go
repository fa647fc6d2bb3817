package interp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Shows that a scenario is told of in which the program writes nothing of an answer while it comes in pieces, or a
// server sends none of its own stream while one comes, and that it is not where they do, where the pieces come too
// fast to tell, where no check reads what the program writes, or it is not known when that came.
func TestStreamsThatAreCollected(t *testing.T) {
	const source = `provider "http" "front" {}
provider "openai" "llm" {}
scenario "s" {
  sut {
    command    = ["agent"]
    time_scale = %d
    %s
  }
  on "llm" {
    reply {
      chunks  = ["Air ", "scatters ", "light."]
      %s
    }
  }
  assert "x" { condition = %s }
}
`
	const (
		delay  = `chunk_delay = "300ms"`
		reads  = `strcontains(sut.stdout, "Air")`
		all    = "Air scatters light.\n"
		client = ""
		serves = "serves = provider.front\n until = endpoint.llm.status == \"success\""
		other  = `endpoint.llm.status == "success"`
	)
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	for name, c := range map[string]struct {
		sut, reply, check string
		scale             int
		// wrote is when it writes, from the request on, and stderr that it does so there.
		wrote  []int
		stderr bool
		stdout string
		lost   bool
		stream []Stream
		told   string
	}{
		"it shows each":             {client, delay, reads, 1, []int{1, 301, 601}, false, all, false, nil, ""},
		"it shows the first":        {client, delay, reads, 1, []int{10, 650}, false, all, false, nil, ""},
		"it shows all at the end":   {client, delay, reads, 1, []int{605}, false, all, false, nil, "wrote nothing on standard output"},
		"it tells of itself":        {client, delay, reads, 1, []int{-5, 605}, false, all, false, nil, "wrote nothing on standard output"},
		"on the other stream":       {client, delay, reads, 1, []int{1, 301, 601}, true, all, false, nil, ""},
		"no check reads it":         {client, delay, other, 1, []int{605}, false, all, false, nil, ""},
		"it writes something else":  {client, delay, `strcontains(sut.stdout, "saved")`, 1, []int{605}, false, "saved\n", false, nil, ""},
		"pieces are missing":        {client, delay, reads, 1, []int{605}, false, all, true, nil, ""},
		"too fast":                  {client, `chunk_delay = "50ms"`, reads, 1, []int{605}, false, all, false, nil, ""},
		"too fast for the program":  {client, delay, reads, 10, []int{605}, false, all, false, nil, ""},
		"no wait between them":      {client, `latency = "300ms"`, reads, 1, []int{605}, false, all, false, nil, ""},
		"the server collects":       {serves, delay, other, 1, nil, false, "", false, []Stream{{From: ms(-10), First: ms(601), Until: ms(602)}}, "collected the whole answer of llm"},
		"the server passes them on": {serves, delay, other, 1, nil, false, "", false, []Stream{{From: ms(-10), First: ms(2), Until: ms(602)}}, ""},
		"two at one time":           {serves, delay, other, 1, nil, false, "", false, []Stream{{From: ms(-10), First: ms(601), Until: ms(602)}, {From: ms(-9), First: ms(1), Until: ms(610)}}, ""},
		"of another request":        {serves, delay, other, 1, nil, false, "", false, []Stream{{From: ms(605), First: ms(606), Until: ms(607)}}, ""},
		"no stream":                 {serves, delay, other, 1, nil, false, "", false, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := drivenBy(t, fmt.Sprintf(source, c.scale, c.sut, c.reply, c.check))
				time.Sleep(time.Second) // of fake time
				from := d.run.Elapsed()
				x := d.asks("https://api.openai.com/v1/chat/completions", `{"model": "m", "stream": true, "messages": [{"role": "user", "content": "Why?"}]}`)
				took := ms(600)
				if strings.Contains(c.reply, "50ms") {
					took = ms(100)
				}
				d.takes(x, took)
				came := Came{Whole: !c.lost}
				for _, at := range c.wrote {
					came.Pieces = append(came.Pieces, Piece{At: from + ms(at), Stderr: c.stderr, Size: 1})
				}
				for _, s := range c.stream {
					came.Streams = append(came.Streams, Stream{From: from + s.From, First: from + s.First, Until: from + s.Until})
				}
				code := 0
				d.run.ProgramEnded(ProgramEnd{Code: &code, Ran: time.Second, Stdout: c.stdout})
				d.run.Finish("success")
				said := strings.Join(d.run.Unseen(came, []string{"agent"}, func() []string { return nil }), "\n")
				if (said != "") != (c.told != "") || !strings.Contains(said, c.told) {
					t.Errorf("%q, want %q", said, c.told)
				}
			})
		})
	}
}

// Shows that a check that the program called nobody else is told of where the program was given an address of its
// own machine that is none of the run's, wherever that stands, and that other addresses, and those that say where
// the program itself is, are not told of.
func TestAddressesOfTheOwnMachine(t *testing.T) {
	const source = `provider "http" "site" { base_url = "https://site.test" }
scenario "s" {
  sut {
    command = ["preview"]
    env     = { %s = %q }
    stdin   = %q
  }
  on "site" {
    reply { body = %q }
  }
  assert "x" { condition = %s }
}
`
	const nobody = "sut.refused_hosts == []"
	for name, c := range map[string]struct {
		command            []string
		env, value         string
		stdin, body, check string
		file               string
		told               string
	}{
		"standard input":      {nil, "A", "", "http://127.0.0.1:9/admin\n", "", nobody, "", "http://127.0.0.1:9/admin"},
		"an argument":         {[]string{"--url", "http://localhost/admin"}, "A", "", "", "", nobody, "", "http://localhost/admin"},
		"a variable":          {nil, "CACHE", "redis://:pw@localhost:6379/0", "", "", nobody, "", "@localhost:6379/0"},
		"an answer":           {nil, "A", "", "", `{"next": "http://[::1]:8080/"}`, nobody, "", "http://[::1]:8080"},
		"a file":              {nil, "A", "", "", "", nobody, "a,http://127.1.2.3/x\n", "http://127.1.2.3/x"},
		"alone":               {nil, "A", "", `{"host": "127.0.0.1"}`, "", nobody, "", "127.0.0.1"},
		"with its port":       {nil, "A", "", "localhost:8080\n", "", nobody, "", "localhost:8080"},
		"the length of them":  {nil, "A", "", "http://0.0.0.0:1/", "", "length(sut.refused_hosts) == 0", "", "http://0.0.0.0:1"},
		"no check of that":    {nil, "A", "", "http://127.0.0.1:9/admin", "", `endpoint.site.status == "success"`, "", ""},
		"of the run":          {nil, "SITE", "http://127.0.0.1:4711/v1", "", "", nobody, "", ""},
		"another machine":     {nil, "A", "", "http://10.0.0.1/admin http://site.test/127.0.0.10", "", nobody, "", ""},
		"where it listens":    {nil, "PUBLIC_URL", "http://localhost:3000", "", "", nobody, "", ""},
		"a name with it":      {nil, "A", "", "http://localhost.example/ http://127.0.0.1.example/", "", nobody, "", ""},
		"no address":          {nil, "NO_PROXY", "localhost,127.0.0.1", "version 127.0.0.100.7", "", nobody, "", ""},
		"an option that says": {[]string{"--bind=127.0.0.1:80"}, "A", "", "", "", nobody, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := drivenBy(t, fmt.Sprintf(source, c.env, c.value, c.stdin, c.body, c.check))
				if _, err := d.run.Start(Addresses{URLs: map[string]string{"site": "http://127.0.0.1:4711"}, Port: 4712}); err != nil {
					t.Fatal(err)
				}
				d.calls("GET", "https://site.test/page").End(false)
				code := 0
				d.run.ProgramEnded(ProgramEnd{Code: &code, Ran: time.Second})
				d.run.Finish("success")
				said := strings.Join(d.run.Unseen(Came{Whole: true}, append([]string{"preview"}, c.command...), func() []string { return []string{c.file} }), "\n")
				if (said != "") != (c.told != "") || !strings.Contains(said, c.told) {
					t.Errorf("%q, want %q", said, c.told)
				}
			})
		})
	}
}
