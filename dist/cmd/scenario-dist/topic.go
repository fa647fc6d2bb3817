package main

import (
	_ "embed" // the configuration
	"strings"

	"github.com/spf13/cobra"
)

// queueConf configures a server for a queue, as docs/scale.md shows it.
//
//go:embed queue.conf
var queueConf string

// queueTopic is the page of the help about the server of a queue.
func queueTopic() *cobra.Command {
	return &cobra.Command{Use: "queue", Short: "How to set up a server for a queue", Long: "A queue is a NATS server with JetStream. On one machine alone, nats-server -js and the\n" +
		"address nats://127.0.0.1:4222 are enough. For several machines it needs TLS, users\n" +
		"and room: nats-server -c queue.conf, with this queue.conf:\n\n" + indented(queueConf) + "\n" +
		"The permissions are all that a user of a queue needs; one without a permissions block may do\n" +
		"anything. Every machine then has the address in its environment, with the password in it:\n" +
		"SCENARIO_QUEUE=tls://workers:PASSWORD@queue.example:4222. If the system does not trust the\n" +
		"certificate, --queue-ca or SCENARIO_QUEUE_CA names the authority that signed it."}
}

// indented is a text with each line moved to the right.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("  " + line)
	}
	return b.String()
}
