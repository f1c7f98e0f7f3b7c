package types

// Table is a loaded table: what a translation needs to know beyond the schema.
type Table struct {
	Name    string
	Columns []Column
	Key     []string // the primary key
}

// Column is a column of a table.
type Column struct {
	Name     string
	Declared string // the type, as in sqlcheck.Column
	Type     Type
	Lead     bool   // an index starts with it
	NotNull  bool   // declared NOT NULL
	Spatial  bool   // while it is loaded: a text that the script has as a shape
	Charset  string // while it is loaded: the character set that it is declared in, "" for the server's
	Initial  string // while it is loaded: its default, as SQL; "" is NULL
	Computed string // while it is loaded: the expression of a generated column
}
