package language

import "github.com/scenario-lang/scenario/schema"

// sutBlock is the program that a scenario is about.
func sutBlock() *schema.Block {
	return &schema.Block{
		Type: "sut", Max: 1, Doc: "The system under test: a program that is started, and that asks the endpoints. Its expressions read provider.NAME.url, provider.NAME.dsn of a database, provider.NAME.command of a server over a pipe, and sut.port.",
		Attrs: []schema.Attr{
			{Name: "command", Type: schema.Expr, Doc: "The program and its arguments, a list; no shell reads it. What follows -- on the command line takes its place."},
			{Name: "dir", Type: schema.String, Doc: "The directory in which it runs, relative to the file; the file's own by default."},
			{Name: "env", Type: schema.Expr, Doc: "Variables of its environment, beside those it inherits and those that tell it where the services are."},
			{Name: "stdin", Type: schema.Expr, Doc: "What it gets on standard input: a string; nothing by default."},
			limit(schema.Attr{Name: "timeout", Type: schema.Duration, Default: `"60s"`, Doc: "Limit of the whole run. With a time_scale it is divided by that, as every time of the file; the default is real time."}),
			limit(schema.Attr{Name: "time_scale", Type: schema.Number, Default: "1", Doc: "Divides every duration that goes over the wire, and multiplies every time that is read."}),
			{Name: "serves", Type: schema.Ref, Refs: []string{"provider"}, Doc: "The provider that the program is: a server, which the workflow and the calls of the scenario ask."},
			{Name: "until", Type: schema.Expr, Doc: "A condition: the run goes on until it holds."},
			positive(schema.Attr{Name: "settle", Type: schema.Duration, Default: `"0s"`, Doc: "At the end, how long nothing may be under way before the run is over. What the program left running goes on until then."}),
			limit(schema.Attr{Name: "stop_timeout", Type: schema.Duration, Default: `"5s"`, Doc: "How long it may take to end when it is asked to, before it is killed."}),
			{Name: "telemetry", Type: schema.Bool, Default: "true", Doc: "Whether it is told to export its spans, metrics and logs to the run, by the variables of OpenTelemetry."},
			{Name: "metrics", Type: schema.String, Doc: "A path of the server that has its metrics in the text format of Prometheus. It is read when the program is ready and before it is judged."},
			{Name: "allow_hosts", Type: schema.Strings, Default: "[]", Doc: `Hosts that it may call past the scenario, each as "host:port"; * is any run of characters.`},
		},
		Blocks: []*schema.Block{{
			Type: "ready", Max: 1, Doc: "How to tell that it is ready: all that is given. A server is ready when its port is open, without this.",
			Attrs: []schema.Attr{
				{Name: "path", Type: schema.String, Doc: "A path of the server that answers a GET well."},
				within(100, 599, schema.Attr{Name: "status", Type: schema.Int, Doc: "The status of that answer; 200 to 399 by default."}),
				{Name: "log", Type: schema.String, Doc: "A regular expression (RE2) that a line of its output matches."},
				limit(schema.Attr{Name: "timeout", Type: schema.Duration, Default: `"10s"`, Doc: "How long it may take."}),
			},
		}},
	}
}
