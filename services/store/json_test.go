package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

// TestDocumentsWrittenBySQL reads documents that somebody wrote as text.
func TestDocumentsWrittenBySQL(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		j := in.storedJob(g, "pay", func(j *models.Job) { j.Labels = []byte(`{"a":"b"}`) })
		other := in.storedJob(g, "ship")
		in.must(s.writer.Exec("UPDATE jobs SET parameters = '{\"n\":1}' WHERE id = ?", j.ID).Error)
		rows, err := s.JobsByIDs(t.Context(), []string{j.ID, other.ID})
		in.must(err)
		want := map[string][2]string{j.ID: {`{"n":1}`, `{"a":"b"}`}, other.ID: {}}
		got := map[string][2]string{}
		for _, r := range rows {
			got[r.ID] = [2]string{string(r.Parameters), string(r.Labels)}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("documents (-want +got):\n%s", diff)
		}
	})
}
