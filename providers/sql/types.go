package sql

import (
	"slices"
	"strings"
)

// A dataType is a type of the server: its name, its number in the protocol
// (pg_type.oid), the size that a column description gives (-1 where it varies)
// and how its text is read.
type dataType struct {
	name string
	oid  uint32
	size int16
	form form
}

type form uint8

const (
	plain form = iota // the text as it is
	boolean
	integer
	floating
	exact // numeric
	document
	octets
	instant // with a zone
	moment  // without
)

// The types that values without a type of their own are sent as.
const (
	oidBool   = 16
	oidInt8   = 20
	oidText   = 25
	oidFloat8 = 701
	oidJSONB  = 3802
)

// dataTypes follow pg_type.dat of PostgreSQL 17, whose built-in numbers never
// change. What is not here is read as text.
var dataTypes = []dataType{
	{"bool", oidBool, 1, boolean},
	{"bytea", 17, -1, octets},
	{"char", 18, 1, plain},
	{"name", 19, 64, plain},
	{"int8", oidInt8, 8, integer},
	{"int2", 21, 2, integer},
	{"int4", 23, 4, integer},
	{"text", oidText, -1, plain},
	{"oid", 26, 4, integer},
	{"json", 114, -1, document},
	{"xml", 142, -1, plain},
	{"float4", 700, 4, floating},
	{"float8", oidFloat8, 8, floating},
	{"bpchar", 1042, -1, plain},
	{"varchar", 1043, -1, plain},
	{"date", 1082, 4, plain},
	{"time", 1083, 8, plain},
	{"timestamp", 1114, 8, moment},
	{"timestamptz", 1184, 8, instant},
	{"interval", 1186, 16, plain},
	{"timetz", 1266, 12, plain},
	{"numeric", 1700, -1, exact},
	{"void", 2278, 4, plain},
	{"uuid", 2950, 16, plain},
	{"jsonb", oidJSONB, -1, document},
	{"bool[]", 1000, -1, plain},
	{"int2[]", 1005, -1, plain},
	{"int4[]", 1007, -1, plain},
	{"text[]", 1009, -1, plain},
	{"varchar[]", 1015, -1, plain},
	{"int8[]", 1016, -1, plain},
	{"float8[]", 1022, -1, plain},
	{"timestamptz[]", 1185, -1, plain},
	{"numeric[]", 1231, -1, plain},
	{"uuid[]", 2951, -1, plain},
	{"jsonb[]", 3807, -1, plain},
}

// synonyms are the names that statements give to the types, where they differ
// from the catalogue's.
var synonyms = map[string]string{
	"boolean": "bool", "smallint": "int2", "integer": "int4", "int": "int4", "bigint": "int8", "real": "float4",
	"double precision": "float8", "decimal": "numeric", "character varying": "varchar", "string": "text",
	"timestamp with time zone": "timestamptz", "timestamp without time zone": "timestamp",
}

// TypeNames are the names of the types that a column may be declared with.
func TypeNames() []string {
	names := make([]string, 0, len(dataTypes))
	for _, t := range dataTypes {
		names = append(names, t.name)
	}
	return names
}

// typeNamed finds a type by its name or a synonym of it.
func typeNamed(name string) (dataType, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	if other := synonyms[name]; other != "" {
		name = other
	}
	i := slices.IndexFunc(dataTypes, func(t dataType) bool { return t.name == name })
	if i < 0 {
		return dataType{}, false
	}
	return dataTypes[i], true
}

// typeOf finds a type by its number; an unknown one is text of that number.
func typeOf(oid uint32) dataType {
	for _, t := range dataTypes {
		if t.oid == oid {
			return t
		}
	}
	return dataType{name: "text", oid: oid, size: -1}
}
