package runner_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
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
	soakTime   = flag.Duration("soaktime", time.Hour, "how long TestSoak draws statements for an engine")
)

// soakLimit is the time limit of a statement, and soakOver how long after it one may go on. What takes more and more
// memory when the limit ends it has longLimit.
const (
	soakLimit = time.Second
	longLimit = 10 * time.Second
	soakOver  = 5 * time.Second
)

// TestSoak runs statements that are drawn out of all functions and all places where they may stand, and are grown to
// the edge of what the checker lets through. None may be alive 5 s after its limit or end its server, and none may take
// more than 256 MB beside what the server takes at rest; of the embedded engine no more than 1.5 times its memory at
// rest and 512 MB. What breaks that is made shorter, and told. A server inherits the cap of this process, and Go keeps
// 2.3 GB of addresses that it does not use:
//
//	(ulimit -v 3500000; go test ./runner -run Soak/mysql -soak 2000 -timeout 1h -v)
//	go test ./runner -run Soak/embedded -soak 2000 -timeout 1h -v
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a server, which -short leaves out")
	}
	for _, engine := range []string{"mysql", "mariadb", "embedded"} {
		t.Run(engine, func(t *testing.T) {
			s := &soaker{T: t, engine: engine}
			s.start()
			s.run()
			s.stop()
		})
	}
}

var soakName = "soak"

// soaker runs drawn statements on an engine.
type soaker struct {
	*testing.T
	engine string
	server *local.Server // nil for the embedded engine
	db     runner.DB
	limit  time.Duration
	schema *schema.Schema
	pid    int
	rest   int // MB

	restarts int
}

func (s *soaker) start() {
	if s.limit == 0 {
		s.limit = soakLimit
	}
	if s.engine == "embedded" {
		s.db = must.Get(embedded.OpenDump(s.Context(), "soak", strings.NewReader(script()),
			runner.Limits{Timeout: s.limit}))(s.T)
		s.pid = os.Getpid()
	} else {
		server, err := local.Start(s.Context(), local.Options{Engine: s.engine, Database: soakName,
			Load: strings.NewReader(script())})
		if err != nil && strings.Contains(err.Error(), "make "+s.engine) {
			s.Skip(err)
		}
		must.Do(s.T, err)
		s.server, s.pid = server, server.Pid()
		s.db = must.Get(runner.Open(s.Context(), server.DSN(), runner.Limits{Timeout: s.limit}))(s.T)
	}
	if s.schema == nil {
		s.schema = s.measured()
	}
	for _, warm := range []string{"SELECT SUM(LENGTH(big)) + SUM(LENGTH(body)) FROM doc", "SELECT COUNT(*) FROM tag"} {
		q, _, _ := sqlcheck.Check(warm, s.schema)
		s.db.Query(s.Context(), q)
	}
	s.rest = memory(s.T, s.pid, "VmRSS:")
}

// measured is the schema with the lengths of texts, which takes longer to read than soakLimit may let it.
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
	err       error
}

func (k took) String() string {
	what := fmt.Sprintf("%.1f s, %.1f s of CPU, %d MB", k.wall.Seconds(), k.cpu.Seconds(), k.mb)
	if k.gone {
		what += ", and the server has ended"
	}
	return what
}

// broken says that a promise was not kept.
func (s *soaker) broken(k took) bool {
	most := *soakMemory
	if s.server == nil {
		most = s.rest/2 + 512
	}
	return k.gone || k.mb > most || min(k.wall, k.cpu) > k.limit+soakOver
}

// longer runs a statement with longLimit.
func (s *soaker) longer(q sqlcheck.Query) took {
	usual, limit := s.db, s.limit
	s.limit = longLimit
	s.db = must.Get(runner.Open(s.Context(), s.server.DSN(), runner.Limits{Timeout: longLimit}))(s.T)
	restarts := s.restarts
	k := s.query(q)
	if s.limit = limit; s.restarts > restarts {
		usual.Close()
		s.again() // with the usual limit
	} else {
		s.db.Close()
		s.db = usual
	}
	return k
}

// query runs a statement; one that goes on too long is ended with its server.
func (s *soaker) query(q sqlcheck.Query) (k took) {
	os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.pid), []byte("5"), 0) // VmHWM begins anew
	start, before := time.Now(), cpu(s.pid)
	k.limit = s.limit
	done := make(chan error)
	go func() {
		_, err := s.db.Query(s.Context(), q)
		done <- err
	}()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for wait := true; wait; {
		select {
		case k.err = <-done:
			wait = false
		case <-tick.C:
			k.mb = max(k.mb, memory(s.T, s.pid, "VmHWM:")-s.rest)
			if s.server != nil && cpu(s.pid)-before > s.limit+soakOver+time.Second {
				k.wall, k.cpu = time.Since(start), cpu(s.pid)-before
				syscall.Kill(s.pid, syscall.SIGKILL)
				<-done
				s.again()
				return k
			}
		}
	}
	refused := (*runner.QueryError)(nil)
	if k.err != nil && !errors.As(k.err, &refused) && s.server != nil {
		idle(s.pid, before)
		k.gone = zombie(s.pid)
	}
	k.wall, k.cpu = time.Since(start), cpu(s.pid)-before
	k.mb = max(k.mb, memory(s.T, s.pid, "VmHWM:")-s.rest)
	kept := s.server != nil && memory(s.T, s.pid, "VmRSS:") > s.rest+60 // which would hide what is taken
	if k.gone || kept || k.err != nil && refused == nil {
		s.again()
	}
	return k
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
	s.restarts++
	if s.server != nil {
		syscall.Kill(s.pid, syscall.SIGKILL) // nothing was written
	}
	s.stop()
	s.start()
}

func (s *soaker) run() {
	d := newDrawer(s.T, *soakSeed)
	count := map[string]int{}
	var finds []map[string]bool
	begin := time.Now()
	longest, most, n, drawn := took{}, 0, 0, 0
	next := make(chan *template) // which are grown while the server works
	go func() {
		defer close(next)
		for ; time.Since(begin) < *soakTime; drawn++ {
			text := parseTemplate(d.drawn(drawn))
			if !text.grow(d.Rand, s.schema) {
				continue
			}
			select {
			case next <- text:
			case <-s.Context().Done():
				return
			}
		}
	}()
	for text := range next {
		if n == *soak {
			break
		}
		if covered(text.short(), finds) {
			continue
		}
		n++
		q, _ := text.admitted(s.schema)
		k := s.query(q)
		if s.server != nil && k.err != nil && k.wall > soakLimit && k.mb > *soakMemory/4 && !s.broken(k) {
			k = s.longer(q)
		}
		refused := (*runner.QueryError)(nil)
		if errors.As(k.err, &refused) {
			count["error "+strconv.Itoa(int(refused.Code))]++
		} else {
			count["answered"]++
		}
		if k.wall > longest.wall {
			longest = k
		}
		most = max(most, k.mb)
		if s.broken(k) {
			short, least := s.shrunk(text, k)
			finds = append(finds, wordSet(short))
			s.Errorf("find %d, statement %d of seed %d, %.0f s: %v\n%.3000s", len(finds), n, *soakSeed,
				time.Since(begin).Seconds(), least, short)
		}
	}
	s.Logf("%d statements of %d drawn, %d restarts: %d finds; the longest %v with a limit of %v; %d MB at rest, %d MB more at most; %v",
		n, drawn, s.restarts, len(finds), longest, soakLimit, s.rest, most, count)
}

// shrunk is a statement that breaks a promise with less: knobs that are turned back, and calls that are left out.
func (s *soaker) shrunk(t *template, k took) (string, took) {
	until := time.Now().Add(30 * time.Second)
	breaks := func() bool {
		q, ok := t.admitted(s.schema)
		if !ok || time.Now().After(until) {
			return false
		}
		now := s.query(q)
		if s.broken(now) {
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
