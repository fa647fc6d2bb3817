package serve

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgtype"
)

// maps hold the types, and are made at some cost. One at a time uses one.
var maps = sync.Pool{New: func() any { return pgtype.NewMap() }}

// formatted is a description of the columns in the formats that a client bound:
// one for all, one for each, or none for text.
func formatted(d *pgproto3.RowDescription, formats []int16) pgproto3.RowDescription {
	told := pgproto3.RowDescription{Fields: append([]pgproto3.FieldDescription(nil), d.Fields...)}
	for i := range told.Fields {
		told.Fields[i].Format = formatOf(formats, i)
	}
	return told
}

// formatOf is the format of one of several values.
func formatOf(formats []int16, i int) int16 {
	switch {
	case len(formats) == 1:
		return formats[0]
	case i < len(formats):
		return formats[i]
	}
	return pgtype.TextFormatCode
}

func anyBinary(formats []int16) bool {
	for _, f := range formats {
		if f != 0 {
			return true
		}
	}
	return false
}

// binaryRow is a row, which a script holds as text, in the formats of a
// description.
func binaryRow(data []byte, told pgproto3.RowDescription) ([]byte, error) {
	m := &pgproto3.DataRow{}
	if err := m.Decode(data[5:]); err != nil {
		return nil, err
	}
	for i, v := range m.Values {
		if v == nil || i >= len(told.Fields) || told.Fields[i].Format == 0 {
			continue
		}
		binary, err := binaryOf(told.Fields[i].DataTypeOID, v)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", told.Fields[i].Name, err)
		}
		m.Values[i] = binary
	}
	return m.Encode(nil)
}

// binaryOf is the binary form of a value that a script holds as text.
func binaryOf(oid uint32, text []byte) ([]byte, error) {
	types := maps.Get().(*pgtype.Map)
	defer maps.Put(types)
	t, known := types.TypeForOID(oid)
	if !known {
		return nil, fmt.Errorf("type %d has no binary form here", oid)
	}
	v, err := t.Codec.DecodeValue(types, oid, pgtype.TextFormatCode, text)
	if err != nil {
		return nil, err
	}
	return types.Encode(oid, pgtype.BinaryFormatCode, v, nil)
}

// arguments are those that a client binds: numbers and bools where it says that
// they are, else texts.
func arguments(m *pgproto3.Bind, types []uint32) ([]any, error) {
	var list []any
	for i, raw := range m.Parameters {
		var oid uint32
		if i < len(types) {
			oid = types[i]
		}
		v, err := argument(raw, oid, formatOf(m.ParameterFormatCodes, i))
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
		list = append(list, v)
	}
	return list, nil
}

var errNoText = errors.New("its text is not UTF-8")

func argument(raw []byte, oid uint32, format int16) (any, error) {
	if raw == nil {
		return nil, nil
	}
	text := string(raw)
	if format == pgtype.BinaryFormatCode {
		var err error
		if text, err = textOf(oid, raw); err != nil {
			return nil, err
		}
	}
	if !utf8.ValidString(text) {
		return nil, errNoText
	}
	switch oid {
	case pgtype.BoolOID:
		return text == "t" || text == "true" || text == "1" || text == "on", nil
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID, pgtype.Float4OID, pgtype.Float8OID, pgtype.NumericOID, pgtype.OIDOID:
		if n := json.Number(text); json.Valid([]byte(n)) {
			return n, nil
		}
	}
	return text, nil
}

// textOf is the text of a binary value; one of a type that is not known is told
// by its bytes.
func textOf(oid uint32, raw []byte) (string, error) {
	types := maps.Get().(*pgtype.Map)
	defer maps.Put(types)
	t, known := types.TypeForOID(oid)
	if !known {
		return `\x` + hex.EncodeToString(raw), nil
	}
	v, err := t.Codec.DecodeValue(types, oid, pgtype.BinaryFormatCode, raw)
	if err != nil {
		return "", err
	}
	text, err := types.Encode(oid, pgtype.TextFormatCode, v, nil)
	return string(text), err
}
