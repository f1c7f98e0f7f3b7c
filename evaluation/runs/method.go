package runs

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"

	"nl2sql/evaluation/record"
	"nl2sql/llm"
	"nl2sql/loop/answer"
	"nl2sql/tools"
)

// describe writes a method with its glossary into a card.
func describe(c *record.Card, m answer.Method, notes tools.Notes) (err error) {
	c.Agent, c.Guards, c.Prompts, c.Params = m.Agent, m.GuardNames, map[string]string{},
		map[string]any{"temperature": 0}
	if len(m.Without) > 0 {
		c.Params["without"] = strings.Join(m.Without, ",")
	}
	if answer.Takes(m.Agent, "plan") {
		c.Params["plan"] = string(m.Plan)
	}
	if answer.Takes(m.Agent, "notes") && len(notes) > 0 {
		if c.Prompts["notes"], err = JSONHash(notes); err != nil {
			return err
		}
	}
	if m.Votes > 1 {
		c.Params["votes"] = m.Votes
	}
	if m.MaxSteps > 0 {
		c.Params["max_steps"] = m.MaxSteps
	}
	if m.Retrieval != "" {
		c.Params["retrieval"] = string(m.Retrieval)
	}
	if m.Embedding != "" {
		sum := sha256.New()
		if err := llm.Fingerprint(sum, m.Embedding); err != nil {
			return fmt.Errorf("--embedding: %w", err)
		}
		c.Params["embedding"] = fmt.Sprintf("%s %x", filepath.Base(m.Embedding), sum.Sum(nil)[:16])
	}
	set, names := m.Templates()
	for _, name := range names {
		if c.Prompts[set+"/"+name], err = tools.PromptHash(set, name); err != nil {
			return err
		}
	}
	return nil
}

// SettingsOf reads out of a card what shaped the answers. Of a glossary, and of a file that made vectors, the card has
// the hash alone.
func SettingsOf(c record.Card) answer.Settings {
	s := answer.Settings{Agent: c.Agent, Guards: c.Guards, Prompts: "default"}
	for param, to := range map[string]*string{
		"plan": &s.Plan, "retrieval": &s.Retrieval, "without": &s.Without,
	} {
		if text, ok := c.Params[param].(string); ok {
			*to = text
		}
	}
	for param, to := range map[string]*int{"votes": &s.Votes, "max_steps": &s.MaxSteps} {
		if n, ok := c.Params[param].(float64); ok {
			*to = int(n)
		}
	}
	for name := range c.Prompts {
		if set, _, ok := strings.Cut(name, "/"); ok {
			s.Prompts = set
		}
	}
	return s
}
