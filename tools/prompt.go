package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Prompts renders what the model reads. A set is a folder of templates in assets; its blocks become
// messages: "system" is the system turn, "schema" and "question" are user turns.
type Prompts struct {
	Set          string
	Notes        Notes
	Pairs        []Pair // that are shown before the question, as turns of the same chat
	Behind       Pair   // the last turn of a conversation: it is shown in place of Pairs, among which it gets lost
	Said         string // what was said then, of which with the last turn the question is made; "" is the question
	MaxTables    int    // link_schema's cap; 0 switches linking off
	NoValues     bool   // that the question holds, nor names and values that its words mean in another language
	NoComments   bool   // as hints
	NoSynonyms   bool   // no word of the question that names nothing means a name
	style        SchemaStyle
	templates    string   // the set whose templates it shares; "" means its own
	wholeUpTo    int      // bytes of schema text up to which generate_sql sees the whole schema
	stop         []string // texts that end an SQL answer
	maxSQL       int      // new tokens of an SQL answer
	hintComments bool     // comments with a word of the question are hints, as notes are, and not in the schema's text
	translate    bool     // hints say which names, in another language or in other words, a question's words mean
	resample     bool     // sample, by a fixed seed, where a greedy model would only repeat itself
	tmpl         map[string]*template.Template
}

// promptSets are the named sets. dissertation repeats the roles, parts, order and limits that the recorded
// runs saw (dissertation.md §4); default puts what all questions share first, so that one prefix cache serves them;
// typed is default with types, keys and known values, which a model has to be taught to read.
var promptSets = map[string]Prompts{
	"default": {
		style: StyleNames, wholeUpTo: 8000, stop: []string{";"}, maxSQL: 256,
		resample: true, translate: true, hintComments: true,
	},
	"typed": {
		style: StyleTyped, templates: "default", wholeUpTo: 8000, stop: []string{";"}, maxSQL: 256,
		resample: true, translate: true,
	},
	"dissertation": {style: StyleNames, maxSQL: 128},
}

// NewPrompts returns a named set: "default", "typed" or "dissertation".
func NewPrompts(set string, notes Notes) (*Prompts, error) {
	p, ok := promptSets[set]
	if !ok {
		return nil, fmt.Errorf("no prompt set %q: use default, typed or dissertation", set)
	}
	p.Set, p.Notes, p.MaxTables = set, notes, MaxTables
	p.tmpl = map[string]*template.Template{}
	for _, name := range []string{"react", "generate", "repair", "baseline", reconstruct} {
		t, err := assets.Prompt(folder(set, name), name)
		if err != nil {
			return nil, err
		}
		p.tmpl[name] = t
	}
	return &p, nil
}

// PromptHash is the SHA-256 of a template of a named set.
func PromptHash(set, name string) (string, error) { return assets.PromptHash(folder(set, name), name) }

// reconstruct is the template that all sets share: its prompt begins as that of generate does, and ends in its own way.
const reconstruct = "reconstruct"

// folder is that of a set's template.
func folder(set, name string) string {
	if name == reconstruct {
		return "default"
	}
	return cmp.Or(promptSets[set].templates, set)
}

// promptData is what templates may use.
type promptData struct {
	Schema      string
	Database    string
	Question    string
	Constraints string // JSON, as extract_constraints printed it; "" before it ran
	Notes       Notes
	Values      []LinkedValue
	BadSQL      string
	SQL         string // whose question is asked for
	Error       string
	Failed      []Attempt // earlier failures, without BadSQL
	History     string
}

func (p *Prompts) data(env Env, s *schema.Schema) promptData {
	q := p.read(env.Asked)
	d := promptData{Schema: SchemaText(s, p.style), Database: s.Name, Question: q.Text, Notes: p.Notes.Linked(q)}
	if !p.NoValues {
		d.Values = linkValuesIn(cmp.Or(env.Read, env.Schema), q, env.Schema, p.Notes)
	}
	if p.translate && !p.NoValues {
		names, values := translations(q, s)
		d.Notes = append(slices.Clip(d.Notes), names...)
		for _, v := range values {
			if len(d.Values) < maxLinkedValues && !slices.ContainsFunc(d.Values, v.same) {
				d.Values = append(d.Values, v)
			}
		}
	}
	if p.translate {
		d.Notes = append(slices.Clip(d.Notes), d.unsaid(SynonymNotes(q, s))...)
	}
	if s != env.Schema { // a hint about what is not shown only misleads
		d.Values = slices.DeleteFunc(d.Values, func(v LinkedValue) bool {
			t, ok := s.Table(v.Table)
			if ok {
				_, ok = t.Column(v.Column)
			}
			return !ok
		})
	}
	if p.hintComments && !p.NoComments {
		linked := CommentNotes(s).Linked(q)
		d.Notes = append(d.Notes, linked[:min(len(linked), maxCommentNotes)]...)
	}
	if env.Constraints != nil {
		d.Constraints = jsonText(env.Constraints)
	}
	return d
}

// read is a question as the set reads it.
func (p *Prompts) read(q *question.Question) *question.Question {
	if p.NoSynonyms || !p.translate {
		return q.Literally()
	}
	return q
}

// blocks in the order of their messages.
var blocks = []struct{ name, role string }{{"system", "system"}, {"schema", "user"}, {"question", "user"}}

func (p *Prompts) render(name string, d promptData) (msgs []llm.Message, err error) {
	for _, block := range blocks {
		t := p.tmpl[name].Lookup(block.name)
		if t == nil {
			continue
		}
		var b strings.Builder
		if err := t.Execute(&b, d); err != nil {
			return nil, fmt.Errorf("prompt %s/%s: %w", p.Set, name, err)
		}
		msgs = append(msgs, llm.Message{Role: block.role, Content: strings.TrimSpace(b.String())})
	}
	return msgs, nil
}

// React is the prompt of one reasoning step: the contract, then the transcript as one user turn.
func (p *Prompts) React(env Env, history []string) ([]llm.Message, error) {
	d := p.data(env, p.Shown(env))
	d.History = strings.Join(history, "\n")
	return p.render("react", d)
}

// SchemaInSystem reports whether the reasoning prompt's system turn holds the schema already,
// so that the transcript need not repeat it.
func (p *Prompts) SchemaInSystem() bool { return p.wholeUpTo > 0 }

// Baseline is the zero-shot prompt of the fallback candidate.
func (p *Prompts) Baseline(env Env) ([]llm.Message, error) {
	return p.render("baseline", p.data(env, p.whole(env)))
}

// Generate is the prompt of generate_sql.
func (p *Prompts) Generate(env Env) ([]llm.Message, error) {
	shown := p.Shown(env)
	d := p.data(env, shown)
	d.Error, d.Failed = env.Err, env.Failed // set on a forced regenerate only
	before := p.Pairs
	if p.Behind.SQL != "" {
		before = []Pair{p.Behind}
	}
	if p.Said != "" {
		d.Question = p.Said
	}
	msgs, err := p.render("generate", d)
	if err != nil || len(before) == 0 {
		return msgs, err
	}
	last := len(msgs) - 1
	var pairs []llm.Message
	for _, pair := range before {
		env := Env{Asked: question.Read(pair.Question, env.Schema), Schema: env.Schema}
		was, err := p.render("generate", p.data(env, shown))
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, was[len(was)-1], llm.Message{Role: "assistant", Content: pair.SQL})
	}
	return slices.Concat(msgs[:last], pairs, msgs[last:]), nil
}

// Reconstruct is the prompt that the question would answer: which question is it that a query answers? It begins as
// Generate's does, which the model has read.
func (p *Prompts) Reconstruct(env Env, sql string) ([]llm.Message, error) {
	shown, err := p.Generate(env)
	if err != nil {
		return nil, err
	}
	asks, err := p.render(reconstruct, promptData{SQL: sql})
	return append(shown[:len(shown)-1], asks...), err
}

// Shown is the schema that generate_sql sees: the whole one where it is small, which keeps the
// prompt's prefix the same for every question; else what link_schema left, or would leave. After a vote without a
// majority it is what the candidates read.
func (p *Prompts) Shown(env Env) *schema.Schema {
	switch {
	case env.Read != nil && p.fits(env.Read):
		return env.Read
	case env.Read != nil:
		return p.fit(env.Asked, env.Read, strings.Join(env.Read.TableNames(), " "))
	case p.wholeUpTo > 0 && p.fits(env.Schema):
		return env.Schema
	case env.Focus != nil:
		return env.Focus
	}
	return p.whole(env)
}

// whole is the schema as far as a prompt has room for it, with the tables that a failed query names.
func (p *Prompts) whole(env Env) *schema.Schema {
	if p.fits(env.Schema) {
		return env.Schema
	}
	return p.fit(env.Asked, env.Schema, env.SQL, env.Err)
}

// Repair is the prompt of repair_sql: env.SQL has failed, and env.Err is why.
func (p *Prompts) Repair(env Env) ([]llm.Message, error) {
	d := p.data(env, p.whole(env))
	d.BadSQL, d.Error = env.SQL, env.Err
	d.Failed = syntax.Filter(env.Failed, func(f Attempt) bool { return f.SQL != env.SQL })
	return p.render("repair", d)
}

// SQLParams are the sampling settings of a call that answers with SQL.
func (p *Prompts) SQLParams(base llm.Params) llm.Params {
	base.Stop = p.stop
	base.MaxTokens = cmp.Or(base.MaxTokens, p.maxSQL)
	return base
}

// VoteParams are the settings of n candidates for one vote: base's own, then samples, each by its own seed.
func (p *Prompts) VoteParams(base llm.Params, n int) []llm.Params {
	const seeds = 1000 // beside those of retries
	all := make([]llm.Params, n)
	for i := range all {
		all[i] = p.SQLParams(base)
		if i == 0 {
			continue
		}
		if all[i].Temperature == 0 {
			all[i].Temperature, all[i].TopP = retryTemperature, retryTopP
		}
		all[i].Seed = base.Seed + seeds + uint32(i)
	}
	return all
}

// retryTemperature and retryTopP sample a retry: warm enough to leave the rut, cool enough to stay SQL.
const (
	retryTemperature = 0.7
	retryTopP        = 0.95
)

// Resamples reports whether the set has a greedy model that failed drawn from; the dissertation's has not.
func (p *Prompts) Resamples() bool { return p.resample }

// retryParams are the settings of the retry-th text in a row. A greedy model that brought nothing new would
// bring the same again, so retries are drawn, each by its own seed: the same run still gives the same bytes.
func (p *Prompts) retryParams(base llm.Params, retry int) llm.Params {
	params := p.SQLParams(base)
	if p.resample && retry > 0 && params.Temperature == 0 {
		params.Temperature, params.TopP, params.Seed = retryTemperature, retryTopP, uint32(retry)
	}
	return params
}
