package sql_test

import (
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/wire"
)

// Shows that nothing a server may send, and nothing a recording may hold, makes
// the adapter panic or hang, or pass for a complete answer that is none.
func FuzzParse(f *testing.F) {
	for _, out := range []providers.Output{{Content: "text"}, {Affected: count(3)}} {
		f.Add(sql.Adapter{}.Render(in, out).Body(), uint16(40), uint8(1))
	}
	f.Add(sql.Adapter{}.RenderTyped(in, "db_error", "no", "23505").Body(), uint16(9), uint8(2))
	f.Add([]byte(`{"type":"ReadyForQuery","status":"I"}`+"\n"+`{"type":"DataRow","values":["1",null]}`+"\n"), uint16(0), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, cut uint16, end uint8) {
		adaptertest.Arbitrary(t, sql.Adapter{}, in, data, sql.Recorded, cut, end)
		whole := wire.Response{Opening: sql.Adapter{}.Opening(), Parts: []wire.Part{{Data: data}}, End: wire.EndFIN}
		if p, err := adaptertest.Play(sql.Adapter{}, in, whole.Script(wire.Meta{})); err != nil || p.Unclosed {
			t.Errorf("unclosed or refused: %v", err)
		}
		recorded := wire.Response{Header: []wire.Field{{Name: "Content-Type", Value: sql.Recorded}}, Parts: []wire.Part{{Data: data}}, End: wire.EndFIN}
		if resp, err := (sql.Adapter{}).Restore(recorded); err == nil {
			if _, err := adaptertest.Play(sql.Adapter{}, in, resp.Script(wire.Meta{})); err != nil {
				t.Error(err)
			}
		}
	})
}
