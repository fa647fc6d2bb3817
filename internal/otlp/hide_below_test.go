package otlp

import (
	"fmt"
	"strings"
	"testing"
)

// TestBelow shows that attributes are hidden below the name of a credential.
func TestBelow(t *testing.T) {
	const secret = "Gs6zAw1vHd38KqTy"
	h := &hider{}
	shown := fmt.Sprint(h.object(map[string]any{"password": map[string]any{"old": secret}, "tokens": []any{map[string]any{"ann": secret}}, "pin": map[string]any{"new": int64(4930)}}))
	if strings.Contains(shown, secret) || strings.Contains(shown, "new:4930") {
		t.Error(shown)
	}
	if kept := fmt.Sprint(h.object(map[string]any{"token": map[string]any{"id": secret, "expires_in": int64(3600)}, "city": map[string]any{"old": secret}})); strings.Count(kept, secret) != 2 || !strings.Contains(kept, "3600") {
		t.Error(kept)
	}
}
