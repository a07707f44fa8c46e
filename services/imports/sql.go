package imports

import (
	"fmt"
	"strings"
)

// row is a row of a table in a dump, by column.
type row struct {
	line   int
	values map[string]*string // nil: NULL
}

// text is a column's value; empty for NULL and for a column that is not there.
func (r *row) text(column string) string {
	if v := r.values[column]; v != nil {
		return *v
	}
	return ""
}

// dump reads the rows that a dump of MySQL inserts into some tables. Columns without
// names get those of the table's CREATE TABLE, or else those that byDefault chooses by
// their number.
func dump(text string, tables []string, byDefault func(table string, n int) []string) (rows map[string][]row, wrong []Note) {
	d := &dumpReader{lexer: lexer{text: text, line: 1}, rows: map[string][]row{}, created: map[string][]string{}, byDefault: byDefault}
	for _, t := range tables {
		d.rows[t] = nil
	}
	for {
		t := d.next()
		switch {
		case t.kind == tokenEnd:
			return d.rows, d.wrong
		case t.is("INSERT") || t.is("REPLACE"):
			d.insert()
		case t.is("CREATE"):
			d.create()
		}
	}
}

type dumpReader struct {
	lexer
	rows      map[string][]row
	created   map[string][]string
	byDefault func(table string, n int) []string
	wrong     []Note
}

// tableName reads a name that may have that of its database before it.
func (d *dumpReader) tableName() string {
	name := d.next().text
	for d.peek().text == "." && d.peek().kind == tokenSign {
		d.next()
		name = d.next().text
	}
	return strings.ToLower(name)
}

// create keeps the columns of a CREATE TABLE.
func (d *dumpReader) create() {
	if !d.next().is("TABLE") {
		return
	}
	for d.peek().is("IF") || d.peek().is("NOT") || d.peek().is("EXISTS") {
		d.next()
	}
	table := d.tableName()
	if _, wanted := d.rows[table]; !wanted || !d.next().sign("(") {
		return
	}
	var columns []string
	depth, begins := 1, true
	for depth > 0 {
		t := d.next()
		if t.kind == tokenEnd {
			return
		}
		switch {
		case t.sign("("):
			depth++
		case t.sign(")"):
			depth--
		case t.sign(",") && depth == 1:
			begins = true
			continue
		case begins && depth == 1 && (t.kind == tokenName || t.kind == tokenWord && !tableClause[strings.ToUpper(t.text)]):
			columns = append(columns, strings.ToLower(t.text))
		}
		begins = false
	}
	d.created[table] = columns
}

var tableClause = map[string]bool{"PRIMARY": true, "UNIQUE": true, "KEY": true, "INDEX": true, "CONSTRAINT": true, "FULLTEXT": true, "SPATIAL": true, "FOREIGN": true, "CHECK": true}

// insert reads INSERT INTO table (columns) VALUES (…), (…).
func (d *dumpReader) insert() {
	for d.peek().is("INTO") || d.peek().is("IGNORE") || d.peek().is("LOW_PRIORITY") || d.peek().is("DELAYED") || d.peek().is("HIGH_PRIORITY") {
		d.next()
	}
	table := d.tableName()
	if _, wanted := d.rows[table]; !wanted {
		return
	}
	var columns []string
	if d.peek().sign("(") {
		d.next()
		for {
			t := d.next()
			if t.kind == tokenEnd || t.sign(")") {
				break
			}
			if t.kind == tokenName || t.kind == tokenWord {
				columns = append(columns, strings.ToLower(t.text))
			}
		}
	}
	if t := d.next(); !t.is("VALUES") && !t.is("VALUE") {
		d.wrong = append(d.wrong, Note{Lost, t.line, table, "An INSERT without VALUES cannot be read."})
		return
	}
	for d.peek().sign("(") {
		line := d.next().line
		values, ok := d.tuple()
		if !ok {
			d.wrong = append(d.wrong, Note{Lost, line, table, "The dump ends within a row; it is not complete."})
			return
		}
		d.keep(table, line, columns, values)
		if d.peek().sign(",") {
			d.next()
		}
	}
}

func (d *dumpReader) keep(table string, line int, columns []string, values []*string) {
	if columns == nil {
		columns = d.created[table]
	}
	if len(columns) != len(values) {
		columns = d.byDefault(table, len(values))
	}
	if len(columns) != len(values) {
		d.wrong = append(d.wrong, Note{Lost, line, table, fmt.Sprintf("The row has %d values and the table's columns are not known; dump with column names (mysqldump --complete-insert) or with the table's definition.", len(values))})
		return
	}
	r := row{line: line, values: map[string]*string{}}
	for i, c := range columns {
		r.values[c] = values[i]
	}
	d.rows[table] = append(d.rows[table], r)
}

// tuple reads values up to the closing bracket.
func (d *dumpReader) tuple() ([]*string, bool) {
	var values []*string
	var now *string
	depth, some := 0, false
	for {
		t := d.next()
		switch {
		case t.kind == tokenEnd:
			return nil, false
		case t.sign("(") || t.sign("[") || t.sign("{"):
			depth++
		case t.sign(")") && depth > 0 || t.sign("]") || t.sign("}"):
			depth--
		case t.sign(")"):
			if some || len(values) > 0 {
				values = append(values, now)
			}
			return values, true
		case t.sign(",") && depth == 0:
			values = append(values, now)
			now, some = nil, true
		case t.kind == tokenText:
			if now != nil && t.adjacent {
				now = new(*now + t.text) // 'a' 'b' is one text
			} else {
				now = &t.text
			}
			some = true
		case t.is("NULL") && depth == 0:
			now, some = nil, true
		case t.is("TRUE") && depth == 0:
			now, some = new("1"), true
		case t.is("FALSE") && depth == 0:
			now, some = new("0"), true
		case t.kind == tokenWord && strings.HasPrefix(t.text, "_"): // a character set: _utf8mb4'…', _binary'…'
		case depth == 0:
			some = true
			if now == nil {
				now = new("")
			}
			*now += t.text
		}
	}
}
