package report

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
)

// luminance is that of WCAG 2.2 of a colour written #rgb or #rrggbb.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	if len(hex) == 4 {
		hex = "#" + strings.Repeat(hex[1:2], 2) + strings.Repeat(hex[2:3], 2) + strings.Repeat(hex[3:4], 2)
	}
	var c [3]int
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &c[0], &c[1], &c[2]); err != nil {
		t.Fatal(hex, err)
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		x := float64(c[i]) / 255
		if x <= 0.04045 {
			x /= 12.92
		} else {
			x = math.Pow((x+0.055)/1.055, 2.4)
		}
		sum += weight * x
	}
	return sum
}

// Shows that text and signs can be told from what is behind them, in the light
// page and in the dark one, by the ratios of WCAG 2.2: 4.5 for text (1.4.3), 3
// for signs (1.4.11).
func TestContrast(t *testing.T) {
	themes := regexp.MustCompile(`:root\{([^}]*)\}`).FindAllStringSubmatch(htmlStyle, -1)
	if len(themes) != 2 {
		t.Fatalf("%d themes", len(themes))
	}
	for i, theme := range themes {
		color := map[string]string{}
		for part := range strings.SplitSeq(theme[1], ";") {
			name, value, _ := strings.Cut(part, ":")
			color[name] = value
		}
		for _, pair := range []struct {
			front, back string
			least       float64
		}{
			{"--fg", "--bg", 4.5},
			{"--fg", "--card", 4.5},
			{"--fg", "--kobg", 4.5},
			{"--mut", "--bg", 4.5},
			{"--mut", "--card", 4.5},
			{"--info", "--bg", 4.5},
			{"--ok", "--okbg", 4.5},
			{"--ko", "--kobg", 4.5},
			{"--warn", "--warnbg", 4.5},
			{"--warn", "--bg", 4.5},
			{"--ok", "--bg", 3},
			{"--ko", "--bg", 3},
		} {
			a, b := luminance(t, color[pair.front]), luminance(t, color[pair.back])
			if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < pair.least {
				t.Errorf("theme %d: %s on %s has %.2f, want %.1f", i, pair.front, pair.back, ratio, pair.least)
			}
		}
	}
}
