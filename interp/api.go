package interp

// Run plays a plan to its end on a virtual clock of its own and checks what
// must hold. It never touches the network or the disk, starts no goroutine
// that outlives it, and gives the same result and the same trace every time.
// A scenario that could not be run, because of a defect of this program, has
// the verdict Error.
func Run(p *Plan, opts RunOptions) *Result { return execute(p, opts, nil, nil) }

// execute is a run; a nil live is one that cannot leave the process, and a nil
// host one that starts no programs.
func execute(p *Plan, opts RunOptions, live *Live, host *BenchHost) *Result {
	result := &Result{Plan: p}
	defer p.secrets.result(result)
	defer result.inFile()
	if p.Skip != "" {
		result.Verdict = Skip
		return result
	}
	r := newHostedRun(p, opts, live, host)
	w := watch(r.obs)
	err := r.play()
	if err == nil {
		(&finished{plan: p, obs: r.obs, gates: r.gates, defects: r.defects, watcher: w}).judge(result)
		err = r.log.Err() // a gate that closes is an event, too
	}
	result.Virtual = r.clock.Elapsed()
	result.ran, result.Events = true, r.log.Events()
	if r.player != nil {
		result.Played = r.player.Played()
	}
	if p.bench != nil {
		result.Bench = r.obs.report(nil)
	}
	if err != nil {
		result.Verdict = Error
		result.Problems = []Problem{{Kind: "error", Name: "run", Message: err.Error(), Range: p.workflow.rng}}
	}
	return result
}

// RunBench runs a plan of Suite.Benches on the real clock, its programs with
// the host. A workflow is played as a test plays it, from its script and its
// cassette, each case on a virtual clock of its own.
func RunBench(p *Plan, opts RunOptions, host BenchHost) *Result {
	return execute(p, opts, nil, &host)
}

// RunLive plays a plan on the real clock: the same scripts, policies and
// adapters as [Run], and the network where neither the script nor the cassette
// answers. Times are real, so no two results are equal. The keys that were sent
// are hidden in the result like sensitive variables.
func RunLive(p *Plan, opts RunOptions, live Live) *Result {
	return execute(p.hiding(live.keys(p)), opts, &live, nil)
}
