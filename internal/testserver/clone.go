package testserver

import (
	"context"
	"fmt"
	"testing"
)

// Clone makes a database with the tables of another one and the rows of those
// that rows names, much faster than migrating it anew, and drops it at the
// test's end.
func (s *MariaDBServer) Clone(t testing.TB, from string, rows ...string) string {
	t.Helper()
	name := s.Database(t)
	if err := s.copyTables(t.Context(), from, name, rows); err != nil {
		t.Fatalf("copying the database %s: %v", from, err)
	}
	return name
}

// copyTables repeats each table's own CREATE TABLE, which unlike LIKE keeps the
// foreign keys; in order of name, so they are not checked meanwhile.
func (s *MariaDBServer) copyTables(ctx context.Context, from, to string, rows []string) error {
	tables, err := s.Tables(ctx, from)
	if err != nil {
		return err
	}
	conn, err := s.admin.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	statements := []string{"USE " + to, "SET foreign_key_checks = 0"}
	for _, table := range tables {
		var name, create string
		if err := conn.QueryRowContext(ctx, "SHOW CREATE TABLE "+from+"."+table).Scan(&name, &create); err != nil {
			return err
		}
		statements = append(statements, create)
	}
	for _, table := range rows {
		statements = append(statements, fmt.Sprintf("INSERT INTO %s SELECT * FROM %s.%s", table, from, table))
	}
	for _, statement := range append(statements, "SET foreign_key_checks = 1") {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// Tables lists a database's tables by name.
func (s *MariaDBServer) Tables(ctx context.Context, database string) ([]string, error) {
	rows, err := s.admin.QueryContext(ctx,
		"SELECT table_name FROM information_schema.tables WHERE table_schema = ? ORDER BY table_name", database)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}
