package runs

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/llm"
	"nl2sql/loop/answer"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/files"
	"nl2sql/scripts/must"
)

const petsScript = `CREATE TABLE pets (id INT PRIMARY KEY, name VARCHAR(20), kind VARCHAR(20), age INT);
INSERT INTO pets VALUES (1,'Ada','cat',3),(2,'Bo','dog',5),(3,'Cy','cat',9),(4,'Di','hen',NULL);
`

// petModel answers from the last message alone, so that it is the same model in each process, as a real one is.
type petModel struct{ fail string }

func (m petModel) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	question := msgs[len(msgs)-1].Content
	if m.fail != "" && strings.Contains(question, m.fail) {
		return llm.Completion{}, errors.New("the model is gone")
	}
	if strings.Contains(question, "too long") {
		return llm.Completion{}, fmt.Errorf("%w: 9 tokens", llm.ErrContextFull)
	}
	h := fnv.New32()
	h.Write([]byte(question))
	replies := []string{
		"SELECT COUNT(*) FROM pets", "SELECT name FROM pets WHERE kind = 'cat'",
		"SELECT nme FROM pets", "I do not know.",
		"Thought: \"<why>\"\nAction: query[SELECT name, age FROM pets WHERE age > 4]", "Action: finish[SELECT 1]",
	}
	time.Sleep(time.Millisecond)
	return llm.Completion{
		Text: replies[h.Sum32()%uint32(len(replies))], StopReason: llm.StopEnd, PromptTokens: len(question),
		CachedTokens: int(time.Now().UnixNano() % 7),
		OutputTokens: 3, DraftedTokens: int(time.Now().UnixNano() % 5), AcceptedTokens: int(time.Now().UnixNano() % 3),
		Took: time.Duration(time.Now().UnixNano() % 1000),
	}, ctx.Err()
}

// petRun is a run over 60 items on two databases.
func petRun(t testing.TB, agent string, model llm.Generator) Live {
	t.Helper()
	dbs := &score.Databases{Open: func(ctx context.Context, name string) (runner.DB, error) {
		return embedded.OpenDump(ctx, name, strings.NewReader(petsScript), runner.Limits{})
	}}
	must.Close(t, dbs)
	var items []item.Item
	for i := range 60 {
		items = append(items, item.Item{
			ID: fmt.Sprint(i + 1), Database: []string{"", "other"}[i%2],
			Question: fmt.Sprintf("How many pets are there? (%d)", i),
			SQL: []string{"SELECT COUNT(*) FROM pets", "SELECT name FROM pets WHERE kind = 'cat'",
				"SELECT nothing FROM pets"}[i%3], Family: fmt.Sprint(i % 5),
		})
	}
	items[7].Question = "This one is too long."
	replica := must.Get(embedded.OpenDump(t.Context(), "replica",
		strings.NewReader(strings.Replace(petsScript, "'cat',9", "'dog',9", 1)), runner.Limits{}))(t)
	t.Cleanup(func() { replica.Close() })
	x := must.Get(score.NewExecutor(t.Context(), replica))(t)
	method := must.Get(answer.Settings{Agent: agent, Guards: "none"}.Method())(t)
	asker := must.Get(answer.New(method, model, nil))(t)
	return Live{
		Card: record.Card{Condition: "pets", Agent: agent, Shots: 2, Seed: "7", Guards: "none",
			Params: map[string]any{"steps": 7}},
		Items: items, Pool: item.Pool{Name: "test", Items: items[:30]},
		Ask: By(asker, nil),
		Scorer: &score.Scorer{
			Databases: dbs, Profiles: []score.Profile{profileOf(t, "strict"), profileOf(t, "dissertation")},
			Replicas: func(context.Context, string) ([]*score.Executor, error) { return []*score.Executor{x}, nil },
		},
	}
}

func profileOf(t testing.TB, name string) score.Profile {
	t.Helper()
	return must.Get(score.ProfilesNamed(name))(t)[0]
}

var started = regexp.MustCompile(`"started":"[^"]*"`)

// records is a run's file but for its date.
func records(t *testing.T, dir string) string {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join(dir, record.RunFile)))(t)
	must.Have(t, started.Match(data), "the card has no date")
	return string(started.ReplaceAll(data, nil))
}

func TestLive(t *testing.T) {
	for _, agent := range []string{"baseline", "react"} {
		t.Run(agent, func(t *testing.T) {
			whole, broken := t.TempDir(), t.TempDir()
			l := petRun(t, agent, petModel{})
			run := must.Get(l.Run(t.Context(), whole))(t)
			seen := map[string]int{}
			for i, r := range run.Records {
				s := r.Scores["dissertation"]
				for name, is := range map[string]bool{"va": s.VA, "ex": s.EX, "ts": s.TS != nil,
					"gold error": r.GoldError != "", "shots": len(r.Exemplars) == 2, "took": r.Took > 0,
					"calls": r.Calls > 0, "strict": r.Scores["strict"].VA == s.VA} {
					if is {
						seen[name]++
					}
				}
				must.Have(t, r.ID == l.Items[i].ID, "record", i, "is item", r.ID)
			}
			for name, want := range map[string]int{"shots": 60, "took": 60, "strict": 60, "calls": 59,
				"gold error": 20} {
				must.Equal(t, seen[name], want, "records have", name)
			}
			if seen["va"] == 0 || seen["va"] == 60 || seen["ex"] == 0 || seen["ts"] != seen["va"] ||
				run.Records[7].Error == "" {
				t.Errorf("%v; item 8: %+v", seen, run.Records[7])
			}

			// Stopped after some items, with torn lines at both ends, and gone on with many at a time.
			ctx, cancel := context.WithCancel(t.Context())
			l.Parallel, l.Progress = 5, func(done, total int, _ *record.Record) {
				if done >= 20 {
					cancel()
				}
			}
			if _, err := l.Run(ctx, broken); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			for _, name := range []string{record.RunFile, record.TimingsFile} {
				f := must.Get(os.OpenFile(filepath.Join(broken, name), os.O_APPEND|os.O_WRONLY, 0))(t)
				fmt.Fprint(f, `{"id":"60","nlq":`)
				f.Close()
			}
			l.Progress = nil
			must.Get(l.Run(t.Context(), broken))(t)
			must.Same(t, records(t, broken), records(t, whole))
			// A finished run is not made again.
			l.Ask = nil
			must.Equal(t, len(must.Get(l.Run(t.Context(), broken))(t).Records), 60)
		})
	}
}

// mortal is a model whose process is killed in its n-th call.
type mortal struct {
	petModel
	calls atomic.Int32
	n     int32
}

func (m *mortal) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	if m.calls.Add(1) == m.n {
		if self, err := os.FindProcess(os.Getpid()); err == nil && self.Kill() == nil {
			select {}
		}
	}
	return m.petModel.Generate(ctx, msgs, p)
}

// Ten times killed at any place, with others at work beside it, a run ends with the bytes of an unbroken one.
func TestLiveKilled(t *testing.T) {
	if dir := os.Getenv("NL2SQL_TEST_KILLED"); dir != "" {
		n := must.Get(strconv.Atoi(os.Getenv("NL2SQL_TEST_CALLS")))(t)
		l := petRun(t, "react", &mortal{n: int32(n)})
		l.Parallel = 3
		must.Get(l.Run(t.Context(), dir))(t)
		return
	}
	dir, whole := t.TempDir(), t.TempDir()
	child := func(calls int) (killed bool) {
		t.Helper()
		cmd := exec.Command(os.Args[0], "-test.run", "^TestLiveKilled$")
		cmd.Env = append(os.Environ(), "NL2SQL_TEST_KILLED="+dir, "NL2SQL_TEST_CALLS="+strconv.Itoa(calls))
		out, err := cmd.CombinedOutput()
		must.Have(t, err == nil || !cmd.ProcessState.Exited(), err, out)
		return err != nil
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		must.Have(t, child(1+rng.IntN(6)), "the run ended before it was killed ten times")
	}
	must.Have(t, !child(0), "killed by another")
	must.Get(petRun(t, "react", petModel{}).Run(t.Context(), whole))(t)
	must.Same(t, records(t, dir), records(t, whole))
}

func TestLiveRefuses(t *testing.T) {
	dir := t.TempDir()
	l := petRun(t, "baseline", petModel{fail: "(40)"})
	if _, err := l.Run(t.Context(), dir); err == nil || err.Error() != "item 41: the model is gone" {
		t.Errorf("a model that fails: %v", err)
	}
	must.Equal(t, len(must.Get(record.ReadRun(dir))(t).Records), 40)
	lock := must.Get(files.LockFolder(dir))(t)
	if _, err := l.Run(t.Context(), dir); err == nil || !strings.HasSuffix(err.Error(), "is in use by another run") {
		t.Error(err)
	}
	lock.Close()
	for want, change := range map[string]func(*Live){
		"model_sha256 was none, now is 0123456789ab…": func(l *Live) { l.Card.ModelHash = "0123456789abcdef" },
		"k was 2, now is 1":                           func(l *Live) { l.Card.Shots = 1 },
		"params plan was none, now is fixed; params steps was 7, now is none": func(l *Live) {
			l.Card.Params = map[string]any{"plan": "fixed"}
		},
		"items_sha256 was":            func(l *Live) { l.Items = l.Items[:59] },
		"pool was test, now is train": func(l *Live) { l.Pool.Name = "train" },
	} {
		other := l
		change(&other)
		if _, err := other.Run(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "holds another run: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, record.RunFile), []byte("something else\n"), 0o600))
	if _, err := l.Run(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "not a results file") {
		t.Error(err)
	}
	must.Equal(t, string(must.Get(os.ReadFile(filepath.Join(dir, record.RunFile)))(t)), "something else\n",
		"what was there is lost")
}

// The same model answers alike; another one is found out, with the word where it parts.
func TestVerify(t *testing.T) {
	l := petRun(t, "react", petModel{})
	run := must.Get(l.Run(t.Context(), t.TempDir()))(t)
	for _, r := range run.Records {
		if diff, err := l.Verify(t.Context(), r); diff != "" || err != nil {
			t.Errorf("item %s: %s, %v", r.ID, diff, err)
		}
	}
	i := slices.IndexFunc(run.Records, func(r record.Record) bool { return strings.Contains(r.Raw, "kind = 'cat'") })
	must.Have(t, i >= 0, "no record to change")
	for want, change := range map[string]func(*record.Record){
		`, word 6: recorded "species", now "kind"`: func(r *record.Record) {
			for i := range r.Trace {
				r.Trace[i].Text = strings.Replace(r.Trace[i].Text, "kind", "species", 1)
			}
		},
		": the same words, other blanks": func(r *record.Record) {
			for i := range r.Trace {
				r.Trace[i].Text = strings.Replace(r.Trace[i].Text, "WHERE", "WHERE ", 1)
			}
		},
		"recorded 0 model calls, now": func(r *record.Record) { r.Trace = nil },
		"answer: recorded SELECT 1":   func(r *record.Record) { r.SQL = "SELECT 1" },
		"prompt tokens: recorded 1":   func(r *record.Record) { r.Prompt = 1 },
	} {
		r := run.Records[i]
		r.Trace = slices.Clone(r.Trace)
		change(&r)
		if diff, err := l.Verify(t.Context(), r); !strings.Contains(diff, want) || err != nil {
			t.Errorf("%q, %v, want %q", diff, err, want)
		}
	}
	r := run.Records[i]
	r.Exemplars = []string{"none"}
	if _, err := l.Verify(t.Context(), r); err == nil || !strings.Contains(err.Error(), "has no exemplar none") {
		t.Error(err)
	}
}
