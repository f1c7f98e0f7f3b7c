// Command wordnet cuts WordNet 3.0 to what links words of questions to names of databases, and packs it for assets:
// nouns, verbs and adjectives, the usual senses of each, what they are kinds of, and what is derived from them.
//
//	apt-get download wordnet-base && dpkg-deb -x wordnet-base_*.deb /tmp/wordnet
//	go run -tags stub ./scripts/wordnet -dict /tmp/wordnet/usr/share/wordnet
//
// What it writes is read by sqlcheck/words alone (wordnet.go there says how it is laid out).
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// The cut.
const (
	maxSenses = 6 // of a word, over all parts of speech: rarer ones say more about English than about a question
	maxWords  = 3 // of a phrase, as "date of birth"
	minShare  = 2 // of 100: senses that are meant more seldom are left out
)

// parts of speech: the names of their files, and the numbers that their senses have in cntlist.rev.
var parts = []struct{ name, code, types string }{{"noun", "n", "1"}, {"verb", "v", "2"}, {"adj", "a", "35"}}

// rare are kinds of nouns, by the number of their file (lexnames(5WN)), of which a word must have been counted in
// texts: animals, parts of the body, plants and substances.
var rare = map[string]bool{"05": true, "08": true, "20": true, "27": true}

// edges are the pointers that are kept, by WordNet's signs (wninput(5WN)): is a kind of, derived from, attribute,
// similar to, pertains to.
const edges = `@+=&\`

type synset struct {
	key   string // part of speech and offset
	file  string
	words []string
	to    []string // sign and key
	id    int      // one more than its number in what is written; 0 is none
}

type sense struct {
	set   *synset
	count int
}

func main() {
	dict := flag.String("dict", "/usr/share/wordnet", "folder of WordNet's files")
	out := flag.String("out", "assets/data/wordnet.txt.zst", "file")
	flag.Parse()
	if err := write(*dict, *out); err != nil {
		fmt.Fprintf(os.Stderr, "wordnet: %v\n", err)
		os.Exit(1)
	}
}

func write(dict, out string) error {
	text, err := cut(dict)
	if err != nil {
		return err
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	packed := w.EncodeAll([]byte(text), nil)
	fmt.Printf("%d bytes, packed %d\n", len(text), len(packed))
	return os.WriteFile(out, packed, 0o644)
}

// cut reads WordNet's files, and writes what is kept of them.
func cut(dict string) (string, error) {
	counts, err := readCounts(filepath.Join(dict, "cntlist.rev"))
	if err != nil {
		return "", err
	}
	sets, senses, forms := map[string]*synset{}, map[string][]sense{}, map[string][]string{}
	for _, p := range parts {
		if err := readSets(filepath.Join(dict, "data."+p.name), p.code, sets); err != nil {
			return "", err
		}
	}
	for _, p := range parts {
		err := eachLine(filepath.Join(dict, "index."+p.name), func(f []string) {
			n, _ := strconv.Atoi(f[2])
			for i, offset := range f[len(f)-n:] {
				set, count := sets[p.code+offset], 0
				for _, t := range p.types {
					count += counts[fmt.Sprint(f[0], "%", string(t), " ", i+1)]
				}
				if set != nil && usual(f[0], set, count) {
					senses[f[0]] = append(senses[f[0]], sense{set, count})
				}
			}
		})
		if err != nil {
			return "", err
		}
		err = eachLine(filepath.Join(dict, p.name+".exc"), func(f []string) {
			forms[f[0]] = append(forms[f[0]], f[1:]...)
		})
		if err != nil {
			return "", err
		}
	}
	return layOut(senses, forms, sets), nil
}

// usual reports whether a sense of a word is kept.
func usual(lemma string, set *synset, count int) bool {
	return !strings.ContainsAny(lemma, "0123456789./'") && strings.Count(lemma, "_") < maxWords && len(lemma) > 1 &&
		(count > 0 || !rare[set.file] || set.key[0] != 'n') &&
		slices.ContainsFunc(set.words, func(w string) bool { return w == lemma || strings.HasPrefix(w, lemma+"(") })
}

// share is how often each of a word's senses is meant, of 100 of its part of speech.
func share(senses []sense) []int {
	total, list := map[byte]float64{}, make([]int, len(senses))
	weigh := func(i int) (part byte, weight float64) {
		part = senses[i].set.key[0]
		place := 1
		for ; i >= place && senses[i-place].set.key[0] == part; place++ {
		}
		return part, float64(senses[i].count) + 1/float64(place)
	}
	for i := range senses {
		part, w := weigh(i)
		total[part] += w
	}
	for i := range senses {
		part, w := weigh(i)
		list[i] = int(100*w/total[part] + 0.5)
	}
	return list
}

// layOut writes the words with their senses, then, in the order of their numbers, where the synsets lead that a word
// has.
func layOut(senses map[string][]sense, forms map[string][]string, sets map[string]*synset) string {
	var lines []string
	var order []*synset
	number := func(s *synset) int {
		if s.id == 0 {
			order = append(order, s)
			s.id = len(order)
		}
		return s.id
	}
	for _, lemma := range slices.Sorted(maps.Keys(senses)) {
		list := senses[lemma]
		shares := share(list)
		at := make([]int, len(list))
		for i := range at {
			at[i] = i
		}
		slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(shares[b], shares[a]) })
		var kept []string
		for _, i := range at[:min(len(at), maxSenses)] {
			if shares[i] >= minShare {
				part, id := list[i].set.key[:1], strconv.FormatInt(int64(number(list[i].set)-1), 36)
				kept = append(kept, part+id+","+strconv.Itoa(shares[i]))
			}
		}
		lines = append(lines, strings.ReplaceAll(lemma, "_", " ")+"\t"+strings.Join(kept, " "))
	}
	for form, of := range forms {
		if len(senses[form]) == 0 && len(senses[of[0]]) > 0 {
			lines = append(lines, strings.ReplaceAll(form, "_", " ")+"\t="+strings.ReplaceAll(of[0], "_", " "))
		}
	}
	slices.Sort(lines)
	head := strconv.Itoa(len(lines))
	for _, set := range order {
		var kept []string
		for _, e := range set.to {
			if to := sets[e[1:]]; to != nil && to.id > 0 {
				kept = append(kept, e[:1]+strconv.FormatInt(int64(to.id-1), 36))
			}
		}
		lines = append(lines, strings.Join(kept, " "))
	}
	return head + "\n" + strings.Join(lines, "\n")
}

// readCounts are how often each sense stands in texts: by "lemma%type place".
func readCounts(file string) (map[string]int, error) {
	counts := map[string]int{}
	return counts, eachLine(file, func(f []string) {
		key, _, _ := strings.Cut(f[0], ":")
		counts[key+" "+f[1]], _ = strconv.Atoi(f[2])
	})
}

func readSets(file, code string, sets map[string]*synset) error {
	return eachLine(file, func(f []string) {
		s := &synset{key: code + f[0], file: f[1]}
		n, _ := strconv.ParseInt(f[3], 16, 32)
		for i := range int(n) {
			s.words = append(s.words, f[4+2*i])
		}
		f = f[4+2*n:]
		pointers, _ := strconv.Atoi(f[0])
		for i := range pointers {
			p := f[1+4*i:]
			if strings.Contains(edges, p[0]) {
				s.to = append(s.to, p[0]+strings.Replace(p[2], "s", "a", 1)+p[1])
			}
		}
		slices.Sort(s.to)
		s.to = slices.Compact(s.to)
		sets[s.key] = s
	})
}

// eachLine has the fields of each line of a file, but for its licence, which blanks begin.
func eachLine(file string, do func(fields []string)) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		if line := sc.Text(); line != "" && line[0] != ' ' {
			do(strings.Fields(line))
		}
	}
	return sc.Err()
}
