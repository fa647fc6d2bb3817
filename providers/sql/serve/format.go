package serve

import (
	"fmt"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgtype"
)

// formatted is a description of the columns in the formats that a client bound:
// one for all, one for each, or none for text.
func formatted(d *pgproto3.RowDescription, formats []int16) pgproto3.RowDescription {
	told := pgproto3.RowDescription{Fields: append([]pgproto3.FieldDescription(nil), d.Fields...)}
	for i := range told.Fields {
		switch {
		case len(formats) == 1:
			told.Fields[i].Format = formats[0]
		case i < len(formats):
			told.Fields[i].Format = formats[i]
		}
	}
	return told
}

func anyBinary(formats []int16) bool {
	for _, f := range formats {
		if f != 0 {
			return true
		}
	}
	return false
}

// binaryOf is the binary form of a value that a script holds as text.
func binaryOf(oid uint32, text []byte) ([]byte, error) {
	types := pgtype.NewMap()
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
