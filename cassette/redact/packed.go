package redact

import (
	"encoding/base64"
	"strings"
)

// Texts in Base64 are looked into where they are neither too short to hold a
// token nor as long as an image.
const (
	packedMin = 24
	packedMax = 16 << 10
)

// packed finds the runs of Base64 that hold a token when they are decoded. All of
// the run is the secret: a part of it would give away the part that it stands
// for.
func packed(text string) []Sighting {
	var found []Sighting
	for i := 0; i < len(text); {
		if !isBase64Byte(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && isBase64Byte(text[i]) {
			i++
		}
		if i-start < packedMin || i-start > packedMax {
			continue
		}
		if plain := fromBase64(text[start:i]); plain != "" {
			if inner := sightings(plain); len(inner) > 0 {
				end := i
				for end < len(text) && text[end] == '=' && end-i < 2 {
					end++
				}
				found = append(found, Sighting{start, end, inner[0].Rule})
			}
		}
	}
	return found
}

func isBase64Byte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}

// fromBase64 is the text that a run stands for, "" where that is none.
func fromBase64(run string) string {
	alphabet := base64.RawStdEncoding
	if strings.ContainsAny(run, "-_") {
		alphabet = base64.RawURLEncoding
	}
	head, err := alphabet.DecodeString(run[:packedMin/4*4])
	if err != nil || !isPrinted(head) {
		return ""
	}
	data, err := alphabet.DecodeString(run)
	if err != nil || !isPrinted(data) {
		return ""
	}
	return string(data)
}

func isPrinted(data []byte) bool {
	for _, c := range data {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
