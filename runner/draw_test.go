package runner_test

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nl2sql/scripts/grammar"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
)

//go:embed testdata/soak.grammar
var soakGrammar string

// argumentKinds are the arguments of functions whose arguments are not just texts, a letter each: t is a text, n a
// number, d a JSON document, p a JSON path, q one without *, r a regular expression, D a date, g a shape, b a byte
// string, v any of them, a quoted letter is a word; what stands in brackets at the end comes any number of times. All
// other functions take as many texts as the checker lets them have.
var argumentKinds = kindsOf(`
coalesce (t); greatest t(t); least t(t); interval n(n); concat (t); concat_ws t(t); elt n(t); field t(t); make_set n(t)
char_func (n); export_set ntttn; insert_func tnnt; lpad tnt; rpad tnt; repeat tn; space n; left tn; right tn; mid tnn
substr tnn; substring tnn; substring_index ttn; locate ttn; conv tnn; format nn; sha2 tn; round nn; truncate nn; mod nn
pow nn; power nn; if vtt; grouping t
regexp_instr tr; regexp_like tr; regexp_replace trt; regexp_substr tr; str_to_date tt; convert_tz Dtt
json_array (v); json_object (tv); json_array_append d(qv); json_array_insert d(qv); json_insert d(qv); json_replace d(qv)
json_set d(qv); json_remove d(q); json_extract d(p); json_contains ddp; json_contains_path dO(p); json_depth d; json_keys dq
json_length dq; json_merge_patch d(d); json_merge_preserve d(d); json_overlaps dd; json_search dAtN(p); json_type d
json_unquote d; json_valid d; st_x g; st_y g; st_astext g; st_aswkt g; st_distance gg; st_distance_sphere gg
st_geomfromtext t; st_pointfromtext t; point nn; date_format Dt; time_format Dt; from_unixtime nt; addtime DD; subtime DD
makedate nn; maketime nnn; period_add nn; period_diff nn; timestamp DD; timediff DD; datediff DD; inet_ntoa n; rand n`)

func kindsOf(list string) map[string]string {
	kinds := map[string]string{}
	for _, item := range strings.FieldsFunc(list, func(r rune) bool { return r == ';' || r == '\n' }) {
		name, args, _ := strings.Cut(strings.TrimSpace(item), " ")
		kinds[name] = args
	}
	return kinds
}

// written are the functions that are no name with arguments in brackets behind it.
var written = kindsOf(`
date_add DATE_ADD(D, INTERVAL n DAY); date_sub DATE_SUB(D, INTERVAL n DAY); adddate ADDDATE(D, INTERVAL n DAY)
subdate SUBDATE(D, INTERVAL n DAY); extract EXTRACT(YEAR FROM D); timestampdiff TIMESTAMPDIFF(DAY, D, D)
timestampadd TIMESTAMPADD(DAY, n, D); position POSITION(t IN t); convert CONVERT(t USING latin1); get_format GET_FORMAT(DATE, 'ISO')
trim TRIM(t FROM t); json_memberof t MEMBER OF (d); char_func CHAR(n USING utf8mb4)`)

// words of functions that stand for an argument.
var words = map[rune]string{'O': "'all'", 'A': "'all'", 'N': "NULL"}

// drawer writes statements at random, out of all functions that the checker knows and all places where they may stand.
// A statement has knobs: ⟨max⟩ is a number, ⟦max:text⟧ a text that stands there so many times, in which # is its number
// and @ the one before; behind "kN:" several are one knob, and ⟨kN⟩ says how often it is there.
type drawer struct {
	*grammar.Writer
	functions []string // as templates: a letter for each argument
	windows   []string
	knobs     int
	previous  bool // arguments are mostly x
	cards     []card
	contexts  map[string][]string // the rules of each alternative of a rule for where a card may stand
	deck      []dealt
	now       dealt
}

// A card is a function, an aggregate or an operator, and which of its arguments is grown; the others stay plain.
type card struct {
	template string
	place    int    // of all letters of the template
	kind     string // the letter there
	context  string // the rule of the grammar for where it may stand
	short    bool   // what it gives is short, whatever the argument
}

// dealt is a card and where it stands: one alternative of its rule.
type dealt struct {
	card
	rule string
}

func newDrawer(t *testing.T, seed uint64) *drawer {
	t.Helper()
	d := &drawer{knobs: 100} // behind those of the grammar
	for _, name := range sqlcheck.Functions() {
		switch {
		case strings.Contains(name, "("):
		case written[name] != "":
			d.functions = append(d.functions, written[name])
		case argumentKinds[name] != "":
			call := strings.TrimSuffix(name, "_func") + "(" + argumentKinds[name] + ")"
			d.functions = append(d.functions, call, call, call) // they do more than those of plain texts
		default:
			for n := range 7 {
				args := strings.Repeat("'a', ", n)
				call := name + "(" + strings.TrimSuffix(args, ", ") + ")"
				letters := name + "(" + strings.Repeat("t", n) + ")"
				if taken(call) && n > 0 {
					d.functions = append(d.functions, letters)
				} else if taken(call+" OVER (ORDER BY 1)") || taken(name+"('a', 1) OVER (ORDER BY 1)") && n == 2 {
					d.windows = append(d.windows, letters)
				}
			}
		}
	}
	slots := map[string]func() string{
		"call":  func() string { return d.call(d.functions[d.IntN(len(d.functions))]) },
		"chain": d.chain,
		"grown": d.grown,
	}
	d.deal()
	names := []string{"call", "chain", "grown"}
	for name, text := range map[string]func(c card) string{"card": d.plain, "nest": d.nest, "again": d.again,
		"bare": d.bare, "seed": d.seed} {
		slots[name] = func() string { return text(d.now.card) }
		names = append(names, name)
	}
	rules := must.Get(grammar.Parse(soakGrammar, names...))(t)
	d.contexts = map[string][]string{}
	for _, context := range []string{"scalar", "aggregated", "windowed", "tabled"} {
		for i, alternative := range slices.Compact(rules[context]) {
			rule := fmt.Sprintf("%s %d", context, i+1)
			rules[rule], d.contexts[context] = []string{alternative}, append(d.contexts[context], rule)
		}
	}
	d.Writer = &grammar.Writer{Rules: rules, Rand: rand.New(rand.NewPCG(seed, 3)), Slots: slots}
	return d
}

// operatorCards are cards beside the functions, a letter for each argument.
var operatorCards = strings.Split("t LIKE t|t REGEXP r|t = t|t < t|t <=> t|t IN (t, t)|t IN (t, n)|t BETWEEN t AND t|t BETWEEN n AND t|"+
	"t + t|t DIV t|t % t|t & t|t OR t|t XOR t|t AND t|t ^ t|t << t|t >> n|~t|-t|NOT t|t IS TRUE|t SOUNDS LIKE t|BINARY t|"+
	"t COLLATE utf8mb4_bin|CAST(t AS CHAR)|CAST(t AS CHAR(9))|CAST(t AS BINARY)|CAST(t AS SIGNED)|CAST(d AS JSON)|"+
	"CASE t WHEN t THEN t END|CASE WHEN t THEN t ELSE t END|t = ANY (SELECT t FROM doc e)|t IN (SELECT t FROM doc e)|"+
	"d->p|(t, n) = (t, n)|(SELECT t)|~b|b & b|b ^ b|b << n|b >> n", "|")

// collections are cards beside the aggregates: what they may be called with.
var collections = []string{"COUNT(DISTINCT t)", "COUNT(DISTINCT t, t)", "GROUP_CONCAT(DISTINCT t)", "SUM(DISTINCT t)",
	"GROUP_CONCAT(t ORDER BY t)", "GROUP_CONCAT(t, t)"}

// deal makes the cards.
func (d *drawer) deal() {
	add := func(template, context string) {
		template = spelled(template)
		for place := range len(lone.FindAllString(strings.ReplaceAll(template, ", ", ",  "), -1)) {
			d.cards = append(d.cards, card{template: template, place: place, context: context})
			c := &d.cards[len(d.cards)-1]
			c.kind = lone.FindAllStringSubmatch(strings.ReplaceAll(template, ", ", ",  "), -1)[place][1]
		}
	}
	for i, template := range d.functions {
		name, _, _ := strings.Cut(template, "(")
		switch call := name + "('a')"; {
		case i > 0 && d.functions[i-1] == template:
		case taken(call + " OVER (ORDER BY 1)"), taken(name + "(DISTINCT 'a')"), name == "json_objectagg":
			add(template, "aggregated")
		default:
			add(template, "scalar")
		}
	}
	for _, template := range operatorCards {
		add(template, "scalar")
	}
	for _, template := range collections {
		add(template, "aggregated")
	}
	for _, template := range d.windows {
		add(template, "windowed")
	}
	for _, table := range []string{"d", "CAST(d AS JSON)", "JSON_EXTRACT(d, p)"} {
		add(table, "tabled")
	}
}

// drawn is the nth statement, and what it is drawn around: by turns of the grammar, and around a card.
func (d *drawer) drawn(n int) (string, dealt) {
	if n%4 == 0 {
		return d.Text("statement", 3), dealt{}
	}
	if len(d.deck) == 0 {
		d.shuffle()
	}
	d.now, d.deck = d.deck[0], d.deck[1:]
	return d.Text(d.now.rule, 2), d.now
}

// again are kinds of places with few cards and one that takes no time, where each card comes several times.
var again = map[string]int{"tabled": 4, "windowed": 2, "scalar 2": 3}

// shuffle makes a deck of each function in each place where it may stand, with one of its arguments grown; where that
// gives little it stands in the first place, where it is called often, and in one other.
func (d *drawer) shuffle() {
	long := map[string][]card{}
	var order []string
	for _, c := range d.cards {
		rules := d.contexts[c.context]
		if c.short {
			d.deck = append(d.deck, dealt{c, rules[0]}, dealt{c, rules[1+d.IntN(len(rules)-1)]})
			continue
		}
		name := c.context + c.template
		if long[name] == nil {
			order = append(order, name)
		}
		long[name] = append(long[name], c)
	}
	for _, name := range order {
		for _, rule := range d.contexts[long[name][0].context] {
			for range cmp.Or(again[long[name][0].context], again[rule], 1) {
				d.deck = append(d.deck, dealt{long[name][d.IntN(len(long[name]))], rule})
			}
		}
	}
	d.Shuffle(len(d.deck), func(i, k int) { d.deck[i], d.deck[k] = d.deck[k], d.deck[i] })
}

// spelled is a template of a function with a letter alone for each argument, and those that come again as a knob.
func spelled(template string) string {
	name, args, call := strings.Cut(template, "(")
	if strings.Contains(template, " ") || !call {
		return template
	}
	list := func(kinds string) string {
		var all []string
		for _, kind := range kinds {
			all = append(all, cmp.Or(words[kind], string(kind)))
		}
		return strings.Join(all, ", ")
	}
	fixed, again, more := strings.Cut(strings.TrimRight(args, ")"), "(")
	switch {
	case !more:
		return name + "(" + list(fixed) + ")"
	case fixed == "":
		return name + "(" + list(again) + "⟦5000:, " + list(again) + "⟧)"
	}
	return name + "(" + list(fixed) + ", " + list(again) + "⟦5000:, " + list(again) + "⟧)"
}

// lone finds the letters of a template that stand for arguments.
var lone = regexp.MustCompile(`(?:^|[^A-Za-z'])([tndpqrDgvb])(?:$|[^A-Za-z'(])`)

// around is what stands before and behind the grown argument of a card. The others are plain, or each of its kind is
// the same as it; what is plain is a rule that begins with these words.
func (d *drawer) around(c card, grown, rule string) (before, behind string) {
	out, side := [2]string{}, 0
	rest := c.template
	same := d.IntN(4) == 0 || c.kind == "b" || d.previous && d.IntN(2) == 0
	for number := 0; ; number++ {
		m := lone.FindStringSubmatchIndex(rest)
		if m == nil {
			out[side] += rest
			return out[0], out[1]
		}
		letter := rest[m[2]:m[3]]
		out[side] += rest[:m[2]]
		switch rest = rest[m[3]:]; {
		case number == c.place:
			side = 1
		case same && letter == c.kind:
			out[side] += grown
		case d.previous && strings.Contains("tdvb", letter) && d.IntN(2) == 0:
			out[side] += "x"
		case d.Rules[rule+letter] != nil:
			out[side] += d.Text(rule+letter, 1)
		default:
			out[side] += d.Text("plain."+letter, 1)
		}
	}
}

// unnamed finds knobs without a name.
var unnamed = regexp.MustCompile(`([⟨⟦])(\d+[⟩:])`)

// grownText is a grown argument, which may stand in several places: its knobs have names.
func (d *drawer) grownText(kind string) string {
	return unnamed.ReplaceAllStringFunc(d.Text("grown."+kind, 1), func(knob string) string {
		return knob[:3] + d.knob() + ":" + knob[3:]
	})
}

// plain is a card as it is.
func (d *drawer) plain(c card) string {
	grown := d.grownText(c.kind)
	before, behind := d.around(c, grown, "plain.")
	return before + grown + behind
}

// bare is a card of which no argument is grown.
func (d *drawer) bare(c card) string {
	text := "row." + c.kind
	if d.Rules[text] == nil {
		text = "plain." + c.kind
	}
	text = d.Text(text, 1)
	before, behind := d.around(c, text, "row.")
	return before + text + behind
}

// nest is a card in itself, again and again.
func (d *drawer) nest(c card) string {
	grown := d.grownText(c.kind)
	before, behind := d.around(c, grown, "plain.")
	if strings.Contains(before, "⟦") || !strings.Contains("tdvDb", c.kind) {
		return before + grown + behind
	}
	id := d.knob()
	return fmt.Sprintf("⟦%s:90:(%s⟧%s⟦%[1]s:90:%[4]s)⟧", id, before, grown, behind)
}

// again is a card of x, the column of the query before.
func (d *drawer) again(c card) string {
	d.previous = true
	defer func() { d.previous = false }()
	grown := "x"
	if !strings.Contains("tdvb", c.kind) {
		grown = d.grownText(c.kind)
	}
	before, behind := d.around(c, grown, "plain.")
	return before + grown + behind
}

// seed is what the column begins with that a card is called with again and again.
func (d *drawer) seed(c card) string {
	if c.kind == "d" || strings.HasPrefix(c.template, "json_") && d.IntN(2) == 0 {
		return d.Text("seed.d", 1)
	}
	return d.Text("seed.t", 1)
}

// taken says that the checker knows a call.
func taken(call string) bool {
	_, v, err := sqlcheck.Check("SELECT "+call, nil)
	return err == nil && v.OK
}

// argument is one of a kind.
func (d *drawer) argument(kind rune) string {
	rule := map[rune]string{'t': "text", 'n': "count", 'd': "document", 'p': "path", 'q': "path.one",
		'r': "pattern", 'D': "date", 'g': "shape", 'v': "value"}[kind]
	if rule == "" {
		return words[kind]
	}
	if d.previous && strings.ContainsRune("tdv", kind) && d.IntN(4) > 0 {
		return "x"
	}
	depth := 0
	if d.IntN(3) == 0 {
		depth = 1
	}
	return d.Text(rule, depth)
}

// call writes a template with arguments.
func (d *drawer) call(template string) string {
	name, args, _ := strings.Cut(template, "(")
	if strings.ContainsAny(args, " ") || strings.Contains(name, " ") {
		var b strings.Builder
		for i, c := range template {
			lone := (i == 0 || !letter(template[i-1])) && (i+1 == len(template) || !letter(template[i+1]))
			if lone && strings.ContainsRune("tndD", c) {
				b.WriteString(d.argument(c))
			} else {
				b.WriteRune(c)
			}
		}
		return b.String()
	}
	return name + "(" + d.arguments(strings.TrimSuffix(args, ")"), true) + ")"
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func (d *drawer) arguments(kinds string, first bool) string {
	var args []string
	fixed, again, _ := strings.Cut(strings.TrimSuffix(kinds, ")"), "(")
	for _, kind := range fixed {
		args = append(args, d.argument(kind))
	}
	for range 1 + d.IntN(2) {
		for _, kind := range again {
			args = append(args, d.argument(kind))
		}
	}
	out := strings.Join(args, ", ")
	if again != "" {
		more := ""
		for _, kind := range again {
			more += ", " + d.argument(kind)
		}
		out += "⟦5000:" + more + "⟧"
	}
	return out
}

// chain is a function of a function of a function.
func (d *drawer) chain() string {
	inner, id := d.Text("text", 0), d.knob()
	for range 50 {
		f := d.functions[d.IntN(len(d.functions))]
		name, args, _ := strings.Cut(f, "(")
		if strings.ContainsAny(f, " ") || args == "" || !strings.ContainsRune("tdvD", rune(args[0])) {
			continue
		}
		rest := d.arguments(strings.TrimSuffix(args[1:], ")"), false)
		if rest != "" {
			rest = ", " + rest
		}
		return fmt.Sprintf("⟦%s:60:%s(⟧%s⟦%[1]s:60:%[4]s)⟧", id, name, inner, rest)
	}
	return inner
}

// grown is a function of x, the column of the query before.
func (d *drawer) grown() string {
	d.previous = true
	defer func() { d.previous = false }()
	for range 50 {
		if call := d.call(d.functions[d.IntN(len(d.functions))]); strings.Contains(call, "x") {
			return call
		}
	}
	return "x"
}

func (d *drawer) knob() string {
	d.knobs++
	return "k" + strconv.Itoa(d.knobs)
}

// A template is a statement with knobs.
type template struct {
	parts []part
	knobs []knob
	value []int
}

type knob struct {
	max   int
	least int
}

type part struct {
	text string
	knob int // -1: text alone
	body []part
	says bool // how often it is there
}

var knobName = regexp.MustCompile(`^k\d+`)

// parseTemplate reads what a drawer wrote.
func parseTemplate(text string) *template {
	t := &template{}
	known := map[string]int{}
	t.parts, _ = t.parse(text, known)
	t.value = make([]int, len(t.knobs))
	for i := range t.knobs {
		t.value[i] = t.knobs[i].least
	}
	return t
}

func (t *template) parse(text string, known map[string]int) (parts []part, rest string) {
	for text != "" {
		at := strings.IndexAny(text, "⟨⟦⟧")
		if at < 0 {
			return append(parts, part{text: text, knob: -1}), ""
		}
		if at > 0 {
			parts = append(parts, part{text: text[:at], knob: -1})
		}
		sign, after := text[at:at+3], text[at+3:]
		switch sign {
		case "⟧":
			return parts, after
		case "⟨":
			inside, behind, _ := strings.Cut(after, "⟩")
			name, most, named := strings.Cut(inside, ":")
			i, ok := known[name]
			if !ok {
				if !named {
					most = inside
				}
				number, _ := strconv.Atoi(most)
				t.knobs = append(t.knobs, knob{max(number, 1), 1})
				i = len(t.knobs) - 1
				if named {
					known[name] = i
				}
			}
			parts = append(parts, part{knob: i, says: true})
			text = behind
		case "⟦":
			name := knobName.FindString(after)
			after = strings.TrimPrefix(strings.TrimPrefix(after, name), ":")
			count, behind, _ := strings.Cut(after, ":")
			i, ok := known[name]
			if !ok || name == "" {
				most, _ := strconv.Atoi(count)
				t.knobs = append(t.knobs, knob{most, 0})
				i = len(t.knobs) - 1
				known[name] = i
			}
			var body []part
			body, text = t.parse(behind, known)
			parts = append(parts, part{knob: i, body: body})
		}
	}
	return parts, ""
}

// most is the length of the longest statement.
const most = 40_000

// text is the statement; "" if it is too long.
func (t *template) text() string {
	var b strings.Builder
	t.write(&b, t.parts, -1)
	if b.Len() > most {
		return ""
	}
	return b.String()
}

func (t *template) write(b *strings.Builder, parts []part, number int) {
	for _, p := range parts {
		switch {
		case b.Len() > most:
			return
		case p.knob < 0 && number >= 0 && strings.ContainsAny(p.text, "#@"):
			text := strings.ReplaceAll(p.text, "#", strconv.Itoa(number))
			b.WriteString(strings.ReplaceAll(text, "@", strconv.Itoa(number-1)))
		case p.knob < 0:
			b.WriteString(p.text)
		case p.says:
			b.WriteString(strconv.Itoa(t.value[p.knob]))
		default:
			for i := range t.value[p.knob] {
				t.write(b, p.body, i+1)
			}
		}
	}
}

// short is the statement with «n:text» for what stands there n times.
func (t *template) short() string {
	var b strings.Builder
	var write func(parts []part)
	write = func(parts []part) {
		for _, p := range parts {
			switch {
			case p.knob < 0:
				b.WriteString(p.text)
			case p.says:
				b.WriteString(strconv.Itoa(t.value[p.knob]))
			case t.value[p.knob] > 0:
				fmt.Fprintf(&b, "«%d:", t.value[p.knob])
				write(p.body)
				b.WriteString("»")
			}
		}
	}
	write(t.parts)
	return b.String()
}

// admitted says that the checker lets a statement through.
func (t *template) admitted(s *schema.Schema) (sqlcheck.Query, bool) {
	text := t.text()
	if text == "" {
		return sqlcheck.Query{}, false
	}
	q, v, err := sqlcheck.Check(text, s)
	return q, err == nil && v.OK
}

// grow turns each knob, in any order, as far as the checker lets it.
func (t *template) grow(r *rand.Rand, s *schema.Schema) bool {
	if _, ok := t.admitted(s); !ok {
		return false
	}
	for i := range t.knobs { // what stands there not at all lets all that is in it grow
		t.value[i] = 1
	}
	if _, ok := t.admitted(s); !ok {
		for i := range t.knobs {
			t.value[i] = t.knobs[i].least
		}
	}
	for _, i := range r.Perm(len(t.knobs)) {
		t.turn(i, 4, s)
		if share := r.Float64(); r.IntN(2) == 0 && t.value[i] > 8 { // leave something for the others
			t.value[i] = int(math.Pow(float64(t.value[i]), .3+.7*share))
		}
	}
	_, ok := t.admitted(s)
	return ok
}

// turn turns a knob as far as the checker lets it, up to one part of so many.
func (t *template) turn(i, parts int, s *schema.Schema) {
	low, high := t.value[i], t.knobs[i].max
	t.value[i] = high
	if _, ok := t.admitted(s); ok {
		return
	}
	for high > low+1+low/parts {
		middle := (low + high) / 2
		if high > 4*max(low, 1) { // by lengths, not by numbers
			middle = max(low, 1) * 2
			for middle*middle < high*max(low, 1) {
				middle *= 2
			}
		}
		if middle <= low || middle >= high {
			break
		}
		t.value[i] = middle
		if _, ok := t.admitted(s); ok {
			low = middle
		} else {
			high = middle
		}
	}
	t.value[i] = low
}

// names are the words of a statement.
var names = regexp.MustCompile(`[A-Za-z_*]+|[~&|^<>=+%/-]+`)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range names.FindAllString(strings.ToUpper(text), -1) {
		set[w] = true
	}
	return set
}

// has says that all words of a set stand in another.
func has(words, some map[string]bool) bool {
	for w := range some {
		if !words[w] {
			return false
		}
	}
	return true
}

// TestDeck holds that each function that takes something is in the deck, in each place where it may stand.
func TestDeck(t *testing.T) {
	d := newDrawer(t, 1)
	d.shuffle()
	places := map[string]map[string]bool{}
	for _, c := range d.deck {
		name, _, _ := strings.Cut(c.template, "(")
		if places[name] == nil {
			places[name] = map[string]bool{}
		}
		places[name][c.rule] = true
	}
	for _, name := range sqlcheck.Functions() {
		call := strings.TrimSuffix(name, "_func")
		alone := taken(call+"()") || taken(call+"() OVER (ORDER BY 1)") || strings.Contains(name, "(")
		if of := places[call]; of == nil && !alone && written[name] == "" {
			t.Error(name, "is not in the deck")
		} else if of["scalar 1"] && len(of) < len(d.contexts["scalar"]) {
			t.Error(name, "is not in", len(d.contexts["scalar"])-len(of), "places")
		}
	}
}
