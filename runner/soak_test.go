package runner_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
)

var (
	soak       = flag.Int("soak", must.Long(20, 2000), "accepted statements that TestSoak runs on each engine")
	soakSeed   = flag.Uint64("soakseed", 1, "seed of TestSoak")
	soakMemory = flag.Int("soakmemory", 256, "MB that one statement may take of a server beside what it takes at rest")
	soakName   = flag.String("soakname", "soak", "name of the databases: soaks with other names run beside one another")
	soakTime   = flag.Duration("soaktime", time.Hour, "how long TestSoak draws statements for an engine")
)

// soakLimit is when a statement is ended, and soakOver how long after it one may go on. What takes more and more memory
// by then has longLimit.
const (
	soakLimit = 250 * time.Millisecond
	longLimit = 10 * time.Second
	soakOver  = 5 * time.Second
)

// TestSoak runs statements that are drawn out of all functions and all places where they may stand, and are grown to
// the edge of what the checker lets through. None may be alive 5 s after it was ended or end its server, and none may
// take more than 256 MB beside what the server takes at rest; of the embedded engine no more than 1.5 times its memory
// at rest and 512 MB. What breaks that is made shorter, and told. A server inherits the cap of this process, and Go
// keeps 2.3 GB of addresses that it does not use:
//
//	(ulimit -v 3500000; go test ./runner -run Soak/mysql -soak 100000 -soaktime 30m -timeout 1h -v)
//	go test ./runner -run Soak/embedded -soak 2000 -timeout 1h -v
//
// How many bombs it finds is tried on a policy that is known to let some in: an older commit that has these files.
//
//	git worktree add OLD 9bb8fee && cp runner/{soak,draw}_test.go OLD/runner && cp runner/testdata/soak.grammar \
//	OLD/runner/testdata && cp scripts/must/must.go OLD/scripts/must && cd OLD
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a server, which -short leaves out")
	}
	for _, engine := range []string{"mysql", "mariadb", "embedded"} {
		t.Run(engine, func(t *testing.T) { soakOf(t, engine) })
	}
}

// soaker runs drawn statements on an engine.
type soaker struct {
	*testing.T
	*soaked
	name   string // of the database
	engine string
	server *local.Server // nil for the embedded engine
	db     runner.DB
	schema *schema.Schema
	pid    int
	rest   int      // MB
	last   []string // statements of this server, for one that ends by what was broken before
}

func (s *soaker) start() {
	if s.engine == "embedded" {
		s.db = must.Get(embedded.OpenDump(s.Context(), "soak", strings.NewReader(script()),
			runner.Limits{Timeout: longLimit}))(s.T)
		s.pid = os.Getpid()
	} else {
		server, err := local.Start(s.Context(), local.Options{Engine: s.engine, Database: s.name,
			Load: strings.NewReader(script())})
		if err != nil && strings.Contains(err.Error(), "make "+s.engine) {
			s.Skip(err)
		}
		must.Do(s.T, err)
		s.server, s.pid = server, server.Pid()
		s.db = must.Get(runner.Open(s.Context(), server.DSN(), runner.Limits{Timeout: longLimit}))(s.T)
	}
	if s.schema == nil {
		s.schema = s.measured()
	}
	for _, warm := range []string{"SELECT SUM(LENGTH(big)) + SUM(LENGTH(body)) FROM doc", "SELECT COUNT(*) FROM tag"} {
		q, _, _ := sqlcheck.Check(warm, s.schema)
		s.db.Query(s.Context(), q)
	}
	s.rest, s.last = memory(s.T, s.pid, "VmRSS:"), nil
}

// measured is the schema with the lengths of texts.
func (s *soaker) measured() *schema.Schema {
	if s.server == nil {
		return must.Get(s.db.Schema(s.Context()))(s.T)
	}
	db := must.Get(runner.Open(s.Context(), s.server.DSN(), runner.Limits{}))(s.T)
	defer db.Close()
	return measured(s.T, db)
}

func (s *soaker) stop() {
	s.db.Close()
	if s.server != nil {
		s.server.Close() // of one that was killed an error
	}
}

// took is what one statement took.
type took struct {
	wall, cpu time.Duration
	limit     time.Duration
	mb        int
	gone      bool // the server has ended
	restart   bool
	err       error
	result    runner.Result
}

func (k took) String() string {
	what := fmt.Sprintf("%.1f s, %.1f s of CPU, %d MB", k.wall.Seconds(), k.cpu.Seconds(), k.mb)
	if k.gone {
		what += ", and the server has ended"
	}
	return what
}

// broken says which promise was not kept.
func (s *soaker) broken(k took) string {
	most := *soakMemory
	if s.server == nil {
		most = s.rest/2 + 512
	}
	switch {
	case k.gone:
		return "end"
	case min(k.wall, k.cpu) > k.limit+soakOver:
		return "time"
	case k.mb > most:
		return "memory"
	}
	return ""
}

// query runs a statement until it is plain what it takes: it is ended when its time is over, unless it takes more and
// more memory. One that goes on too long is ended with its server.
func (s *soaker) query(q sqlcheck.Query) (k took) {
	if s.server == nil { // what statements before it left
		debug.FreeOSMemory()
	}
	os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.pid), []byte("5"), 0) // VmHWM begins anew
	start, before := time.Now(), cpu(s.pid)
	ctx, end := context.WithCancel(s.Context())
	defer end()
	done := make(chan error)
	go func() {
		var err error
		k.result, err = s.db.Query(ctx, q)
		done <- err
	}()
	tick := time.NewTicker(soakLimit / 5)
	defer tick.Stop()
	var was []int
	for wait := true; wait; {
		select {
		case k.err = <-done:
			wait = false
		case <-tick.C:
			k.mb = max(k.mb, memory(s.T, s.pid, "VmHWM:")-s.rest)
			was = append(was, k.mb)
			n := len(was)
			grows := n > 5 && k.mb > *soakMemory/8 && k.mb-was[n-6] > 4 && k.mb < 2**soakMemory
			worked := cpu(s.pid) - before
			if s.server == nil { // others work in this process
				worked = time.Since(start)
			}
			switch {
			case k.limit == 0 && !grows && worked > soakLimit:
				k.limit = time.Since(start)
				end()
			case s.server != nil && worked > k.limit+soakOver+time.Second && time.Since(start) > k.limit+soakOver:
				k.wall, k.cpu = time.Since(start), worked
				syscall.Kill(s.pid, syscall.SIGKILL)
				<-done
				s.again()
				return k
			}
		}
	}
	if k.limit == 0 {
		k.limit = time.Since(start)
	}
	refused, still := (*runner.QueryError)(nil), (*runner.StillRunning)(nil)
	errors.As(k.err, &refused)
	if k.err != nil && refused == nil && s.server != nil && (errors.As(k.err, &still) || ctx.Err() == nil) {
		idle(s.pid, before)
		if k.gone = zombie(s.pid); k.gone {
			s.Logf("the server has ended; its last words:\n%s", s.words())
		}
		k.restart = true
	}
	k.wall, k.cpu = time.Since(start), cpu(s.pid)-before
	k.mb = max(k.mb, memory(s.T, s.pid, "VmHWM:")-s.rest)
	kept := s.server != nil && memory(s.T, s.pid, "VmRSS:") > s.rest+60 // which would hide what is taken
	if k.gone || kept || k.restart {
		s.again()
	}
	return k
}

// words are what the server wrote about its end, or else the last lines about itself.
func (s *soaker) words() string {
	_, socket, _ := strings.Cut(s.server.DSN(), "unix(")
	socket, _, _ = strings.Cut(socket, ")")
	text, err := os.ReadFile(filepath.Join(filepath.Dir(socket), "messages.log"))
	if err != nil {
		return err.Error()
	}
	if at := bytes.LastIndex(text, []byte("got signal")); at >= 0 {
		text = text[at:min(len(text), at+6000)]
	}
	return string(text[max(0, len(text)-6000):])
}

// idle waits until a server that was left alone has ended its statement or itself, or has gone on too long, and says
// how long it has worked since.
func idle(pid int, before time.Duration) time.Duration {
	for now := cpu(pid); now-before < soakLimit+soakOver+time.Second && !zombie(pid); {
		time.Sleep(time.Second)
		if was := now; cpu(pid)-was < 50*time.Millisecond {
			break
		}
		now = cpu(pid)
	}
	return cpu(pid) - before
}

// again begins with a fresh server.
func (s *soaker) again() {
	s.Lock()
	s.restart++
	s.Unlock()
	if s.server != nil {
		syscall.Kill(s.pid, syscall.SIGKILL) // nothing was written
	}
	s.stop()
	s.start()
}

// soaked is what several soakers found.
type soaked struct {
	sync.Mutex
	finds                    []find
	known, n, drawn, restart int
	begin                    time.Time
	count                    map[string]int
	longest                  took
	most                     int // MB
}

// A find is a statement that breaks a promise.
type find struct {
	dealt
	promise string
	words   map[string]bool
}

// like says that a find breaks the same promise with the same call, or in the same place with the same words.
func (f find) like(g find) bool {
	return f.promise == g.promise && (f.template != "" && f.template == g.template ||
		f.rule == g.rule && has(g.words, f.words))
}

// A sample is a statement that was grown.
type sample struct {
	*template
	dealt
}

// soakOf runs drawn statements, two at once on servers of their own.
func soakOf(t *testing.T, engine string) {
	all := &soaked{count: map[string]int{}}
	s := &soaker{T: t, soaked: all, name: *soakName, engine: engine}
	s.start()
	soakers := []*soaker{s}
	if s.server != nil && *soak > 100 {
		soakers = append(soakers, &soaker{T: t, soaked: all, name: *soakName + "2", engine: engine})
		soakers[1].start()
	}
	d := newDrawer(t, *soakSeed)
	all.begin = time.Now()
	if *soak > 100 {
		s.probe(d)
	}
	d.shuffle()
	t.Logf("%.0f s: a deck of %d", time.Since(all.begin).Seconds(), len(d.deck))
	next := make(chan sample, 8) // which are grown while the server works
	enough := make(chan struct{})
	go func() {
		defer close(next)
		for ; time.Since(all.begin) < *soakTime; all.drawn++ {
			text, from := d.drawn(all.drawn)
			grown := parseTemplate(text)
			if !grown.grow(d.Rand, s.schema) {
				continue
			}
			select {
			case next <- sample{grown, from}:
			case <-enough:
				return
			}
		}
	}()
	var working sync.WaitGroup
	for _, s := range soakers {
		working.Go(func() {
			for text := range next {
				if s.run(text) >= *soak {
					break
				}
			}
		})
	}
	working.Wait()
	close(enough)
	for range next { // until no more are drawn
	}
	for _, s := range soakers {
		s.stop()
	}
	t.Logf("%d statements of %d drawn, %d cards left, %d restarts: %d finds, %d more like them; the longest %v; "+
		"%d MB at rest, %d MB more at most; %v", all.n, all.drawn, len(d.deck), all.restart, len(all.finds), all.known,
		all.longest, s.rest, all.most, all.count)
}

// probe looks which cards give little even where their argument is long.
func (s *soaker) probe(d *drawer) {
	for i := range d.cards {
		c := &d.cards[i]
		c.short = c.context == "scalar"
		for try := 0; try < 4 && c.short; try++ {
			call := parseTemplate("SELECT MAX(LENGTH(" + d.plain(*c) + ")) FROM doc d")
			for k := range call.knobs {
				call.value[k] = int(math.Sqrt(float64(call.knobs[k].max)))
			}
			if q, ok := call.admitted(s.schema); ok {
				k := s.query(q)
				c.short = k.err != nil || len(k.result.Rows) == 0 || len(fmt.Sprint(k.result.Rows[0][0])) < 3
			}
		}
	}
}

// run runs a statement, and says how many have run.
func (s *soaker) run(text sample) int {
	q, _ := text.admitted(s.schema)
	last := append(s.last[max(0, len(s.last)-40):], text.short())
	s.last = last
	k := s.query(q)
	if k.gone {
		s.Logf("its last statements:\n%s", strings.Join(last, "\n"))
	}
	if k.mb > *soakMemory/2 && s.broken(k) == "" { // then it is looked at closely
		for i := range text.knobs {
			text.turn(i, 32, s.schema)
		}
		q, _ = text.admitted(s.schema)
		k = s.query(q)
	}
	if s.broken(k) == "memory" && s.server != nil { // the server may keep up to 60 MB of statements before it
		s.again()
		k = s.query(q)
	}
	s.Lock()
	s.n++
	n, finds := s.n, len(s.finds)
	refused := (*runner.QueryError)(nil)
	switch {
	case errors.As(k.err, &refused):
		s.count["error "+strconv.Itoa(int(refused.Code))]++
	case errors.Is(k.err, context.Canceled):
		s.count["ended"]++
	default:
		s.count["answered"]++
	}
	if k.wall > s.longest.wall {
		s.longest = k
	}
	s.most = max(s.most, k.mb)
	now := find{text.dealt, s.broken(k), wordSet(text.short())}
	known := now.promise == "" || slices.ContainsFunc(s.finds, func(f find) bool { return f.like(now) })
	if known && now.promise != "" {
		s.known++
		s.Logf("%.0f s, %s, like one before: %v\n%.300s", time.Since(s.begin).Seconds(), now.promise, k, text.short())
	}
	s.Unlock()
	if known {
		return n
	}
	short, least := s.shrunk(text.template, k, max(30*time.Second/time.Duration(finds+1), 4*time.Second))
	now.words = wordSet(short)
	s.Lock()
	defer s.Unlock()
	s.finds = append(s.finds, now)
	s.Errorf("find %d, statement %d of seed %d, %.0f s, %s: %v\n%.3000s", len(s.finds), n, *soakSeed,
		time.Since(s.begin).Seconds(), now.promise, least, short)
	return n
}

// shrunk is a statement that breaks a promise with less: knobs that are turned back.
func (s *soaker) shrunk(t *template, k took, within time.Duration) (string, took) {
	until := time.Now().Add(within)
	promise := s.broken(k)
	breaks := func() bool {
		q, ok := t.admitted(s.schema)
		if !ok || time.Now().After(until) {
			return false
		}
		now := s.query(q)
		if s.broken(now) == promise {
			k = now
			return true
		}
		return false
	}
	for i := range t.knobs {
		for _, to := range []int{t.knobs[i].least, t.value[i] / 16, t.value[i] / 2} {
			if was := t.value[i]; to < was && to >= t.knobs[i].least {
				if t.value[i] = to; breaks() {
					break
				}
				t.value[i] = was
			}
		}
	}
	return t.short(), k
}

// cpu is the time that a process has worked.
func cpu(pid int) time.Duration {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, behind, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(behind)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / 100
}

func zombie(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(data), ") Z ")
}

// resident is what a process has in memory of its own, in MB; pages of files come and go.
func resident(t *testing.T, pid int) int {
	return memory(t, pid, "RssAnon:")
}

// memory is a line of what Linux says of a process's memory, in MB.
func memory(t *testing.T, pid int, line string) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, ok := strings.Cut(string(data), line)
	if err != nil || !ok { // it has ended, which is told by who asked it
		return 0
	}
	n, _ := strconv.Atoi(strings.Fields(rest)[0])
	return n >> 10
}

var script = sync.OnceValue(soakScript)

func soakScript() string {
	var b strings.Builder
	b.WriteString("CREATE TABLE doc (id INT PRIMARY KEY, title VARCHAR(255), note TEXT, body LONGTEXT, big LONGTEXT, j JSON, day DATE);\n")
	b.WriteString("CREATE TABLE tag (id INT PRIMARY KEY, doc_id INT, name VARCHAR(40), KEY (doc_id), FOREIGN KEY (doc_id) REFERENCES doc (id));\n")
	json := strings.Repeat("[", 25) + `{"a": [1, 2, {"a": "x"}]}` + strings.Repeat("]", 25) // MariaDB takes 32 levels
	for i := range 60 {
		big := "NULL"
		if texts := []string{"a", "aaab", "lorem ipsum ", "1"}; i < len(texts) {
			big = "'" + strings.Repeat(texts[i], 10_000_000/len(texts[i])) + "'"
		}
		title := fmt.Sprintf("a title %d", i)
		if i%9 == 4 {
			title = ""
		}
		fmt.Fprintf(&b, "INSERT INTO doc VALUES (%d, '%s', '%s', '%s', %s, '%s', '2004-06-%02d');\n", i+1, title,
			strings.Repeat("note ", 40*i), strings.Repeat("ab ", 500*i), big, json, i%28+1)
	}
	for i := 0; i < 20_000; i += 1000 {
		b.WriteString("INSERT INTO tag VALUES ")
		for k := range 1000 {
			if k > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "(%d, %d, 'name %d')", i+k, (i+k)%60+1, k%10)
		}
		b.WriteString(";\n")
	}
	return b.String()
}
