package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strings"
	"time"

	"nl2sql/llm"
)

const (
	firstOut = time.Second // that a server is left out after a failure, doubled each time
	mostOut  = time.Minute
	probe    = 10 * time.Second // that a server has to list its models where there are several
	// more requests at work than elsewhere before prompts go away from a server that knows their beginnings
	bound    = 2
	block    = 512     // bytes of a prompt, of which a server's cache is thought to know all or nothing
	recalled = 1 << 13 // blocks that a server is thought to know
)

// server is one of those that have the model. [Model.mu] guards all but its URL.
type server struct {
	url     string
	waiting int             // requests at work
	asked   int             // requests ever
	fails   int             // since it last answered
	until   time.Time       // it is left out until then
	gone    bool            // it has come back with another model
	why     string          // it was left out at last
	told    bool            // of that
	known   map[uint64]bool // beginnings of prompts that it has read, by blocks
	order   []uint64        // of known, oldest first
}

// spread asks one server after the other until one answers. What a server took and did not answer goes to one more; who
// was not there costs no try. With one server it is [Model.try].
func (m *Model) spread(ctx context.Context, path string, body []byte, begin []uint64, out any) (*server, retry, error) {
	var passed []*server
	var errs []error
	var all retry
	for taken := 0; taken < 2; {
		s, fails := m.take(begin, passed)
		if s == nil {
			break
		}
		again, err := m.ask(ctx, s, fails > 0, path, body, out)
		m.done(ctx, s, fails, again, err)
		if err == nil || ctx.Err() != nil || !again.elsewhere {
			return s, again, err
		}
		if again.taken {
			taken++
		}
		all = all.or(again)
		passed, errs = append(passed, s), append(errs, err)
	}
	return nil, all, m.none(errs)
}

// ask sends a prompt to a server; a suspect one must list our model first.
func (m *Model) ask(ctx context.Context, s *server, suspect bool, path string, body []byte, out any) (retry, error) {
	if suspect {
		if again, err := m.check(ctx, s); err != nil {
			again.elsewhere = true
			return again, err
		}
	}
	return m.try(ctx, s, http.MethodPost, path, body, out)
}

// take chooses the server for a prompt: of those that are not left out, that which knows most of its beginning, unless
// another has nothing to do or much less, else the least busy one. Where all are left out it is the one whose time
// comes first. fails is how often it failed since it last answered; one that did is asked for its models first, by one
// caller at a time.
func (m *Model) take(begin []uint64, passed []*server) (s *server, fails int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.clock.now()
	var in, left []*server
	for _, s := range m.servers {
		switch {
		case s.gone || slices.Contains(passed, s):
		case s.until.After(now):
			left = append(left, s)
		default:
			in = append(in, s)
		}
	}
	switch {
	case len(in) > 0:
		least := slices.MinFunc(in, func(a, b *server) int { return a.waiting - b.waiting }).waiting
		most := least + bound
		if least == 0 {
			most = 0 // who has nothing to do may as well read it
		}
		in = slices.DeleteFunc(in, func(s *server) bool { return s.waiting > most })
		s = slices.MinFunc(in, func(a, b *server) int {
			return cmp.Or(b.depth(begin)-a.depth(begin), a.waiting-b.waiting, a.asked-b.asked)
		})
	case len(left) > 0:
		s = slices.MinFunc(left, func(a, b *server) int { return a.until.Compare(b.until) })
	default:
		return nil, 0
	}
	s.waiting++
	s.asked++
	s.learn(begin)
	if s.fails > 0 {
		s.until = now.Add(probe) // others pass by until it is known
	}
	return s, s.fails
}

// done notes how a server fared. One that failed is left out, longer each time, and forgets; what failed together
// counts once. Where there are several servers each is warned of once, as soon as another answers.
func (m *Model) done(ctx context.Context, s *server, fails int, again retry, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.waiting--
	switch {
	case ctx.Err() != nil || len(m.servers) == 1:
	case err != nil && again.elsewhere:
		if s.fails == fails {
			m.leave(s, again, err)
		}
	default:
		s.fails, s.until = 0, time.Time{}
		m.warn()
	}
}

// leave leaves a server out. It is called with mu held.
func (m *Model) leave(s *server, again retry, err error) {
	s.until = m.clock.now().Add(max(again.after, min(mostOut, firstOut<<min(s.fails, 10))))
	s.fails++
	s.known, s.order = nil, nil
	if s.gone = errors.As(err, &otherModel{}); s.gone {
		s.told, s.why = false, err.Error()+"; it is left out"
	} else {
		s.why = err.Error() + "; it is left out and tried again later"
	}
}

// warn tells of the servers that were left out. It is called with mu held.
func (m *Model) warn() {
	for _, s := range m.servers {
		if s.why != "" && !s.told {
			s.told = true
			m.o.Warn(s.why)
		}
	}
}

// none says why no server has answered.
func (m *Model) none(errs []error) error {
	if len(m.servers) == 1 {
		return errs[0]
	}
	const most = 3
	var texts []string
	for _, err := range errs[:min(most, len(errs))] {
		texts = append(texts, err.Error())
	}
	if len(errs) > most {
		texts = append(texts, fmt.Sprintf("and %d more", len(errs)-most))
	}
	if texts == nil {
		texts = []string{"none has the model " + m.clip(m.o.Model, 80) + " any more"}
	}
	return told{fmt.Sprintf("%d servers, no answer: %s", len(m.servers), strings.Join(texts, "; ")),
		errors.Join(errs...)}
}

// agree finds the name of the model, if there is none, and which servers are there. All that are there must have it.
func (m *Model) agree(ctx context.Context) (all retry, err error) {
	m.mu.Lock() // nobody else has it yet
	defer m.mu.Unlock()
	var errs []error
	for _, s := range m.servers {
		again, err := m.check(ctx, s)
		switch {
		case err == nil:
			s.fails, s.until, s.why = 0, time.Time{}, ""
		case ctx.Err() != nil || !again.elsewhere:
			return again, err
		default:
			m.leave(s, again, err)
			all, errs = all.or(again), append(errs, err)
		}
	}
	if len(errs) == len(m.servers) {
		return all, m.none(errs)
	}
	m.warn()
	return retry{}, nil
}

// otherModel tells that a server does not have our model.
type otherModel struct{ error }

// check asks a server for its models, among which ours must be.
func (m *Model) check(ctx context.Context, s *server) (retry, error) {
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	again, err := m.try(ctx, s, http.MethodGet, "/models", nil, &list)
	if err != nil {
		again.taken = false // no prompt went there
		return again, err
	}
	var names []string
	for _, d := range list.Data {
		names = append(names, d.ID)
	}
	if m.o.Model == "" {
		m.o.Model, err = m.only(s, names)
		return retry{}, err
	}
	if slices.Contains(names, m.o.Model) {
		return retry{}, nil
	}
	return retry{}, otherModel{fmt.Errorf("%s has no model %s: it has %s, and all servers must have the same", s.url,
		m.clip(m.o.Model, 80), m.names(names))}
}

// only returns the one of a server's models.
func (m *Model) only(s *server, names []string) (string, error) {
	switch {
	case len(names) == 1 && len(names[0]) > maxName:
		return "", fmt.Errorf("%s has a model whose name is longer than %d bytes", s.url, maxName)
	case len(names) == 1 && m.clip(names[0], 80) != "":
		return names[0], nil
	case len(names) == 0:
		return "", fmt.Errorf("%s has no models", s.url)
	}
	return "", fmt.Errorf("%s has several models: add #NAME with one of %s", s.url, m.names(names))
}

// maxName bounds the name of a model, in bytes.
const maxName = 300

// names lists what a server calls its models, short enough for one line.
func (m *Model) names(names []string) string {
	const most = 8
	more := ""
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
	}
	short := []string{}
	for _, name := range names[:min(most, len(names))] {
		short = append(short, m.clip(name, 80))
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(short, ", ") + more
}

// beginnings are the hashes of a prompt's beginnings: of its first block, its first two and so on.
func beginnings(msgs []llm.Message) (begin []uint64) {
	var text []byte
	for _, m := range msgs {
		text = fmt.Appendf(text, "%s\n%s\n", m.Role, m.Content)
	}
	h := fnv.New64a()
	for part := range slices.Chunk(text, block) {
		if len(part) == block {
			h.Write(part)
			begin = append(begin, h.Sum64())
		}
	}
	return begin
}

// depth is how many blocks of a beginning the server knows.
func (s *server) depth(begin []uint64) int {
	for n, h := range begin {
		if !s.known[h] {
			return n
		}
	}
	return len(begin)
}

// learn notes what the server reads, and forgets what it read longest ago.
func (s *server) learn(begin []uint64) {
	if s.known == nil {
		s.known = map[uint64]bool{}
	}
	for _, h := range begin {
		if !s.known[h] {
			s.known[h], s.order = true, append(s.order, h)
		}
	}
	for len(s.order) > recalled {
		delete(s.known, s.order[0])
		s.order = s.order[1:]
	}
}
