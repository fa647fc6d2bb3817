// Package convert carries files of other tools over into ours, and cassettes
// into files of other tools or parts of a scenario file.
//
// [Import] reads a HAR archive, fixtures of aimock, stubs of WireMock or answers
// of AgentLoom, and gives a cassette or the [Draft] of a scenario file, with
// notes about what has no place there. [Write] writes a cassette in another
// format, and [Promote] turns what was recorded into scripts.
//
// One file holds one format; its line stands in the list importers.
package convert
