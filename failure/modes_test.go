package failure

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// specModes is the table of the semantics, §11, as it stands there: code,
// category, retryable, terminal, partial, severity.
const specModes = `
AGENT_VALIDATION|agent||||low
AGENT_TIMEOUT|agent|R||P|medium
AGENT_LOGIC|agent||||low
AGENT_CONTRACT|agent||T||critical
AGENT_STATE|agent||||medium
SYSTEM_NETWORK|system|R|||high
SYSTEM_TIMEOUT|system|R||P|high
SYSTEM_CRASH|system||T||critical
SYSTEM_OOM|system||T||critical
SYSTEM_DISK|system||||high
RESOURCE_TOOL_UNAVAILABLE|resource|R|||medium
RESOURCE_API_UNAVAILABLE|resource|R|||medium
RESOURCE_MEMORY_FULL|resource|||P|medium
RESOURCE_QUOTA|resource|||P|medium
RESOURCE_CIRCUIT_OPEN|resource|R|||medium
POLICY_SECURITY|policy||T||critical
POLICY_BUDGET|policy||T||critical
POLICY_ALLOWLIST|policy||T||critical
POLICY_RATE_LIMIT|policy|R|||medium
USER_INVALID_INPUT|user||||low
USER_CANCELLED|user||T||critical
USER_PERMISSION|user||||medium
PARTIAL_TOOL_FAILURES|agent|||P|medium
PARTIAL_STEP_FAILURES|agent|||P|medium
PARTIAL_TIMEOUT|agent|R||P|medium
`

// The modes of std/cuga are the table of the semantics, in its order.
func TestV99ModesAreTheTable(t *testing.T) {
	var want []Mode
	for line := range strings.Lines(strings.TrimSpace(specModes)) {
		c := strings.Split(strings.TrimSpace(line), "|")
		want = append(want, Mode{c[0], c[1], c[2] == "R", c[3] == "T", c[4] == "P", c[5]})
	}
	if len(want) != 25 {
		t.Fatalf("the table in the test has %d rows, want 25", len(want))
	}
	if diff := cmp.Diff(want, Modes()); diff != "" {
		t.Error(diff)
	}
}

// A terminal mode is critical and not retryable, and seven modes are terminal.
func TestV99TerminalModes(t *testing.T) {
	terminal := 0
	for _, m := range Modes() {
		if !m.Terminal {
			continue
		}
		terminal++
		if m.Retryable || m.Severity != "critical" {
			t.Errorf("%s is terminal, retryable %v, severity %s", m.Code, m.Retryable, m.Severity)
		}
	}
	if terminal != 7 {
		t.Errorf("%d terminal modes, want 7", terminal)
	}
}

// Changing what Modes returned changes nobody else's modes.
func TestModesIsACopy(t *testing.T) {
	Modes()[0].Code = "CHANGED"
	Cuga().Modes()[0].Code = "CHANGED"
	if Lookup("AGENT_VALIDATION") == nil || Lookup("CHANGED") != nil {
		t.Error("the shared table was changed")
	}
}
