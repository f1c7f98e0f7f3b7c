package main

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"nl2sql/sqlcheck/schema"
)

// derived gives words to a schema from its names, where they read well; the rest stays unasked.
func derived(s *schema.Schema) *database {
	d := &database{}
	for _, st := range s.Tables {
		if st.Reads > 0 {
			continue
		}
		t := &table{name: st.Name, pk: st.PrimaryKey}
		if words := wordsOf(st.Name); words != nil {
			words[len(words)-1] = singular(words[len(words)-1])
			for i := 1; i < len(words); i++ {
				if short[words[i]] && len(words[i]) == 2 { // members of club
					words[i-1] = singular(words[i-1])
				}
			}
			t.one = strings.Join(words, " ")
			t.many = plural(t.one)
		}
		for _, c := range st.Columns {
			if col := derivedColumn(t, st, c); col != nil {
				t.cols = append(t.cols, col)
			}
		}
		d.tables = append(d.tables, t)
	}
	for _, st := range s.Tables {
		for _, fk := range st.ForeignKeys {
			l := &link{child: d.table(st.Name), parent: d.table(fk.RefTable), cols: fk.Columns, refs: fk.RefColumns}
			if l.child == nil || l.parent == nil {
				continue
			}
			if words := wordsOf(fk.Columns[0]); len(words) > 1 && isKeyWord(words[len(words)-1]) {
				words[len(words)-2] = singular(words[len(words)-2])
				l.as = strings.Join(words[:len(words)-1], " ")
			} else {
				l.as = l.parent.one
			}
			d.links = append(d.links, l)
		}
	}
	d.links = slices.DeleteFunc(slices.Clone(d.links), d.oneOfSeveral)
	return d
}

// oneOfSeveral says that a table refers to the other in more than one way, which a name does not tell apart.
func (d *database) oneOfSeveral(l *link) bool {
	n := 0
	for _, o := range d.links {
		if o.child == l.child && o.parent == l.parent {
			n++
		}
	}
	return n > 1
}

var (
	camel = regexp.MustCompile(`([a-z])([A-Z])`)
	// spelled are words behind usual short forms.
	spelled = map[string]string{"num": "number", "qty": "quantity", "fname": "first name", "lname": "last name",
		"avg": "average", "id": "id", "dept": "department", "addr": "address", "desc": "description", "amt": "amount",
		"pct": "percentage", "bldg": "building", "firstname": "first name", "lastname": "last name", "lens": "lens",
		"min": "minimum", "max": "maximum", "usd": "USD", "yn": ""}
	// short are words though they have three letters or fewer; unasked are of columns that nobody sums or groups;
	// atomic are of numbers that do not add up.
	short = set("age pay fee tax day sex car bus job art end top win won bid gas oil pet dog war web box gpa air " +
		"sea net the per low new old for and of in by to on no at or")
	verbs   = set("info infos has is was participates belongs can enrolled taken have")
	unasked = strings.Fields("phone zip postal fax latitude longitude advisor major rank ranking level position " +
		"order class classroom room floor cost password url email details description other code comment notes " +
		"address line sequence key version")
	atomic = strings.Fields("price age year rate height weight percent percentage rating score rank average min max " +
		"minimum maximum temperature speed gpa level salary founded opened length capacity ratio wavelength size " +
		"elevation distance vision stars grade index")
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// wordsOf splits a name into words; nil if one of them is none.
func wordsOf(name string) []string {
	var words []string
	for _, w := range strings.FieldsFunc(camel.ReplaceAllString(name, "${1}_$2"),
		func(r rune) bool { return r == '_' || r == ' ' }) {
		w = strings.ToLower(w)
		if s, ok := spelled[w]; ok {
			w = s
			if w == "" {
				continue
			}
		} else if len(w) < 4 && !short[w] || !strings.ContainsAny(w, "aeiouy") ||
			strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) {
			return nil
		}
		words = append(words, w)
	}
	switch last := words[max(0, len(words)-1)]; {
	case len(words) == 0 || short[last] && len(last) < 3 || verbs[last] || verbs[words[0]] ||
		len(words) > 1 && verbs[words[1]]:
		return nil
	case words[0] == "no" && len(words) > 1:
		words[0] = "number"
	case words[0] == "amount" && len(words) == 2:
		words[0], words[1] = words[1], words[0]
	}
	return words
}

func isKeyWord(w string) bool { return w == "id" || w == "code" || w == "number" }

func derivedColumn(t *table, st schema.Table, c schema.Column) *column {
	words := wordsOf(c.Name)
	if words == nil {
		return nil
	}
	col := &column{expr: "{" + c.Name + "}", typ: strings.ToLower(c.Type), noun: strings.Join(words, " ")}
	linked := slices.ContainsFunc(st.ForeignKeys,
		func(fk schema.ForeignKey) bool { return slices.Contains(fk.Columns, c.Name) })
	last := words[len(words)-1]
	if linked || strings.HasSuffix(last, "id") && last != "paid" && last != "bid" || len(st.PrimaryKey) > 0 &&
		slices.Contains(st.PrimaryKey, c.Name) && last != "name" {
		col.role = key
		if linked {
			col.noun = ""
		}
		return col
	}
	if slices.ContainsFunc(unasked, func(w string) bool { return slices.Contains(words, w) }) || len(words) > 4 {
		return nil
	}
	kind := schema.ParseType(c.Type).Kind()
	switch {
	case strings.HasPrefix(col.typ, "date") || strings.HasPrefix(col.typ, "timestamp") || kind == schema.Text &&
		slices.Contains(words, "date"):
		col.role = moment
		if words[0] == "date" && len(words) > 1 && words[1] != "of" {
			col.noun = map[string]string{"from": "start date", "to": "end date"}[words[1]]
			if len(words) > 2 || col.noun == "" {
				return nil
			}
		} else if !slices.Contains(words, "date") {
			return nil
		}
	case kind == schema.Number && last == "number" || strings.HasPrefix(col.typ, "bit") ||
		strings.HasPrefix(col.typ, "bool"):
		return nil
	case kind == schema.Number:
		col.role = amount
		if slices.ContainsFunc(atomic, func(w string) bool { return slices.Contains(words, w) }) {
			col.role = rate
		}
		if len(words) == 1 && (last == "founded" || last == "opened" || last == "built") {
			col.noun = "year " + last
		}
		if slices.ContainsFunc(words, func(w string) bool {
			return w == "built" || w == "year" || w == "founded" || w == "elected" || w == "opened"
		}) && last != "working" {
			col.role = year
		}
	case kind == schema.Text:
		if col.noun == t.one {
			col.noun = "name"
		}
		col.role = category
		if last == "name" || last == "title" || len(words) == 1 && col.noun == t.one {
			col.role = name
			if len(words) == 2 && singular(words[0]) == t.one {
				col.noun = last
			}
			if len(words) == 1 && last != "title" {
				col.noun = "name"
			}
		}
	default:
		return nil
	}
	return col
}

// iso is how dates are written that MySQL takes for dates.
var iso = regexp.MustCompile(`^\d{4}-\d\d-\d\d`)

// tidy takes roles back that the values do not bear out.
func (d *database) tidy() {
	for _, t := range d.tables {
		t.cols = slices.DeleteFunc(t.cols, func(c *column) bool {
			long := slices.ContainsFunc(c.values, func(v string) bool {
				return len(v) > 40 ||
					strings.TrimSpace(v) == ""
			})
			switch c.role {
			case moment:
				return len(c.values) == 0 ||
					slices.ContainsFunc(c.values, func(v string) bool { return !iso.MatchString(v) })
			case category:
				return long || len(c.values) > 14 || len(c.values)*3 > t.rows*2 || numeric(c.values)
			case name:
				return long || len(c.values)*3 < t.rows*2
			case year:
				return !numeric(c.values) || c.values[0] < "1000" || c.values[0] > "2100"
			case amount, rate:
				return !numeric(c.values)
			}
			return false
		})
		names := slices.DeleteFunc(slices.Clone(t.cols), func(c *column) bool { return c.role != name })
		i := slices.IndexFunc(names, func(c *column) bool { return c.noun == "name" || c.noun == "title" })
		first := slices.IndexFunc(names, func(c *column) bool { return c.noun == "first name" })
		lastName := slices.IndexFunc(names, func(c *column) bool { return c.noun == "last name" })
		switch {
		case i >= 0:
			t.show = names[i : i+1]
		case first >= 0 && lastName >= 0:
			t.show = []*column{names[first], names[lastName]}
		case len(names) > 0:
			t.show = names[:1]
		default:
			if c := t.column(first1(t.pk)); c != nil && len(t.pk) == 1 && c.noun != "" {
				t.show = []*column{c}
			}
		}
	}
}

func first1(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func numeric(values []string) bool {
	return len(values) > 0 && !slices.ContainsFunc(values,
		func(v string) bool { return strings.Trim(v, "0123456789.-+eE") != "" })
}
