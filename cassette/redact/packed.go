package redact

import "github.com/scenario-lang/scenario/cassette/internal/packing"

// packedMax bounds the texts in Base64 that are looked into: an image is longer. Those of
// less than [packing.Base64Min] hold no token.
const packedMax = 16 << 10

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
		if i-start < packing.Base64Min || i-start > packedMax {
			continue
		}
		if plain := packing.FromBase64(text[start:i]); plain != "" {
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
