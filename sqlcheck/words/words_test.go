package words

import (
	"slices"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// What is built in is read without an error, and none of it is empty.
func TestData(t *testing.T) {
	mustLoad("uses.txt", (&dictionary{uses: map[string]Use{}}).readUses)
	for name, use := range useNames {
		must.Be(t, len(With(use)) != 0, "no word has the use", name)
	}
	for lang := German; lang < Langs; lang++ {
		if len(known().cues[lang]) == 0 {
			t.Errorf("%s has no cues", langCodes[lang])
		}
	}
	for kind, info := range kindTable {
		if x := lexiconOf(Kind(kind)); len(x.of[kind]) == 0 && Kind(kind) != Name || len(x.name[English]) == 0 &&
			Kind(kind) == Name {
			t.Errorf("[%s] is empty", info.name)
		}
	}
	for _, verb := range []string{"delete", "loschen", "borra", "supprimez"} {
		must.Be(t, Changes(verb) != nil, verb, "changes nothing")
	}
}

// An error of a data file says where it is.
func TestErrorsOfData(t *testing.T) {
	fresh := func() *dictionary {
		return &dictionary{uses: map[string]Use{}, numbers: map[string]int{},
			cues: [Langs]map[string]string{{}, {}, {}, {}}}
	}
	uses := func(lines []line) error { _, err := fresh().readUses(lines); return err }
	cues := func(lines []line) error { _, err := fresh().readCues(lines); return err }
	synonyms := func(lines []line) error { _, err := readSenses(lines); return err }
	changes := func(lines []line) error { _, err := readChanges(lines); return err }
	for _, tt := range []struct {
		read func([]line) error
		text string
		want string
	}{
		{uses, "# comment\n\n[stop]\nb c\na\n", `f.txt:5: "a" stands behind "b c": sort the section, each line once`},
		{uses, "[stop]\na c b\n", `f.txt:2: "b" stands behind "c": sort the section, each word once`},
		{uses, "[stop]\na a\n", `f.txt:2: "a" stands behind "a": sort the section, each word once`},
		{uses, "[nonsense]\na\n", "f.txt:2: [nonsense] is no use of words, or has bars"},
		{uses, "[plain it]\na\n", "f.txt:2: [plain it] is no use of words, or has bars"},
		{uses, "[plain de]\nüber\n", `f.txt:2: "über": write it in lower case and without accents`},
		{uses, "[plain]\nA\n", `f.txt:2: "A": write it in lower case and without accents`},
		{uses, "[plain\na\n", "f.txt:1: [plain: want [NAME], each once"},
		{uses, "[key]\na\n[key]\nb\n", "f.txt:3: [key]: want [NAME], each once"},
		{uses, " a\n", "f.txt:1: blanks around a line"},
		{cues, "first | top | erste\nlast | top | erste\n", `f.txt:2: "erste" stands for "first" already`},
		{cues, "first | tip\n", `f.txt:1: there is no use "tip"`},
		{cues, "first\n", "f.txt:1: want a word, its uses and what it is in at most 3 languages"},
		{cues, "first | top | | premier\n", `f.txt:1: cell 3 is empty: "-" is one without words`},
		{synonyms, "[thing]\nday | tag | dia\n", "f.txt:2: 3 cells: [thing] has 4"},
		{synonyms, "[thing]\n- | tag | dia | jour\n", "f.txt:2: want an English word, and one that means the same"},
		{synonyms, "[near]\nfee | costo\n", "f.txt:2: 2 cells: [near] has 1"},
		{synonyms, "[near]\nfee\n", "f.txt:2: want an English word, and one that means the same"},
		{synonyms, "[far]\nfee, cost\n", "f.txt:2: [far] is no kind of meaning"},
		{synonyms, "[near]\nfee, Cost\n", `f.txt:2: "Cost": write it in lower case and without accents`},
		{changes, "[en]\nbook | a | b | c | d\n",
			"f.txt:2: want verbs, next words, later words and words that never come"},
		{uses, "", "<nil>"}, {synonyms, "[thing]\nday | tag | - | jour\n", "<nil>"},
	} {
		lines, err := readLines("f.txt", tt.text)
		if err == nil {
			err = tt.read(lines)
		}
		got := "<nil>"
		if err != nil {
			got = err.Error()
		}
		must.Equal(t, got, tt.want, tt.text)
	}
}

func TestUses(t *testing.T) {
	for word, want := range map[string]Use{
		"oldest": Order | High | Superlative, "fewest": MayMin | Order | Low | Superlative, "guest": NoSuperlative,
		"coldest": Superlative,
		"über":    Stop, "unter": Stop | TellsGerman, "ssn": Key, "nonesuch": 0,
	} {
		must.Equal(t, Uses(word), want, word)
	}
	must.Be(t, Numeral("twenty") == 20 && Numeral("one") == 0, "numerals")
	for _, tt := range []struct {
		lang       Lang
		word, want string
	}{
		{German, "Höchsten", "highest"}, {German, "durchschnittliche", "average"}, {German, "grösste", "highest"},
		{Spanish, "máximo", "highest"},
		{French, "combien", "count"}, {French, "wie", ""}, {English, "count", ""},
	} {
		must.Equal(t, Cue(tt.lang, tt.word), tt.want, tt.word)
	}
}

func TestSenses(t *testing.T) {
	for _, tt := range []struct {
		kind       Kind
		lang       Lang
		word, want string // all keys of all senses, or a part
	}{
		{Near, English, "oldest", "age birth"}, {Value, English, "usa", "unitedstates"}, {Asked, English, "birth",
			"born"}, {Asked, English, "born", ""},
		{Flag, English, "y", "true"}, {Abbreviation, English, "fname", "firstname"},
		{Abbreviation, English, "firstname", "lastname"},
		{Thing, German, "Kunden", "customer"}, {Quality, French, "payées", "paid"},
		{Thing, English, "kunde", "customer"},
		{Name, German, "gebaeude", "building"}, {Name, German, "gebäude", "building"}, {Name, Spanish, "ponentes",
			"speaker"}, {Name, English, "buildings", "gebaeude"},
	} {
		var keys []string
		for _, s := range Senses(tt.kind, tt.lang, strings.ToLower(tt.word)) {
			if s.Kind != tt.kind || s.Weight <= 0 || s.Weight > 1 {
				t.Errorf("%s: kind %d, weight %g", tt.word, s.Kind, s.Weight)
			}
			keys = append(append(keys, s.Keys...), slices.Concat(s.Words[:]...)...)
		}
		if got := strings.Join(keys, " "); tt.want == "" && got != "" || !strings.Contains(got, tt.want) &&
			tt.word != "firstname" {
			t.Errorf("%s: %s, want %s", tt.word, got, tt.want)
		}
	}
	if sure, unsure := EnglishFor(German, "kaltmiete"); !strings.Contains(strings.Join(append(sure, unsure...), " "),
		"rent") {
		t.Errorf("kaltmiete: %q, %q", sure, unsure)
	}
	if got := strings.Join(Unabbreviated("dob"), " "); got != "date of birth" || Unabbreviated("birth") != nil {
		t.Errorf("dob: %s", got)
	}
}
