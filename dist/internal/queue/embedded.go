package queue

import (
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// upMax is how long a server inside of the process may take to begin.
const upMax = 30 * time.Second

// maxPayload bounds one message of a server inside of the process. The traces of a
// scenario may come to more than the megabyte that servers take by default.
const maxPayload = 64 << 20

// Embedded starts a server inside of this process that keeps its runs in a directory
// and listens on nothing.
func Embedded(dir string) (*Queue, error) {
	s, err := server.NewServer(&server.Options{ServerName: "scenario-dist", DontListen: true, JetStream: true, StoreDir: dir, MaxPayload: maxPayload, NoSigs: true, NoLog: true})
	if err != nil {
		return nil, fmt.Errorf("cannot begin a queue in %s: %w", dir, err)
	}
	s.Start()
	stop := func() {
		s.Shutdown()
		s.WaitForShutdown()
	}
	if !s.ReadyForConnections(upMax) {
		stop()
		return nil, fmt.Errorf("the queue in %s did not begin within %s", dir, upMax)
	}
	if !s.JetStreamEnabled() {
		stop()
		return nil, fmt.Errorf("the queue in %s cannot keep anything: is the directory writable, and in use by no other run?", dir)
	}
	q := unconnected("this process", nil)
	conn, err := nats.Connect("", append(q.heard(), nats.InProcessServer(s))...)
	if err != nil {
		stop()
		return nil, err
	}
	return q, q.use(conn, stop)
}
