package interp

import (
	"errors"
	"net/http"
	"sync"

	"github.com/scenario-lang/scenario/interp/internal/engine"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// DriveOptions say how the program of a scenario is asked.
type DriveOptions struct {
	// BaseURL is where it is, with the path of its provider.
	BaseURL string
	// Transport reaches it, and nothing else. It is used from several goroutines
	// at once.
	Transport http.RoundTripper
	// Key is sent where the provider has an api_key_env.
	Key string
}

// driving is the part of a run that asks the program.
type driving struct {
	mu     sync.Mutex
	cancel func(error)
	cause  error // why it has to end, nil while it need not
}

// Drives reports whether the workflow or the blocks of the scenario ask its
// program.
func (o *Outside) Drives() bool {
	return o.plan.Sut.Serving() != nil && (o.plan.Workflow.Name != "" || len(o.plan.Actions) > 0)
}

// Drive has the workflow and the blocks of the scenario ask its program, a server
// that is ready, on the clock of the run, and returns when they have ended: true
// where they came to a success. It is called once, before Finish; what it did is
// part of the run.
func (o *Outside) Drive(d DriveOptions) bool {
	live := &Live{Transport: d.Transport, Env: func(string) (string, bool) { return d.Key, true }}
	stage := o.run.Stage()
	stage.Lock()
	defer stage.Unlock()
	part := engine.NewPart(o.plan, live, engine.Stage{
		Clock: o.run.Tasks(), Log: o.run.Log, Obs: o.run.Obs, Way: Exec, Begun: o.driving.begun, Ended: o.run.Drove,
		Address: func(p *plan.Provider) string {
			if p == o.plan.Sut.Serves {
				return d.BaseURL
			}
			return p.Address()
		},
	})
	o.broken = part.Play()
	return o.run.Succeeded()
}

// StopDriving ends Drive early, and says why in what was under way.
func (o *Outside) StopDriving(why string) { o.driving.stop(errors.New(why)) }

// begun keeps what cancels the part, and does so where it came too late.
func (d *driving) begun(cancel func(error)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cancel = cancel
	if d.cause != nil {
		cancel(d.cause)
	}
}

func (d *driving) stop(cause error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.cause != nil {
		return
	}
	d.cause = cause
	if d.cancel != nil {
		d.cancel(cause)
	}
}
