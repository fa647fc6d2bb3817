package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
)

// A Record is one line of a run log: a trial that ended, and what it was the
// trial of.
type Record struct {
	Case  string `json:"case"`
	Trial int    `json:"trial"`
	// Digest is equal as long as the trial would be the same.
	Digest string `json:"digest"`
	// Input and Rubric identify what was asked and what scored it.
	Input  string `json:"input,omitempty"`
	Rubric string `json:"rubric,omitempty"`
	Result Trial  `json:"result"`
}

// Cacheable reports whether a result may be taken for that of a later run: it
// follows from the case, and not from how the machine did.
func (r *Record) Cacheable() bool {
	for _, m := range r.Result.FailureModes {
		switch m.Code {
		case SUTException, SUTTimeout, RubricTimeout, WorkerLost:
			return false
		}
	}
	return true
}

// checksum is that of a line, by a table that the standard library makes once.
func checksum(text []byte) uint32 {
	return crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli))
}

// sumSize is the length of the checksum that begins a line.
const sumSize = 8

// Line is the record as a line of a log: a checksum of the rest, and JSON. A
// log is written a line at a time, so that a crash can cut off its last line
// alone.
func (r *Record) Line() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // an answer is kept as it was
	if err := enc.Encode(r); err != nil {
		panic(err) // a score without numbers was refused long before
	}
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	return fmt.Appendf(nil, "%08x %s\n", checksum(text), text)
}

// maxLine bounds a line of a log.
const maxLine = 16 << 20

// ReadLog gives every record of a log to each, and returns how many lines were
// none: cut off, or damaged. whole is the length of the log up to the end of
// its last line, from where it can be written on.
func ReadLog(log io.Reader, each func(Record)) (damaged int, whole int64, err error) {
	return ReadLogAt(log, func(r Record, _ Span) { each(r) })
}

// A Span is where a record stands in its log, in bytes.
type Span struct {
	At   int64
	Size int
}

// Read is the record that stands there.
func (s Span) Read(log io.ReaderAt) (Record, error) {
	line := make([]byte, s.Size)
	if _, err := log.ReadAt(line, s.At); err != nil {
		return Record{}, err
	}
	r, ok := parseRecord(line)
	if !ok {
		return r, errors.New("the log has changed while it was read")
	}
	return r, nil
}

// ReadLogAt is [ReadLog] for who comes back to a record.
func ReadLogAt(log io.Reader, each func(Record, Span)) (damaged int, whole int64, err error) {
	in := bufio.NewReaderSize(log, 64<<10)
	for {
		line, err := readLine(in)
		if err == io.EOF {
			if len(line) > 0 {
				damaged++
			}
			return damaged, whole, nil
		}
		if err != nil {
			return damaged, whole, err
		}
		at := Span{whole, len(line)}
		whole += int64(len(line))
		if r, ok := parseRecord(line); ok {
			each(r, at)
		} else {
			damaged++
		}
	}
}

// readLine is the next line with its end.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
		if len(line) > maxLine {
			return line, fmt.Errorf("a line has more than %d bytes; this is no log of a bench", maxLine)
		}
	}
}

func parseRecord(line []byte) (r Record, ok bool) {
	line = bytes.TrimSuffix(line, []byte("\n"))
	if len(line) < sumSize+1 || line[sumSize] != ' ' {
		return r, false
	}
	sum, err := strconv.ParseUint(string(line[:sumSize]), 16, 32)
	text := line[sumSize+1:]
	if err != nil || uint32(sum) != checksum(text) || json.Unmarshal(text, &r) != nil {
		return Record{}, false
	}
	return r, r.Case != "" && r.Trial > 0
}
