package harness

import (
	"encoding/json"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// The parts of SARIF 2.1.0 that a list of diagnostics needs.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPlace `json:"physicalLocation"`
	}
	sarifPlace struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region sarifRegion `json:"region"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

// writeSARIFDiagnostics writes one document, also where nothing is wrong: a
// viewer then knows that it was looked at. The rule of a diagnostic is its
// summary, which is constant.
func writeSARIFDiagnostics(w io.Writer, diags hcl.Diagnostics) {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "scenario", Version: cli.Version(), Rules: sarifRules(diags)}
	for _, d := range diags {
		id := ruleID(d.Summary)
		run.Results = append(run.Results, sarifResult{
			RuleID:    id,
			RuleIndex: slices.IndexFunc(run.Tool.Driver.Rules, func(r sarifRule) bool { return r.ID == id }),
			Level:     eventOf(d).Severity,
			Message:   sarifText{strings.TrimSpace(d.Summary + ". " + d.Detail)},
			Locations: sarifLocations(d.Subject),
		})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// sarifRules lists the rules of the diagnostics, each once, sorted.
func sarifRules(diags hcl.Diagnostics) []sarifRule {
	summaries := map[string]string{}
	for _, d := range diags {
		if id := ruleID(d.Summary); summaries[id] == "" {
			summaries[id] = d.Summary
		}
	}
	rules := []sarifRule{}
	for _, id := range slices.Sorted(maps.Keys(summaries)) {
		rules = append(rules, sarifRule{id, sarifText{summaries[id]}})
	}
	return rules
}

// ruleID is a summary as an identifier: unknown-attribute.
func ruleID(summary string) string {
	words := strings.FieldsFunc(strings.ToLower(summary), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return strings.Join(words, "-")
}

func sarifLocations(r *hcl.Range) []sarifLocation {
	if r == nil {
		return nil
	}
	var at sarifLocation
	at.Physical.Artifact.URI = (&url.URL{Path: r.Filename}).String()
	at.Physical.Region = sarifRegion{r.Start.Line, r.Start.Column, r.End.Line, r.End.Column}
	return []sarifLocation{at}
}
