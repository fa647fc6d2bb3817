// Package effects holds the test that every word of the language matters:
// whatever the schema tables list for a block changes a trace, a verdict, a
// report or a diagnostic in at least one small file, and whatever they refuse
// is refused. What is accepted without effect stands in its testdata as a gap,
// with the reason, and the test fails when a gap is closed and still listed.
//
// # Worlds and effects
//
// The files of testdata are txtar archives. A section NAME.scenario.hcl is a
// world, a file that has the blocks in question. NAME may be followed by kinds,
// each of which makes a world NAME-KIND with $KIND replaced:
//
//	-- chat openai anthropic.scenario.hcl --
//
// A section WORLDS.effects lists, for the worlds that its patterns name, what
// is changed and where that has to show. A later section of an archive replaces
// the lines of an earlier one for the same path and attribute in a world that
// it names without a pattern:
//
//	-- chat-*.effects --
//	workflow/step:*.temperature = 0.5 -> attempt_start.body
//	workflow/step:*.attempt_timeout = "1s" given scenario/on/reply.latency = "2s" -> attempt_end.kind
//	workflow/step:* + bulkhead { max_concurrent = 1 } -> gap: why nobody sees it
//
// A path is that of a block in the schema, with * for any kind; where several
// blocks have it, the one whose last label is "it" is meant, or else the first;
// another is named by its label: workflow/step:wait[slow]. In a block that is
// added, ⏎ stands for a line break.
// A value of - takes an attribute away. What stands after "and" is changed
// with it; what stands after "given" is done to both files before they are
// compared. What shows is one of
//
//   - an event of the trace, with its attribute: attempt_end.kind, step_start.at
//   - verdict, problems, checks or warnings
//   - a report: report.html, or tags, metrics, bench
//   - what a live run or a bench hands to the world: dialled, started
//   - refused "SUMMARY": the change is a diagnostic
//   - warned "SUMMARY": what is changed is part of something that has no effect,
//     and a warning says so
//   - read by DIRECTORY TEST: nothing in a run; a tool reads it, as the test
//     in that directory shows
//   - gap: REASON: nothing at all, although something should
package effects
