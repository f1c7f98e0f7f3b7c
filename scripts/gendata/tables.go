package main

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"time"
)

// Row counts of the sample that the schema is known from.
const (
	customerCount = 122
	productCount  = 110
	orderCount    = 326
	detailCount   = 2996
	paymentCount  = 273
	buyerCount    = 99 // customers with orders; the others have none
	firstOrder    = 10100
)

// statuses and how many orders have them; what is left over is Shipped.
var statuses = []struct {
	name string
	n    int
}{{"Cancelled", 9}, {"Disputed", 5}, {"In Process", 8}, {"On Hold", 5}, {"Resolved", 6}}

type customer struct {
	number, rep int // rep 0 is nobody
	country     country
	row         []any
}

type product struct {
	code       string
	msrp, cost int // cents
	row        []any
}

type order struct {
	number, customer int
	date             time.Time
	status           string
	cents            int // sum of its lines
	row              []any
}

// Script is the whole dump for one seed.
func Script(seed uint64) []byte {
	r := &random{state: seed}
	customers := makeCustomers(r)
	products := makeProducts(r)
	orders := makeOrders(r, customers)
	details := makeDetails(r, orders, products)
	payments := makePayments(r, orders)

	var b bytes.Buffer
	b.WriteString(header)
	table(&b, "productlines", makeLines())
	table(&b, "products", rowsOf(products, func(p product) []any { return p.row }))
	table(&b, "offices", makeOffices())
	table(&b, "employees", makeEmployees(r))
	table(&b, "customers", rowsOf(customers, func(c customer) []any { return c.row }))
	table(&b, "payments", payments)
	table(&b, "orders", rowsOf(orders, func(o order) []any { return o.row }))
	table(&b, "orderdetails", details)
	b.WriteString(footer)
	return b.Bytes()
}

func rowsOf[T any](list []T, row func(T) []any) [][]any {
	var rows [][]any
	for _, v := range list {
		rows = append(rows, row(v))
	}
	return rows
}

// fill replaces # by digits and @ by capital letters.
func fill(r *random, pattern string) string {
	out := []byte(pattern)
	for i, c := range out {
		switch c {
		case '#':
			out[i] = byte('0' + r.n(10))
		case '@':
			out[i] = byte('A' + r.n(26))
		}
	}
	return string(out)
}

// null turns "" into NULL.
func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func makeCustomers(r *random) []customer {
	var home []country
	for _, c := range countries {
		for range c.customers {
			home = append(home, c)
		}
	}
	shuffle(r, home)
	reps := map[string][]int{}
	for _, e := range employees {
		if e.title == "Sales Rep" {
			reps[e.office] = append(reps[e.office], e.number)
		}
	}
	reps["1"] = append(reps["1"], reps["3"]...) // the eastern office sells in the same country
	names := map[string]bool{}
	var list []customer
	number := 100
	for i := range customerCount {
		number += r.between(1, 6)
		c := customer{number: number, country: home[i]}
		tongue := c.country.tongue
		name := ""
		for name == "" || names[name] {
			name = pick(r, companyHeads) + " " + pick(r, companyTails[tongue])
		}
		names[name] = true
		first, last := pick(r, firstNames[tongue]), pick(r, lastNames[tongue])
		where := pick(r, c.country.cities)
		line2 := ""
		if r.chance(18) {
			line2 = pick(r, secondLines)
		}
		postal := fill(r, c.country.postal)
		if r.chance(3) {
			postal = ""
		}
		var rep, limit any
		limit = cents(0)
		if sellers := reps[c.country.office]; len(sellers) > 0 && !r.chance(9) {
			c.rep = pick(r, sellers)
			rep, limit = c.rep, cents(r.between(110, 1480)*100*100)
		}
		c.row = []any{number, name, last, first, fill(r, c.country.phone), fmt.Sprintf(pick(r, streets[tongue]),
			r.between(1, 890)), null(line2),
			where.name, null(where.state), null(postal), c.country.name, rep, limit}
		list = append(list, c)
	}
	return list
}

func makeLines() [][]any {
	var rows [][]any
	for _, l := range lines {
		rows = append(rows, []any{l.name, l.description, nil, nil})
	}
	return rows
}

func makeOffices() [][]any {
	var rows [][]any
	for _, o := range offices {
		rows = append(rows, []any{o.code, o.city, o.phone, o.line1, null(o.line2), null(o.state), o.country,
			o.postal, o.territory})
	}
	return rows
}

func makeEmployees(r *random) [][]any {
	plain := strings.NewReplacer("É", "e", "é", "e", " ", "")
	var rows [][]any
	for _, e := range employees {
		var boss any
		if e.boss != 0 {
			boss = e.boss
		}
		mail := strings.ToLower(plain.Replace(string([]rune(e.first)[:1])) + plain.Replace(e.last))
		rows = append(rows, []any{e.number, e.last, e.first, fill(r, "x####"), mail + "@modelhouse.example",
			e.office, boss, e.title})
	}
	return rows
}

func makeProducts(r *random) []product {
	seen := map[string]bool{}
	var list []product
	for _, l := range lines {
		for i := range l.products {
			name := ""
			for name == "" || seen[name] {
				name = pick(r, l.makers) + " " + pick(r, l.models)
				if l.from > 0 {
					name = fmt.Sprintf("%d %s", r.between(l.from, l.to), name)
				}
			}
			seen[name] = true
			scale := pick(r, l.scales)
			parts := append([]string(nil), l.parts...)
			shuffle(r, parts)
			p := product{code: fmt.Sprintf("%s%s-%04d", l.code, strings.TrimPrefix(scale, "1:"), 1000+i*37+r.n(30))}
			p.cost = r.between(1580, 10350)
			p.msrp = p.cost * r.between(128, 245) / 100
			text := fmt.Sprintf("Scale model with %s and %s. %s.", parts[0], parts[1], pick(r, finishes))
			p.row = []any{p.code, name, l.name, scale, pick(r, vendors), text, r.between(15, 9980),
				cents(p.cost), cents(p.msrp)}
			list = append(list, p)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].code < list[j].code })
	if len(list) != productCount {
		panic(fmt.Sprintf("gendata: %d products in words.go, want %d", len(list), productCount))
	}
	return list
}

func makeOrders(r *random, customers []customer) []order {
	var buyers []int
	for _, c := range customers {
		if c.rep != 0 {
			buyers = append(buyers, c.number)
		}
	}
	shuffle(r, buyers)
	buyers = buyers[:min(buyerCount, len(buyers))]
	// Everybody buys once; the rest goes mostly to a few good customers.
	who := append([]int(nil), buyers...)
	for len(who) < orderCount {
		n := len(buyers)
		if r.chance(35) {
			n = 12
		}
		who = append(who, buyers[r.n(n)])
	}
	shuffle(r, who)

	first, last := date(2003, 1, 6), date(2005, 5, 31)
	span := int(last.Sub(first).Hours() / 24)
	days := []int{0, span}
	for len(days) < orderCount {
		// Business grows, and the last quarter of a year is the strongest.
		d := r.n(span + 1)
		if m := first.AddDate(0, 0, d).Month(); m < time.October && r.chance(30) {
			continue
		}
		days = append(days, d)
	}
	sort.Ints(days)

	status := make([]string, orderCount)
	for i := range status {
		status[i] = "Shipped"
	}
	for _, s := range statuses {
		for left := s.n; left > 0; {
			i := r.n(orderCount)
			switch { // what is not settled is recent
			case s.name == "In Process":
				i = orderCount - 1 - r.n(14)
			case s.name == "On Hold":
				i = orderCount - 1 - r.n(60)
			}
			if status[i] == "Shipped" {
				status[i] = s.name
				left--
			}
		}
	}

	var list []order
	for i := range orderCount {
		o := order{number: firstOrder + i, customer: who[i], date: first.AddDate(0, 0, days[i]), status: status[i]}
		required := o.date.AddDate(0, 0, r.between(6, 12))
		var shipped any
		switch o.status {
		case "Shipped", "Resolved", "Disputed":
			late := r.between(1, 7)
			if r.chance(3) {
				late = r.between(13, 40) // after the required date
			}
			shipped = day(o.date.AddDate(0, 0, late))
		case "Cancelled":
			if r.chance(30) {
				shipped = day(o.date.AddDate(0, 0, r.between(1, 5)))
			}
		}
		o.row = []any{o.number, day(o.date), day(required), shipped, o.status,
			null(pick(r, comments[o.status])), o.customer}
		list = append(list, o)
	}
	return list
}

// makeDetails fills the orders with lines and sets their sums. One product is never ordered.
func makeDetails(r *random, orders []order, products []product) [][]any {
	const most = 18
	size := make([]int, len(orders))
	left := detailCount
	for i := range size {
		size[i], left = 1, left-1
	}
	for left > 0 {
		if i := r.n(len(orders)); size[i] < most {
			size[i], left = size[i]+1, left-1
		}
	}
	// Some small orders and some large ones: move lines from one to another.
	for range 900 {
		from, to := r.n(len(orders)), r.n(len(orders))
		if from != to && size[from] > 1 && size[to] < most {
			size[from], size[to] = size[from]-1, size[to]+1
		}
	}
	unsold := r.n(len(products))
	sold := make([]product, 0, len(products)-1)
	for i, p := range products {
		if i != unsold {
			sold = append(sold, p)
		}
	}
	var rows [][]any
	for i := range orders {
		o := &orders[i]
		shuffle(r, sold)
		basket := append([]product(nil), sold[:size[i]]...)
		lineNumber := make([]int, size[i])
		for k := range lineNumber {
			lineNumber[k] = k + 1
		}
		shuffle(r, lineNumber)
		sort.Slice(basket, func(a, b int) bool { return basket[a].code < basket[b].code })
		for k, p := range basket {
			n, price := r.between(20, 50), p.msrp*r.between(80, 100)/100
			if r.chance(4) {
				n = r.between(6, 90)
			}
			o.cents += n * price
			rows = append(rows, []any{o.number, p.code, n, cents(price), lineNumber[k]})
		}
	}
	return rows
}

// makePayments pays most orders in full, a while after they were placed.
func makePayments(r *random, orders []order) [][]any {
	var paid []order
	for _, o := range orders {
		if o.status != "Cancelled" && o.status != "In Process" {
			paid = append(paid, o)
		}
	}
	shuffle(r, paid)
	paid = paid[:paymentCount]
	sort.Slice(paid, func(i, j int) bool {
		a, b := paid[i], paid[j]
		return a.customer < b.customer || a.customer == b.customer && a.number < b.number
	})
	seen := map[string]bool{}
	var rows [][]any
	for _, o := range paid {
		check := ""
		for check == "" || seen[check] {
			check = fill(r, "@@######")
		}
		seen[check] = true
		when := o.date.AddDate(0, 0, r.between(4, 24))
		rows = append(rows, []any{o.customer, check, day(when), cents(o.cents)})
	}
	return rows
}

func date(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

func day(t time.Time) string { return t.Format(time.DateOnly) }
