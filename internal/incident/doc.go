// Package incident makes the draft of a scenario file of a trace of OpenTelemetry:
// the calls that a program made, and how each of them ended, as the scripts that
// bring the same about again.
//
//	draft, err := incident.Import("tuesday.json", data, incident.Options{Trace: "3758ea4c"})
//	text := recording.Draft(strings.Join(draft.Head, "\n"), draft.Blocks)
//
// It reads OTLP/JSON, one export a line or one document, with spans and with the
// log records that belong to them, what Tempo and Jaeger give back of a trace, and
// the names of the semantic conventions of several years: gen_ai.*, http.*, url.*,
// db.*, mcp.*, and those of OpenLLMetry and OpenInference. What the spans do not
// say is listed, and a placeholder stands for it. Secrets are hidden as in a
// recording.
package incident
