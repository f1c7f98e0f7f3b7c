package bind

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// unknownTable reports a name in FROM that is neither a table nor a common table expression.
func (b *binder) unknownTable(src *Source, from *ast.TableName) {
	detail := from.Name.O
	if from.Schema.O != "" {
		detail = from.Schema.O + "." + detail
	}
	names := b.Schema.TableNames()
	near := syntax.NearNames(from.Name.O, names)
	hint := "there is no table " + from.Name.O
	switch {
	case len(near) > 0:
		hint += "; did you mean " + strings.Join(near, " or ") + "?"
	case len(names) > 0:
		hint += "; the tables are " + JoinSome(names, 20)
	}
	b.issue(Issue{Fault: fault("unknown_table", detail, 1146, hint), Node: from, Block: src.Block, Near: near})
}

// unknownColumn reports a name that means nothing where it stands.
func (b *binder) unknownColumn(ref *ColumnRef) {
	if len(b.issues) >= maxIssues {
		return
	}
	i := Issue{Ref: ref, Node: ref.Name}
	name := ref.Name.Name.O
	sources := b.reach(ref.Block)
	var hint []string
	var src *Source
	if ref.Name.Table.O != "" {
		src = (&scope{sources: sources}).source(ref.Name.Table.O)
	}
	switch {
	case ref.Name.Table.O != "" && src == nil:
		hint = append(hint, "no table or alias "+ref.Name.Table.O+" in FROM; there "+sourcesHint(sources))
	case src != nil:
		hint = append(hint, SourceName(src)+" has no column "+name)
		i.Near = syntax.NearNames(name, columnNames(src))
	default:
		hint = append(hint, "no table in FROM has a column "+name)
		for _, s := range sources {
			i.Near = append(i.Near, syntax.NearNames(name, columnNames(s))...)
		}
	}
	if ref.Clause == InWhere || ref.Clause == InHaving || ref.Clause == InOn {
		if h := clauseHint(ref); h != "" {
			hint = append(hint[:0], h)
		}
	}
	i.Owners = b.owners(name, ref.Block, sources)
	join, joined := "", false
	if src != nil && ref.Clause == InOn {
		join, joined = b.joinHint(src, ref.Block)
	}
	switch {
	case joined:
		hint = append(hint, join)
	case len(i.Owners) > 0:
		for _, o := range i.Owners[:min(2, len(i.Owners))] {
			hint = append(hint, o.hint(name))
		}
	case len(i.Near) > 0:
		hint = append(hint, "did you mean "+strings.Join(i.Near[:min(3, len(i.Near))], " or ")+"?")
	case src != nil && len(src.Columns) > 0:
		hint = append(hint, "it has "+JoinSome(columnNames(src), 20))
	}
	i.Fault = fault("unknown_column", writtenName(ref.Name), 1054, strings.Join(hint, "; "))
	b.issue(i)
}

// joinHint is the condition that ties a table to another one in reach of the join condition, if a foreign key does.
func (b *binder) joinHint(src *Source, block *Block) (string, bool) {
	for _, other := range block.scope.sources {
		if src.Table == nil || other.Table == nil || other == src {
			continue
		}
		if way := b.Schema.Direct(other.Table, src.Table); len(way) == 1 {
			return "join ON " + way[0].On(other.Name, src.Name), true
		}
	}
	return "", false
}

// clauseHint explains a name that exists but not where it stands.
func clauseHint(ref *ColumnRef) string {
	block, name := ref.Block, ref.Name.Name.O
	if ref.Name.Table.O == "" {
		for _, o := range block.Output {
			if strings.EqualFold(o.Label, name) && ref.Clause != InHaving {
				return "the " + string(ref.Clause) + " cannot use the alias " + name +
					" of the select list; repeat its expression, or use HAVING if it is an aggregate"
			}
		}
	}
	if _, _, n := block.full.lookup(ref.Name); n > 0 && ref.Clause == InHaving {
		return "HAVING sees only selected and grouped columns; move the condition on " + name + " to WHERE"
	}
	return ""
}

// reach lists the sources that a name in block can mean, the nearest first.
func (b *binder) reach(block *Block) (out []*Source) {
	for ; block != nil; block = block.Outer {
		if block.scope != nil {
			out = append(out, block.scope.sources...)
		}
	}
	return out
}

// owners finds the tables that have a column name: those in FROM first, then those a foreign key path leads to.
func (b *binder) owners(name string, block *Block, sources []*Source) (out []Owner) {
	for _, src := range sources {
		if slices.ContainsFunc(src.Columns, func(c SourceColumn) bool { return strings.EqualFold(c.Name, name) }) {
			out = append(out, Owner{Table: src.Table, Source: src, Unique: true})
		}
	}
	if len(out) > 0 {
		return out
	}
	for i := range b.Schema.Tables {
		table := &b.Schema.Tables[i]
		if _, ok := table.Column(name); !ok {
			continue
		}
		o := Owner{Table: table}
		for _, src := range sources {
			if src.Table == nil {
				continue
			}
			if way, unique := b.Schema.Joins(src.Table.Name, table.Name); way != nil &&
				(o.Way == nil || len(way) < len(o.Way)) {
				o.From, o.Way, o.Unique = src, way, unique
			}
		}
		out = append(out, o)
	}
	slices.SortStableFunc(out, func(a, c Owner) int { return cmp.Compare(distance(a), distance(c)) })
	return out
}

func distance(o Owner) int {
	if o.Way == nil {
		return 1 << 20
	}
	return len(o.Way)
}

// longestHint is how many joins a hint spells out.
const longestHint = 2

func (o Owner) hint(column string) string {
	if o.Source != nil {
		return "write " + syntax.QuoteIfNeeded(o.Source.Name) + "." + column
	}
	hint := o.Table.Name + " has " + column
	if o.Way == nil || len(o.Way) > longestHint {
		return hint
	}
	hint += ": JOIN "
	for i, j := range o.Way {
		if i > 0 {
			hint += " JOIN "
		}
		left := j.Left
		if i == 0 {
			left = o.From.Name
		}
		hint += j.Right + " ON " + j.On(left, "")
	}
	return hint
}

// ambiguousColumn reports a name that means two columns. in is nil for the select list.
func (b *binder) ambiguousColumn(ref *ColumnRef, in *scope) {
	if len(b.issues) >= maxIssues {
		return
	}
	i := Issue{Ref: ref, Node: ref.Name}
	name := ref.Name.Name.O
	var ways []string
	for _, src := range cmp.Or(in, ref.Block.scope).sources {
		for _, col := range src.Columns {
			if strings.EqualFold(col.Name, name) {
				i.Owners = append(i.Owners, Owner{Table: src.Table, Source: src, Unique: true})
				ways = append(ways, syntax.QuoteIfNeeded(src.Name)+"."+col.Name)
			}
		}
	}
	hint := name + " is in more than one table"
	if len(ways) > 0 {
		hint += "; write " + strings.Join(ways, " or ")
	}
	i.Fault = fault("ambiguous_column", writtenName(ref.Name), 1052, hint)
	b.issue(i)
}

// Fault says what is wrong, in the words of a verdict.
type Fault struct {
	Reason string // "unknown_column"
	Detail string // the offender as written, e.g. "orders.foo"
	Hint   string // what to do about it, one line
	Code   uint16 // MySQL's number for the same error
	Pos    int    // byte offset of the offender in the text; 0 is also unknown
}

// Issue is one thing that is wrong with a statement, with what a repair needs to act on it.
type Issue struct {
	Fault
	Node   ast.Node   // the offender, or nil
	Ref    *ColumnRef // the offending column name, or nil
	Block  *Block     // where it stands, or nil
	Near   []string   // names in reach that are spelled almost like the offender, best first
	Owners []Owner    // where a column of that name is
}

// Owner is a table that has the column that was looked for in the wrong place.
type Owner struct {
	Table  *schema.Table
	Source *Source       // set if the table is in FROM already
	From   *Source       // the table in FROM that Way starts at
	Way    []schema.Join // foreign keys from From to Table; nil if Source is set or no way is known
	Unique bool          // no other way is as short
}

func fault(why, detail string, code uint16, hint string) Fault {
	return Fault{Reason: why, Detail: detail, Hint: hint, Code: code}
}

// maxIssues is how many issues of one statement are told.
const maxIssues = 50

func (b *binder) issue(i Issue) {
	if len(b.issues) >= maxIssues {
		return
	}
	if i.Pos == 0 && i.Ref != nil {
		i.Pos = i.Ref.Pos
	}
	if i.Block == nil && i.Ref != nil {
		i.Block = i.Ref.Block
	}
	b.issues = append(b.issues, i)
}
