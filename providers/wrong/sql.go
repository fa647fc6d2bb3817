package wrong

import (
	"slices"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
)

// ofDatabase is what a statement returns, or how many rows it says to have changed.
func ofDatabase(v schema.Values, way Way, out *providers.Output) error {
	rows, columns, affected := out.Rows, slices.Clone(out.Columns), 0
	if out.Affected != nil {
		affected = *out.Affected
	}
	switch way {
	case Empty:
		if len(rows) > 0 {
			return errList
		}
		affected = 0
	case Half:
		switch {
		case rows != nil:
			return errList
		case affected < 2:
			return errNoHalf
		}
		affected /= 2
	case Retyped:
		if len(rows) == 0 {
			return errNoType
		}
		rows = asTexts(columns, rows)
	}
	if rows == nil {
		v["affected"] = affected
		return nil
	}
	v["rows"], v["columns"] = objects(columns, rows), declared(columns)
	return nil
}

// asTexts are rows whose columns are lists of strings, each of one value; columns become
// those of texts.
func asTexts(columns []providers.Column, rows [][]any) [][]any {
	list := make([][]any, len(rows))
	for i, row := range rows {
		list[i] = make([]any, len(row))
		for j, value := range row {
			text, isText := value.(string)
			if data, err := providers.EncodeJSON(value); !isText && err == nil {
				text = string(data)
			}
			list[i][j] = text
			if isText {
				list[i][j] = []any{text}
			}
		}
	}
	for j := range columns {
		switch columns[j].Type {
		case "text", "varchar", "name", "bpchar":
			columns[j].Type = "jsonb"
		default:
			columns[j].Type = "text"
		}
	}
	return list
}

func objects(columns []providers.Column, rows [][]any) []any {
	list := make([]any, len(rows))
	for i, row := range rows {
		object := map[string]any{}
		for j, value := range row {
			object[columns[j].Name] = value
		}
		list[i] = object
	}
	return list
}

func declared(columns []providers.Column) []string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = c.Name + " " + c.Type
	}
	return list
}
